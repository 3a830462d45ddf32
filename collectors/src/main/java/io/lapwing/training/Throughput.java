package io.lapwing.training;

import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Tokens a second over the last minute before the end of the last step, and at least the last two
 * steps: their tokens divided by the time from the end of the step before them to the end of the
 * last one. For the first step seen, its start replaces that end.
 */
final class Throughput {

  private static final long WINDOW = TimeUnit.SECONDS.toNanos(60);

  /** Minimum distance of stored ends, so that the ring covers a minute. */
  private static final long APART = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int MARKS = 128;
  private static final int MIN_STEPS = 2;
  private static final int STEPS_OF_SILENCE = 5;

  private final long[] ends = new long[MARKS];
  private final long[] tokens = new long[MARKS];
  private final long[] steps = new long[MARKS];
  private long marks;
  private long lastEnd;
  private long lastTokens;
  private long lastSteps;

  /**
   * Adds a step.
   *
   * @param start in nanoseconds since the epoch, like the end
   * @param own its own tokens
   * @param allTokens total including this step
   * @param allSteps total including this step
   */
  void add(long start, long end, long own, long allTokens, long allSteps) {
    if (marks == 0) {
      mark(start, Math.max(0, allTokens - own), allSteps - 1);
    } else if (lastEnd - ends[slot(marks - 1)] >= APART) {
      mark(lastEnd, lastTokens, lastSteps);
    }
    lastEnd = end;
    lastTokens = allTokens;
    lastSteps = allSteps;
  }

  private void mark(long end, long allTokens, long allSteps) {
    int slot = slot(marks);
    ends[slot] = end;
    tokens[slot] = allTokens;
    steps[slot] = allSteps;
    marks++;
  }

  private static int slot(long mark) {
    return (int) (mark % MARKS);
  }

  /** Discards the history: no time can be measured across a clock change. */
  void restart() {
    marks = 0;
  }

  /**
   * Empty before the second step, and when the loop has stopped: no step for a minute and for five
   * times the mean step.
   *
   * @param now in nanoseconds since the epoch
   */
  OptionalDouble tokensPerSecond(long now) {
    if (marks == 0) {
      return OptionalDouble.empty();
    }
    long oldest = Math.max(0, marks - MARKS);
    long base = marks - 1;
    while (base > oldest && (tooFew(base) || ends[slot(base - 1)] >= lastEnd - WINDOW)) {
      base--;
    }
    double time = (double) (lastEnd - ends[slot(base)]);
    double count = (double) (lastSteps - steps[slot(base)]);
    boolean silent = now - lastEnd > Math.max((double) WINDOW, STEPS_OF_SILENCE * time / count);
    return tooFew(base) || time <= 0 || silent
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            (lastTokens - tokens[slot(base)]) / (time / TimeUnit.SECONDS.toNanos(1)));
  }

  private boolean tooFew(long base) {
    return lastSteps - steps[slot(base)] < MIN_STEPS;
  }
}
