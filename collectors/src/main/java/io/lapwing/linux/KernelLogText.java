package io.lapwing.linux;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Queue;

/**
 * Iterates over the kernel's messages in a saved log: records of /dev/kmsg, dmesg (also with {@code
 * -T}, {@code -x} or {@code -r}), syslog, {@code journalctl -o short}, {@code short-iso}, {@code
 * cat} or {@code export}. Formats may be mixed. Messages of other programs are skipped; lines of
 * {@code journalctl -o json} are counted and skipped.
 *
 * <p>Lines are truncated at 64 KiB, and only one record is kept in memory.
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

  /**
   * Whether there is another message.
   *
   * @throws UncheckedIOException if the stream cannot be read
   */
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
    if (KmsgHeader.parse(lines.line(), 0, lines.length()).isPresent()) {
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
}
