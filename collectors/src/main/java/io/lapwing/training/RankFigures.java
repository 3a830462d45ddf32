package io.lapwing.training;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What the records of one rank come to. For one thread at a time. */
final class RankFigures implements RecordTrail.Taker {

  private static final double LONGEST_STEP = 7 * 86_400.0;
  private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

  /** 2000-01-01: no loop of this file began before that. */
  private static final long LONG_AGO = 946_684_800L * NANOS;

  private static final long AHEAD = 300 * NANOS;

  private final FaultCounts faults;
  private final LongSupplier now;

  final StepDurations durations = new StepDurations();
  final Throughput throughput = new Throughput();
  final RunningSeconds duration = new RunningSeconds();
  final RunningSeconds dataWait = new RunningSeconds();
  final RunningSeconds compute = new RunningSeconds();
  final RunningSeconds communicationWait = new RunningSeconds();
  final RunningSeconds checkpoint = new RunningSeconds();
  final LatestNumber loss = new LatestNumber();
  final LatestNumber gradientNorm = new LatestNumber();
  final LatestNumber learningRate = new LatestNumber();
  long steps;
  long tokens;
  long samples;
  long lastStep;
  private long lastStart;
  private long lastEnd;

  /**
   * Of no record yet.
   *
   * @param now the time of day in nanoseconds since the epoch
   */
  RankFigures(FaultCounts faults, LongSupplier now) {
    this.faults = faults;
    this.now = now;
  }

  /** When the last step ended, in nanoseconds since the epoch; empty before the first. */
  OptionalLong lastEnd() {
    return lastEnd == 0 ? OptionalLong.empty() : OptionalLong.of(lastEnd);
  }

  @Override
  public void take(RecordBlock record) throws RejectedFile {
    long totalSteps = record.integer(StepLayout.AT_TOTAL_STEPS);
    long totalTokens = record.integer(StepLayout.AT_TOTAL_TOKENS);
    long totalSamples = record.integer(StepLayout.AT_TOTAL_SAMPLES);
    double seconds = record.number(StepLayout.AT_DURATION);
    long start = record.integer(StepLayout.AT_START);
    if (totalSteps < 1 || totalTokens < 0 || totalSamples < 0) {
      faults.record(RecordFault.BAD_TOTALS);
    } else if (totalSteps <= steps || totalTokens < tokens || totalSamples < samples) {
      throw new RejectedFile(Rejection.TWO_WRITERS);
    } else if (!(seconds >= 0 && seconds <= LONGEST_STEP)) {
      faults.record(RecordFault.BAD_DURATION);
    } else if (start < LONG_AGO || start > now.getAsLong() + AHEAD) {
      faults.record(RecordFault.BAD_START);
    } else if (start < lastStart) {
      faults.record(RecordFault.CLOCK_BACK);
      lastStart = start;
      throughput.restart();
    } else {
      steps = totalSteps;
      tokens = totalTokens;
      samples = totalSamples;
      add(record, start, seconds);
    }
  }

  private void add(RecordBlock record, long start, double seconds) {
    lastStart = start;
    lastEnd = start + (long) (seconds * NANOS);
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
}
