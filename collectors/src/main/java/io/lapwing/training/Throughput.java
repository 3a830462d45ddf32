package io.lapwing.training;

import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * Tokens a second over the steps that ended in the last minute before the end of the last one, and
 * at least the last two: the tokens of these steps by the time from the end of the step before them
 * to the end of the last. Before the first step that was seen, its start stands for that end.
 */
final class Throughput {

  private static final long WINDOW = TimeUnit.SECONDS.toNanos(60);

  /** Ends that are closer than this are not kept each, so that a minute fits. */
  private static final long APART = TimeUnit.MILLISECONDS.toNanos(500);

  private static final int MARKS = 128;
  private static final int LEAST_STEPS = 2;
  private static final int STEPS_OF_SILENCE = 5;

  private final long[] ends = new long[MARKS];
  private final long[] tokens = new long[MARKS];
  private final long[] steps = new long[MARKS];
  private long marks;
  private long lastEnd;
  private long lastTokens;
  private long lastSteps;

  /**
   * A step.
   *
   * @param start in nanoseconds since the epoch, as the end
   * @param own its own tokens
   * @param allTokens with all before it
   * @param allSteps with all before it
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

  /** Forgets what was, since no time can be measured across a change of the clock. */
  void restart() {
    marks = 0;
  }

  /**
   * Empty where there were no two steps, and where the last was so long ago that nothing is being
   * done: a minute, or five steps of the mean length.
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
    return lastSteps - steps[slot(base)] < LEAST_STEPS;
  }
}
