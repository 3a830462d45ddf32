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
 */
record FileScan(long end, boolean lacksLineEnd, long own, Optional<Instant> begun) {

  private static final FileScan NOTHING = new FileScan(0, false, 0, Optional.empty());

  /** Reads a file from start to end; one that is not there is empty. */
  static FileScan of(Path file, Replay replay) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      LogLines lines = new LogLines(in);
      FileScan scan = NOTHING;
      while (lines.next()) {
        scan = scan.with(lines, file, replay);
      }
      return scan;
    } catch (NoSuchFileException e) {
      return NOTHING;
    }
  }

  private FileScan with(LogLines lines, Path file, Replay replay) {
    LineContent content = content(lines);
    if (content instanceof LineContent.Malformed bad) {
      return lines.isEnded() ? skipped(lines, file, replay, bad) : torn(lines, file, replay);
    }
    if (content instanceof LineContent.Known known) {
      replay.event(known, lines.length());
      return known.carried()
          ? new FileScan(lines.end(), !lines.isEnded(), own, begun)
          : grown(lines, begun.or(() -> Optional.of(known.event().at())));
    }
    replay.unknownKind();
    return grown(lines, begun);
  }

  private static LineContent content(LogLines lines) {
    return lines.isTooLong()
        ? new LineContent.Malformed("longer than any event")
        : EventJson.read(lines.buffer(), lines.from(), lines.length());
  }

  private FileScan skipped(
      LogLines lines, Path file, Replay replay, LineContent.Malformed malformed) {
    replay.malformed(file, lines.number(), malformed.why());
    return grown(lines, begun);
  }

  private FileScan torn(LogLines lines, Path file, Replay replay) {
    replay.problem(file, lines.number(), "the last line is torn");
    return new FileScan(lines.start(), false, own, begun);
  }

  private FileScan grown(LogLines lines, Optional<Instant> since) {
    long length = lines.end() - lines.start();
    return new FileScan(lines.end(), !lines.isEnded(), own + length, since);
  }
}
