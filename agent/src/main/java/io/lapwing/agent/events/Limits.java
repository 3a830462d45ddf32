package io.lapwing.agent.events;

import java.time.Duration;

/**
 * Limits of the stored events.
 *
 * @param maxBytes of all files together; the oldest are deleted first
 * @param maxAge of a file that is not written any more
 * @param fileBytes after which a new file is started, beside the snapshot at its start; also the
 *     bound of that snapshot
 * @param replayBytes of the newest lines that are read at a start, beside the snapshot
 */
public record Limits(long maxBytes, Duration maxAge, long fileBytes, long replayBytes) {

  private static final long MEBIBYTE = 1 << 20;

  public static final Limits DEFAULT =
      new Limits(16 * MEBIBYTE, Duration.ofDays(90), MEBIBYTE, 2 * MEBIBYTE);

  /** A file covers at most this fraction of the maximum age, so that age is nearly exact. */
  private static final int FILES_PER_AGE = 9;

  /** A full one, its snapshot, and the next one. */
  private static final int MIN_FILES = 3;

  public Limits {
    if (fileBytes <= 0 || replayBytes <= 0 || maxBytes < MIN_FILES * fileBytes) {
      throw new IllegalArgumentException(
          "maxBytes must be at least three times fileBytes, and all of them positive");
    }
    if (maxAge.compareTo(Duration.ofDays(1)) < 0) {
      throw new IllegalArgumentException("maxAge must be at least one day");
    }
  }

  /** The longest time for which one file is written. */
  Duration fileAge() {
    return maxAge.dividedBy(FILES_PER_AGE);
  }

  /** The bound of the history, as lines: its snapshot fits into one file. */
  long historyBytes() {
    return fileBytes / 32 * 25;
  }
}
