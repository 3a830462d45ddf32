package io.lapwing.linux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;

/**
 * The kernel's messages in a saved log: records of /dev/kmsg, dmesg (also {@code -T}, {@code -x},
 * {@code -r}), syslog, {@code journalctl -o short}, {@code short-iso}, {@code cat} or {@code
 * export}, also mixed. Lines are truncated at 64 KiB; only one record is in memory.
 */
public final class KernelLogText implements Iterator<KernelRecord> {

  /**
   * Counts so far.
   *
   * @param lines of any kind; an entry of {@code journalctl -o export} counts once
   * @param records of the kernel
   * @param json lines that were skipped because they are JSON
   * @param cut lines of more than 64 KiB
   */
  public record Tally(long lines, long records, long json, long cut) {}

  private final BoundedLines lines;
  private final LogDating dating;
  private final Queue<KernelRecord> ready = new ArrayDeque<>();

  /** A record of /dev/kmsg whose continuation lines may follow. */
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  private boolean ended;
  private long seen;
  private long records;
  private long json;

  /** Reads a stream that the caller closes. */
  public KernelLogText(InputStream in, LogDating dating) {
    this.lines = new BoundedLines(in);
    this.dating = dating;
  }

  /** Throws {@link UncheckedIOException} if the stream cannot be read. */
  @Override
  public boolean hasNext() {
    try {
      while (ready.isEmpty() && !ended) {
        ended = !lines.next();
        if (ended) {
          flush();
        } else {
          line();
        }
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
    return !ready.isEmpty();
  }

  @Override
  public KernelRecord next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the log has ended");
    }
    records++;
    return ready.remove();
  }

  public Tally tally() {
    return new Tally(seen, records, json, lines.cut());
  }

  private void line() throws IOException {
    seen++;
    if (lines.startsWith(" ")) {
      continuation();
      return;
    }
    flush();
    if (KmsgRecord.KmsgHeader.parse(lines.line(), 0, lines.length()).isPresent()) {
      pending.write(lines.line(), 0, lines.length());
    } else if (JournalEntry.starts(lines)) {
      add(JournalEntry.read(lines).ofKernel());
    } else if (lines.startsWith("{")) {
      json++;
    } else {
      add(KernelLogLine.parse(lines.text(), dating));
    }
  }

  private void continuation() {
    if (pending.size() > 0 && pending.size() + lines.length() < BoundedLines.MAX_LENGTH) {
      pending.write('\n');
      pending.write(lines.line(), 0, lines.length());
    }
  }

  private void flush() {
    if (pending.size() > 0) {
      add(
          KmsgRecord.parse(pending.toByteArray())
              .flatMap(record -> record.ofKernel(dating.boot())));
      pending.reset();
    }
  }

  private void add(Optional<KernelRecord> record) {
    record.ifPresent(ready::add);
  }

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
   * What user space wrote to /dev/kmsg has the same transport, but another facility or identifier.
   */
  static final class JournalEntry {

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
}
