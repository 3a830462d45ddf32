package io.lapwing.exposition;

import java.util.Set;

/**
 * What came of reading a page.
 *
 * @param bytes that were read
 * @param lines that were read, with comments and empty ones
 * @param samples that were wanted and handed over
 * @param malformed lines that are no sample, no comment and not empty; of a line that nobody wants
 *     only the name is looked at
 * @param prefixes which of the {@link SampleNames#prefixes()} a name on the page began with
 * @param ending how the page ended
 */
public record ExpositionTally(
    long bytes, long lines, long samples, long malformed, Set<String> prefixes, Ending ending) {

  public ExpositionTally {
    prefixes = Set.copyOf(prefixes);
  }

  /** How a page ended. */
  public enum Ending {
    /** With its last line, or with OpenMetrics' {@code # EOF}. */
    WHOLE,
    /** Within a line: perhaps within a number, so that the line was not taken. */
    UNFINISHED,
    /** It goes on behind the bytes of {@link ExpositionLimits}. */
    TOO_LARGE,
    /** It goes on behind the lines of {@link ExpositionLimits}. */
    TOO_MANY_LINES
  }
}
