package io.lapwing.training;

import io.lapwing.training.StepFile.Rejection;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Sums up the records of one rank. Not thread-safe. */
final class RankStats implements StepRecordReader.Receiver {

  private static final double LONGEST_STEP = 7 * 86_400.0;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  /** 2000-01-01. An earlier start is garbage. */
  private static final long LONG_AGO = 946_684_800L * NANOS;

  /** Beyond it a double is not exact. */
  private static final long MAX_STEP = 1L << 53;

  private static final long AHEAD = 300 * NANOS;

  /** Start and duration are rounded, and clocks are adjusted. */
  private static final long ROUNDING = TimeUnit.MILLISECONDS.toNanos(1);

  private final RejectionCounts faults;
  private final LongSupplier now;

  final StepDurations durations = new StepDurations();
  final Throughput throughput = new Throughput();
  final RunningTotal duration = new RunningTotal();
  final RunningTotal dataWait = new RunningTotal();
  final RunningTotal compute = new RunningTotal();
  final RunningTotal communicationWait = new RunningTotal();
  final RunningTotal checkpoint = new RunningTotal();
  final LatestValue loss = new LatestValue();
  final LatestValue gradientNorm = new LatestValue();
  final LatestValue learningRate = new LatestValue();
  long steps;
  long tokens;
  long samples;
  long lastStep;
  private long lastEnd;

  /** The clock is the time of day in nanoseconds since the epoch. */
  RankStats(RejectionCounts faults, LongSupplier now) {
    this.faults = faults;
    this.now = now;
  }

  /** When the last step ended, in nanoseconds since the epoch; empty before the first. */
  OptionalLong lastEnd() {
    return lastEnd == 0 ? OptionalLong.empty() : OptionalLong.of(lastEnd);
  }

  @Override
  public void take(RecordBlock record) throws StepFile.RejectedException {
    long totalSteps = record.integer(StepLayout.AT_TOTAL_STEPS);
    long totalTokens = record.integer(StepLayout.AT_TOTAL_TOKENS);
    long totalSamples = record.integer(StepLayout.AT_TOTAL_SAMPLES);
    double seconds = record.number(StepLayout.AT_DURATION);
    long start = record.integer(StepLayout.AT_START);
    long step = record.integer(StepLayout.AT_STEP);
    if (totalSteps < 1 || totalTokens < 0 || totalSamples < 0 || step < 0 || step > MAX_STEP) {
      faults.record(RejectionCounts.RecordFault.BAD_TOTALS);
    } else if (totalSteps <= steps || totalTokens < tokens || totalSamples < samples) {
      throw new StepFile.RejectedException(Rejection.TWO_WRITERS);
    } else if (!(seconds >= 0 && seconds <= LONGEST_STEP)) {
      faults.record(RejectionCounts.RecordFault.BAD_DURATION);
    } else if (start < LONG_AGO || start > now.getAsLong() + AHEAD) {
      faults.record(RejectionCounts.RecordFault.BAD_START);
    } else if (end(start, seconds) < lastEnd - ROUNDING) {
      faults.record(RejectionCounts.RecordFault.CLOCK_BACK);
      lastEnd = end(start, seconds);
      throughput.restart();
    } else {
      steps = totalSteps;
      tokens = totalTokens;
      samples = totalSamples;
      add(record, start, seconds);
    }
  }

  /** A step may start before the end of the one before it, so only its end is used as a time. */
  private static long end(long start, double seconds) {
    return start + (long) (seconds * NANOS);
  }

  private void add(RecordBlock record, long start, double seconds) {
    lastEnd = Math.max(lastEnd, end(start, seconds));
    lastStep = record.integer(StepLayout.AT_STEP);
    durations.add(seconds);
    throughput.add(start, lastEnd, record.integer(StepLayout.AT_TOKENS), tokens, steps);
    duration.note(record.number(StepLayout.AT_TOTAL_DURATION));
    dataWait.note(record.number(StepLayout.AT_TOTAL_DATA_WAIT));
    compute.note(record.number(StepLayout.AT_TOTAL_COMPUTE));
    communicationWait.note(record.number(StepLayout.AT_TOTAL_COMMUNICATION_WAIT));
    checkpoint.note(record.number(StepLayout.AT_TOTAL_CHECKPOINT));
    loss.note(record.number(StepLayout.AT_LOSS));
    gradientNorm.note(record.number(StepLayout.AT_GRADIENT_NORM));
    learningRate.note(record.number(StepLayout.AT_LEARNING_RATE));
  }

  /** A total in seconds that the writer keeps. Never decreases here. */
  static final class RunningTotal {

    private double total = Double.NaN;

    /** NaN if the writer does not measure it. */
    void note(double reported) {
      if (Double.isFinite(reported) && reported >= 0) {
        total = Double.isNaN(total) ? reported : Math.max(total, reported);
      }
    }

    OptionalDouble get() {
      return Double.isNaN(total) ? OptionalDouble.empty() : OptionalDouble.of(total);
    }
  }

  /**
   * A value that loops report every few steps only, such as the loss. The last one is valid for
   * {@value #HOLDS} steps; an infinite one invalidates it.
   */
  static final class LatestValue {

    private static final int HOLDS = 256;

    private double number = Double.NaN;
    private int since;

    /** Takes the value of one step; NaN where the step has none. */
    void note(double given) {
      since = Double.isFinite(given) ? 0 : Math.min(since + 1, HOLDS);
      number = Double.isNaN(given) ? number : given;
    }

    OptionalDouble get() {
      return Double.isFinite(number) && since < HOLDS
          ? OptionalDouble.of(number)
          : OptionalDouble.empty();
    }
  }

  /**
   * Tokens a second over the last minute before the end of the last step, and at least the last two
   * steps, from the end of the step before them (for the first step seen, its start).
   */
  static final class Throughput {

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

    /** Totals include this step; times are nanoseconds since the epoch. */
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

    /** Empty before the second step, and after a minute and five mean steps without one. */
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
}
