package io.lapwing.agent.events;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * What has to be known of a file to continue it.
 *
 * @param end its length without a torn last line, in bytes
 * @param lacksLineFeed whether the last line is whole but for its line feed
 * @param own bytes of the lines behind the snapshot
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
        reader.problem(file, lines.number() - 1, "the last lines are an incomplete group");
      }
      return scan.beforeGroup().orElse(scan);
    } catch (NoSuchFileException e) {
      return EMPTY;
    }
  }

  /** Whether a file starts with a snapshot. */
  static boolean startsComplete(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      LogLines lines = new LogLines(in);
      return lines.next() && parsed(lines) instanceof ParsedLine.Known known && known.complete();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static ParsedLine parsed(LogLines lines) {
    return lines.isTooLong()
        ? new ParsedLine.Malformed("longer than any event")
        : EventJson.read(lines.buffer(), lines.from(), lines.length());
  }

  private FileScan with(LogLines lines, Path file, LogReader reader) {
    ParsedLine parsed = parsed(lines);
    if (parsed instanceof ParsedLine.Malformed bad) {
      if (!lines.isEnded()) {
        reader.problem(file, lines.number(), "the last line is torn");
        return new FileScan(lines.start(), false, own, started, beforeGroup);
      }
      reader.malformed(file, lines.number(), bad.why());
      return withOwn(lines, started, beforeGroup);
    }
    if (parsed instanceof ParsedLine.Known known) {
      reader.event(known, lines.length());
      return known.carried()
          ? new FileScan(lines.end(), !lines.isEnded(), own, started, beforeGroup)
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
    long length = lines.end() - lines.start();
    return new FileScan(lines.end(), !lines.isEnded(), own + length, since, before);
  }
}
