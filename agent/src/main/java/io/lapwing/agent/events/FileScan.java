package io.lapwing.agent.events;

import io.lapwing.agent.events.EventJson.ParsedLine;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a file that is needed to continue it.
 *
 * @param end its length without a torn last line, in bytes
 * @param lacksLineFeed whether the last line is whole but for its line feed
 * @param own bytes of the lines after the snapshot
 * @param started when the first event of those was
 * @param beforeGroup the state before an incomplete group at its end
 */
record FileScan(
    long end,
    boolean lacksLineFeed,
    long own,
    Optional<Instant> started,
    Optional<FileScan> beforeGroup) {

  static final FileScan EMPTY = new FileScan(0, false, 0, Optional.empty(), Optional.empty());

  /** Reads a file from start to end; a missing one is empty. */
  static FileScan of(Path file, LogReader reader) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      LogLines lines = new LogLines(in);
      FileScan scan = EMPTY;
      while (lines.next()) {
        scan = scan.with(lines, file, reader);
      }
      if (scan.beforeGroup().isPresent()) {
        reader.dropGroup();
        reader.problem(file, lines.number - 1, "the last lines are an incomplete group");
      }
      return scan.beforeGroup().orElse(scan);
    } catch (NoSuchFileException e) {
      return EMPTY;
    }
  }

  /** Whether a file starts with a snapshot. */
  static boolean startsComplete(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      LogLines lines = new LogLines(in);
      return lines.next() && parsed(lines) instanceof ParsedLine.Known known && known.complete();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static ParsedLine parsed(LogLines lines) {
    return lines.tooLong
        ? new ParsedLine.Malformed("longer than any event")
        : EventJson.read(lines.buffer, lines.lineStart, lines.length());
  }

  private FileScan with(LogLines lines, Path file, LogReader reader) {
    ParsedLine parsed = parsed(lines);
    if (parsed instanceof ParsedLine.Malformed bad) {
      if (!lines.ended) {
        reader.problem(file, lines.number, "the last line is torn");
        return new FileScan(lines.start, false, own, started, beforeGroup);
      }
      reader.malformed(file, lines.number, bad.why());
      return withOwn(lines, started, beforeGroup);
    }
    if (parsed instanceof ParsedLine.Known known) {
      reader.event(known, lines.length());
      return known.carried()
          ? new FileScan(lines.end(), !lines.ended, own, started, beforeGroup)
          : withOwn(lines, started.or(() -> Optional.of(known.event().at())), group(known.more()));
    }
    reader.unknownKind();
    boolean more = parsed instanceof ParsedLine.UnknownKind unknown && unknown.more();
    return withOwn(lines, started, group(more));
  }

  /** A group starts or continues with a line that needs the next one, and ends with any other. */
  private Optional<FileScan> group(boolean more) {
    return more ? beforeGroup.or(() -> Optional.of(this)) : Optional.empty();
  }

  private FileScan withOwn(LogLines lines, Optional<Instant> since, Optional<FileScan> before) {
    long length = lines.end() - lines.start;
    return new FileScan(lines.end(), !lines.ended, own + length, since, before);
  }

  /** The lines of a stream, in a fixed buffer; lines that do not fit are skipped. */
  static final class LogLines {

    /** The longest event has 2,000 characters of message and some names, six bytes each. */
    static final int MAX_BYTES = 64 * 1024;

    private final InputStream in;
    private final byte[] buffer = new byte[MAX_BYTES];
    private int lineStart;
    private int lineEnd;
    private int filled;
    private int next;
    private long bufferStart;

    /** From 1. */
    long number;

    long start;

    /** Whether it has a line feed; the last line may lack it. */
    boolean ended;

    boolean tooLong;

    LogLines(InputStream in) {
      this.in = in;
    }

    /** Advances to the next line; false at the end. */
    boolean next() throws IOException {
      lineStart = next;
      start = bufferStart + next;
      tooLong = false;
      number++;
      int look = lineStart;
      while (true) {
        int end = lineFeed(look);
        if (end >= 0) {
          return found(end, end + 1, true);
        }
        makeRoom();
        look = filled;
        int read = in.read(buffer, filled, buffer.length - filled);
        if (read < 0) {
          return found(filled, filled, false) && (tooLong || lineEnd > lineStart);
        }
        filled += read;
      }
    }

    private boolean found(int end, int after, boolean hasEnd) {
      lineEnd = end;
      next = after;
      ended = hasEnd;
      return true;
    }

    private int lineFeed(int from) {
      for (int i = from; i < filled; i++) {
        if (buffer[i] == '\n') {
          return i;
        }
      }
      return -1;
    }

    /** Moves the line to the start of the buffer; a line that fills it is dropped. */
    private void makeRoom() {
      if (lineStart == 0 && filled == buffer.length) {
        tooLong = true;
        lineStart = filled;
      }
      System.arraycopy(buffer, lineStart, buffer, 0, filled - lineStart);
      bufferStart += lineStart;
      filled -= lineStart;
      lineStart = 0;
    }

    /** In bytes, without the line feed; undefined for a line that is too long. */
    int length() {
      return lineEnd - lineStart;
    }

    long end() {
      return bufferStart + next;
    }
  }
}
