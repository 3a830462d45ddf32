package io.lapwing.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One entry of {@code journalctl -o export}: fields up to an empty line, each {@code NAME=value},
 * or, where the value has a newline, {@code NAME}, its length in 8 bytes and the value.
 *
 * <pre>
 * __REALTIME_TIMESTAMP=1740327858123456
 * _TRANSPORT=kernel
 * SYSLOG_FACILITY=0
 * MESSAGE=NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.
 * </pre>
 *
 * <p>What user space wrote to /dev/kmsg has the transport {@code kernel} too, but another facility
 * or identifier.
 */
final class JournalEntry {

  private static final String REALTIME = "__REALTIME_TIMESTAMP";
  private static final String TRANSPORT = "_TRANSPORT";
  private static final String FACILITY = "SYSLOG_FACILITY";
  private static final String IDENTIFIER = "SYSLOG_IDENTIFIER";
  private static final String MESSAGE = "MESSAGE";
  private static final Set<String> KEPT =
      Set.of(REALTIME, TRANSPORT, FACILITY, IDENTIFIER, MESSAGE);

  private final Map<String, String> fields = new HashMap<>();

  private JournalEntry() {}

  /** Whether this line starts an entry. */
  static boolean starts(BoundedLines lines) {
    return lines.startsWith("__CURSOR=") || lines.startsWith(REALTIME + "=");
  }

  /** Reads an entry whose first line is the current one. */
  static JournalEntry read(BoundedLines lines) throws IOException {
    JournalEntry entry = new JournalEntry();
    boolean more = true;
    while (more && lines.length() > 0) {
      entry.field(lines);
      more = lines.next();
    }
    return entry;
  }

  private void field(BoundedLines lines) throws IOException {
    String line = lines.text();
    int equals = line.indexOf('=');
    if (equals >= 0) {
      keep(line.substring(0, equals), line.substring(equals + 1));
    } else {
      keep(line, binary(lines));
    }
  }

  private static String binary(BoundedLines lines) throws IOException {
    byte[] length = lines.bytes(Long.BYTES);
    long count =
        length.length == Long.BYTES
            ? ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong()
            : 0;
    String value = new String(lines.bytes(count), StandardCharsets.UTF_8);
    lines.bytes(1);
    return value;
  }

  private void keep(String name, String value) {
    if (KEPT.contains(name)) {
      fields.putIfAbsent(name, value);
    }
  }

  /** As a kernel message; empty if user space wrote it. */
  Optional<KernelRecord> ofKernel() {
    return "kernel".equals(fields.get(TRANSPORT))
            && "0".equals(fields.getOrDefault(FACILITY, "0"))
            && "kernel".equals(fields.getOrDefault(IDENTIFIER, "kernel"))
        ? Optional.ofNullable(fields.get(MESSAGE))
            .map(message -> new KernelRecord(OptionalLong.empty(), at(), message))
        : Optional.empty();
  }

  private Optional<Instant> at() {
    return Optional.ofNullable(fields.get(REALTIME))
        .filter(micros -> micros.matches("\\d{1,17}"))
        .map(micros -> Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS));
  }
}
