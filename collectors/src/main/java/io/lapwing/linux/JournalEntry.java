package io.lapwing.linux;

import io.lapwing.json.JsonCursor;
import io.lapwing.json.NotJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One entry of {@code journalctl -o export}: fields up to an empty line, each {@code NAME=value},
 * or, where the value has a newline, {@code NAME}, its length in 8 bytes and the value.
 *
 * <pre>
 * __REALTIME_TIMESTAMP=1740327858123456
 * _BOOT_ID=91e5da22438a3d879584c0c11f0a2df0
 * _TRANSPORT=kernel
 * SYSLOG_FACILITY=0
 * MESSAGE=NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.
 * </pre>
 *
 * <p>Of {@code journalctl -o json}: an object of the same fields on one line, a value with other
 * bytes than text as an array of numbers. A container runtime's line is an object too: {@code
 * {"log":"[ 12.345678] NVRM: ...\n","stream":"stdout","time":"2025-02-23T16:24:18.123Z"}}.
 *
 * <p>What user space wrote to /dev/kmsg has the same transport, but another facility or identifier.
 */
final class JournalEntry {

  private static final String REALTIME = "__REALTIME_TIMESTAMP";
  private static final String BOOT = "_BOOT_ID";
  private static final String TRANSPORT = "_TRANSPORT";
  private static final String FACILITY = "SYSLOG_FACILITY";
  private static final String IDENTIFIER = "SYSLOG_IDENTIFIER";
  private static final String MESSAGE = "MESSAGE";
  private static final String LOG = "log";
  private static final String TIME = "time";
  private static final Set<String> KEPT =
      Set.of(REALTIME, BOOT, TRANSPORT, FACILITY, IDENTIFIER, MESSAGE, LOG, TIME);

  private final Map<String, String> fields = new HashMap<>();

  private JournalEntry() {}

  /** Whether this line starts an entry of {@code export}. */
  static boolean starts(BoundedLines lines) {
    return lines.startsWith("__CURSOR=") || lines.startsWith(REALTIME + "=");
  }

  /** Reads an entry of {@code export} whose first line is the current one. */
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

  /** Reads an object on one line; empty if it is not an entry of the journal. */
  static Optional<JournalEntry> json(String line) throws IOException {
    JournalEntry entry = new JournalEntry();
    try (JsonCursor json = JsonCursor.of(line)) {
      json.object(name -> entry.keep(name, value(name, json)));
      json.end();
    } catch (NotJson damaged) {
      return Optional.empty();
    }
    return Optional.of(entry);
  }

  private static String value(String name, JsonCursor json) throws IOException {
    if (name.equals(MESSAGE) && json.isArray()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      json.array(() -> bytes.write(json.integer().orElse('?')));
      return bytes.toString(StandardCharsets.UTF_8);
    }
    return json.textOrEmpty();
  }

  /** Whether it is an entry of the journal, which dates every entry. */
  boolean isOfJournal() {
    return fields.containsKey(REALTIME);
  }

  /** As a line; it has a message only if the kernel wrote it. */
  LogLine line() {
    boolean kernel =
        "kernel".equals(fields.get(TRANSPORT))
            && "0".equals(fields.getOrDefault(FACILITY, "0"))
            && "kernel".equals(fields.getOrDefault(IDENTIFIER, "kernel"));
    return LogLine.at(at(), kernel ? Optional.ofNullable(fields.get(MESSAGE)) : Optional.empty());
  }

  /** The line in a container runtime's object; empty if it has no known form. */
  Optional<LogLine> ofContainer(LogDating dating) {
    return Optional.ofNullable(fields.get(LOG))
        .flatMap(line -> KernelLogLine.parse(line.stripTrailing(), dating))
        .map(line -> line.orAt(Optional.ofNullable(fields.get(TIME)).flatMap(LogDating::instant)));
  }

  /** The boot that wrote it, 32 hexadecimal digits; empty if it names none. */
  Optional<String> boot() {
    return Optional.ofNullable(fields.get(BOOT)).filter(id -> id.matches("[0-9a-f]{32}"));
  }

  private Optional<Instant> at() {
    return Optional.ofNullable(fields.get(REALTIME))
        .filter(micros -> micros.matches("\\d{1,17}"))
        .map(micros -> Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS));
  }
}
