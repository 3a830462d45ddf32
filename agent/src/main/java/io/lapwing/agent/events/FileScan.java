package io.lapwing.agent.events;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * What has to be known of a file to go on writing it.
 *
 * @param end how many of its bytes stay: all but a line that was torn
 * @param lacksLineEnd whether its last line is whole but for the line feed
 * @param own bytes of lines that were not carried over from older files
 * @param begun when the first event of its own was
 * @param before what it would be without the lines at its end that are nothing without a next one
 */
record FileScan(
    long end, boolean lacksLineEnd, long own, Optional<Instant> begun, Optional<FileScan> before) {

  static final FileScan NOTHING = new FileScan(0, false, 0, Optional.empty(), Optional.empty());

  /** Reads a file from start to end; one that is not there is empty. */
  static FileScan of(Path file, LogReader replay) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      LogLines lines = new LogLines(in);
      FileScan scan = NOTHING;
      while (lines.next()) {
        scan = scan.with(lines, file, replay);
      }
      return scan.without(file, lines, replay);
    } catch (NoSuchFileException e) {
      return NOTHING;
    }
  }

  /** The rest of what was appended together never came. */
  private FileScan without(Path file, LogLines lines, LogReader replay) {
    if (before.isPresent()) {
      replay.forgetOpen();
      replay.problem(file, lines.number() - 1, "the last lines lack those that belong to them");
    }
    return before.orElse(this);
  }

  private FileScan with(LogLines lines, Path file, LogReader replay) {
    ParsedLine content = content(lines);
    if (content instanceof ParsedLine.Malformed bad) {
      return lines.isEnded() ? skipped(lines, file, replay, bad) : torn(lines, file, replay);
    }
    if (content instanceof ParsedLine.Known known) {
      replay.event(known, lines.length());
      return known.carried()
          ? new FileScan(lines.end(), !lines.isEnded(), own, begun, before)
          : grown(lines, begun.or(() -> Optional.of(known.event().at()))).open(known.more(), this);
    }
    replay.unknownKind();
    boolean more = content instanceof ParsedLine.UnknownKind unknown && unknown.more();
    return grown(lines, begun).open(more, this);
  }

  /** Closed by a line that needs no next one. */
  private FileScan open(boolean more, FileScan last) {
    Optional<FileScan> closed = more ? last.before.or(() -> Optional.of(last)) : Optional.empty();
    return new FileScan(end, lacksLineEnd, own, begun, closed);
  }

  /** Whether all that matters was brought over into this file. */
  static boolean beginsComplete(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      LogLines lines = new LogLines(in);
      return lines.next() && content(lines) instanceof ParsedLine.Known known && known.complete();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static ParsedLine content(LogLines lines) {
    return lines.isTooLong()
        ? new ParsedLine.Malformed("longer than any event")
        : EventJson.read(lines.buffer(), lines.from(), lines.length());
  }

  private FileScan skipped(
      LogLines lines, Path file, LogReader replay, ParsedLine.Malformed malformed) {
    replay.malformed(file, lines.number(), malformed.why());
    return grown(lines, begun);
  }

  private FileScan torn(LogLines lines, Path file, LogReader replay) {
    replay.problem(file, lines.number(), "the last line is torn");
    return new FileScan(lines.start(), false, own, begun, before);
  }

  private FileScan grown(LogLines lines, Optional<Instant> since) {
    long length = lines.end() - lines.start();
    return new FileScan(lines.end(), !lines.isEnded(), own + length, since, before);
  }
}
