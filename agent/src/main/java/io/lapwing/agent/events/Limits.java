package io.lapwing.agent.events;

import java.time.Duration;

/**
 * How much of the past is kept.
 *
 * @param maxBytes of all files together; the oldest are deleted first
 * @param maxAge of a file that is not written to any more
 * @param fileBytes after which the log goes on in a new file; also the most that is brought over
 *     from older files into one
 * @param replayBytes of the newest files that become events in memory at start, beside what was
 *     brought over into them
 */
public record Limits(long maxBytes, Duration maxAge, long fileBytes, long replayBytes) {
  private static final long MEBIBYTE = 1 << 20;

  public static final Limits DEFAULT =
      new Limits(16 * MEBIBYTE, Duration.ofDays(90), MEBIBYTE, 2 * MEBIBYTE);

  /** A file spans no more than this part of the greatest age, so that age is bounded nearly. */
  private static final int SPANS = 9;

  /** One file that is full, what was brought over into it, and one to come. */
  private static final int LEAST_FILES = 3;

  public Limits {
    if (fileBytes <= 0 || replayBytes <= 0 || maxBytes < LEAST_FILES * fileBytes) {
      throw new IllegalArgumentException(
          "maxBytes has to be three times fileBytes or more, and all of them positive");
    }
    if (maxAge.compareTo(Duration.ofDays(1)) < 0) {
      throw new IllegalArgumentException("maxAge has to be a day or more");
    }
  }

  /** For how long one file is written to. */
  Duration fileAge() {
    return maxAge.dividedBy(SPANS);
  }
}
