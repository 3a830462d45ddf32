package io.lapwing.linux;

import io.lapwing.linux.KmsgRecord.KmsgHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;

/**
 * The kernel's messages in a saved log: records of /dev/kmsg, dmesg in each of its time formats
 * (also {@code -x}, {@code -r}), syslog, journalctl in each {@code -o short} form, {@code cat},
 * {@code export} or {@code json}, a container runtime's JSON, also mixed. Lines are truncated at 64
 * KiB; only one record is in memory.
 */
public final class KernelLogText implements Iterator<KernelLogText.Entry> {

  /** What a log consists of. */
  public sealed interface Entry {

    record Message(KernelRecord message) implements Entry {}

    /** The start of another boot: its ID and the time of its first line, if known. */
    record Boot(Optional<Instant> at, Optional<String> id) implements Entry {}
  }

  /**
   * Counts so far.
   *
   * @param lines that are not blank; an entry of {@code journalctl -o export} counts once
   * @param known lines in a known form, of any writer
   * @param records of the kernel
   * @param cut lines of more than 64 KiB
   */
  public record Tally(long lines, long known, long records, long cut) {}

  private final BoundedLines lines;
  private final LogDating dating;
  private final LogTimes times;
  private final Queue<Entry> ready = new ArrayDeque<>();

  /** A record of /dev/kmsg whose continuation lines may follow. */
  private final ByteArrayOutputStream pending = new ByteArrayOutputStream();

  /** A message in text whose continuation lines may follow. */
  private Optional<KernelRecord> open = Optional.empty();

  private final StringBuilder continued = new StringBuilder();

  /** The line before was of a known form, so that an indented one continues it. */
  private boolean follows;

  private boolean ended;
  private long seen;
  private long known;
  private long records;

  /** Reads a stream that the caller closes. */
  public KernelLogText(InputStream in, LogDating dating) {
    this.lines = new BoundedLines(in);
    this.dating = dating;
    this.times = new LogTimes(dating);
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
  public Entry next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the log has ended");
    }
    Entry next = ready.remove();
    records += next instanceof Entry.Message ? 1 : 0;
    return next;
  }

  public Tally tally() {
    return new Tally(seen, known, records, lines.cut());
  }

  private void line() throws IOException {
    if (lines.isBlank()) {
      return;
    }
    seen++;
    if (lines.startsWith(" ") || lines.startsWith("\t")) {
      continuation();
      known += follows ? 1 : 0;
      return;
    }
    flush();
    follows = first();
    known += follows ? 1 : 0;
  }

  /** Reads a line that continues none; whether it has a known form. */
  private boolean first() throws IOException {
    if (KmsgHeader.parse(lines.line(), 0, lines.length()).isPresent()) {
      pending.write(lines.line(), 0, lines.length());
      return true;
    }
    if (JournalEntry.starts(lines)) {
      journal(JournalEntry.read(lines));
      return true;
    }
    return lines.startsWith("{") ? json() : text();
  }

  private boolean json() throws IOException {
    Optional<JournalEntry> entry = JournalEntry.json(lines.text());
    if (entry.filter(JournalEntry::isOfJournal).isPresent()) {
      journal(entry.get());
      return true;
    }
    Optional<LogLine> line = entry.flatMap(object -> object.ofContainer(dating));
    line.ifPresent(this::add);
    return line.isPresent();
  }

  private void journal(JournalEntry entry) {
    times.bootId(entry.boot());
    add(entry.line(), entry.boot());
  }

  private boolean text() {
    String text = lines.text();
    if (text.startsWith("-- ")) {
      boolean boot = text.startsWith("-- Boot ") || text.equals("-- Reboot --");
      if (boot) {
        times.marker();
      }
      return boot || text.endsWith(" --") || text.endsWith(".");
    }
    Optional<LogLine> line = KernelLogLine.parse(text, dating);
    line.ifPresent(this::add);
    return line.isPresent();
  }

  /**
   * dmesg and journalctl indent the further lines of a message to its column; of a record of
   * /dev/kmsg they start with one space.
   */
  private void continuation() {
    if (pending.size() > 0 && pending.size() + lines.length() < BoundedLines.MAX_LENGTH) {
      pending.write('\n');
      pending.write(lines.line(), 0, lines.length());
    } else if (open.isPresent()
        && lines.startsWith("  ")
        && continued.length() + lines.length() < BoundedLines.MAX_LENGTH) {
      continued.append('\n').append(lines.text().strip());
    }
  }

  private void flush() {
    if (pending.size() > 0) {
      KmsgRecord.parse(pending.toByteArray()).ifPresent(this::add);
      pending.reset();
    }
    open.ifPresent(
        message ->
            ready.add(
                new Entry.Message(
                    new KernelRecord(
                        message.sequence(), message.at(), message.text() + continued))));
    open = Optional.empty();
    continued.setLength(0);
  }

  private void add(KmsgRecord message) {
    LogLine line =
        LogLine.sinceBoot(Duration.of(message.usec(), ChronoUnit.MICROS), message.text());
    Optional<Instant> at = dated(message.ofKernel() ? line : line.ofAnother(), Optional.empty());
    if (message.ofKernel()) {
      ready.add(
          new Entry.Message(
              new KernelRecord(OptionalLong.of(message.sequence()), at, message.text())));
    }
  }

  private void add(LogLine line) {
    add(line, Optional.empty());
  }

  private void add(LogLine line, Optional<String> boot) {
    Optional<Instant> at = dated(line, boot);
    open = line.kernel().map(text -> new KernelRecord(OptionalLong.empty(), at, text));
  }

  private Optional<Instant> dated(LogLine line, Optional<String> boot) {
    boolean starts = times.starts(line);
    Optional<Instant> at = times.at(line);
    if (starts) {
      ready.add(new Entry.Boot(at, boot));
    }
    return at;
  }
}
