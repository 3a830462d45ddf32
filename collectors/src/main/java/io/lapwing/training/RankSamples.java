package io.lapwing.training;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Metric;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Exposes one rank. Unknown values have no sample. */
record RankSamples(StepFile file, RankLabels labels, SampleSink sink) {

  private static final double NANOS = 1e9;
  private static final Phase[] PHASES = Phase.values();

  /**
   * @param gpuShare that the rank can use of its GPU; empty if unknown
   */
  void put(RankStats stats, long missed, RankContext context, OptionalDouble gpuShare) {
    sink.add(TrainingMetrics.INFO, labels.info, 1);
    putPhase(context.now().getAsLong());
    putWaiting();
    put(TrainingMetrics.FLOPS_PER_TOKEN, file.header().flopsPerToken());
    put(TrainingMetrics.MISSED, (double) missed);
    put(TrainingMetrics.STEPS, (double) stats.steps);
    put(TrainingMetrics.TOKENS, (double) stats.tokens);
    put(TrainingMetrics.SAMPLES, (double) stats.samples);
    putDurations(stats.durations);
    put(TrainingMetrics.STEP_SECONDS, stats.duration.get());
    put(TrainingMetrics.DATA_WAIT_SECONDS, stats.dataWait.get());
    put(TrainingMetrics.COMPUTE_SECONDS, stats.compute.get());
    put(TrainingMetrics.COMMUNICATION_WAIT_SECONDS, stats.communicationWait.get());
    put(TrainingMetrics.CHECKPOINT_SECONDS, stats.checkpoint.get());
    if (stats.lastEnd().isPresent()) {
      if (stats.lastStep >= 0) {
        put(TrainingMetrics.LAST_STEP, (double) stats.lastStep);
      }
      put(TrainingMetrics.LAST_STEP_TIME, stats.lastEnd().getAsLong() / NANOS);
    }
    put(TrainingMetrics.USUAL_STEP, stats.durations.usual());
    put(TrainingMetrics.LOSS, stats.loss.get());
    put(TrainingMetrics.GRADIENT_NORM, stats.gradientNorm.get());
    put(TrainingMetrics.LEARNING_RATE, stats.learningRate.get());
    putSpeed(
        stats.throughput.tokensPerSecond(context.now().getAsLong()),
        precision -> part(context.peaks().of(precision), gpuShare));
  }

  private void putPhase(long now) {
    Phase current = file.phase();
    for (int i = 0; i < PHASES.length; i++) {
      sink.add(TrainingMetrics.PHASE, labels.phases.get(i), PHASES[i] == current ? 1 : 0);
    }
    long since = file.phaseSince();
    if (since > 0 && since <= now) {
      put(TrainingMetrics.PHASE_TIME, since / NANOS);
    }
  }

  void put(DurableCheckpoint.State checkpoint) {
    put(TrainingMetrics.LAST_CHECKPOINT, checkpoint.step(), 1);
    put(TrainingMetrics.UNSAVED_SINCE, checkpoint.unsaved(), NANOS);
    if (checkpoint.durable().isPresent()) {
      sink.add(
          TrainingMetrics.LAST_CHECKPOINT_TIME,
          labels.reporter(checkpoint.reporter()),
          checkpoint.durable().getAsLong() / NANOS);
    }
  }

  private void put(Metric metric, OptionalLong value, double unit) {
    if (value.isPresent()) {
      put(metric, value.getAsLong() / unit);
    }
  }

  private void putWaiting() {
    Optional<Boolean> waiting = file.waiting();
    if (waiting.isPresent()) {
      put(TrainingMetrics.WAITING, waiting.get() ? 1 : 0);
      put(TrainingMetrics.WAITING_TIME, file.waitingSince() / NANOS);
    }
    String frame = file.frame();
    if (!frame.isEmpty()) {
      sink.add(TrainingMetrics.FRAME, labels.frame(frame), 1);
    }
  }

  private void putDurations(StepDurations durations) {
    long upTo = 0;
    for (int bucket = 0; bucket < labels.buckets.size(); bucket++) {
      upTo += durations.in(bucket);
      sink.add(TrainingMetrics.STEP_DURATION, labels.buckets.get(bucket), (double) upTo);
    }
    put(TrainingMetrics.STEP_DURATION_COUNT, (double) durations.seen());
    put(TrainingMetrics.STEP_DURATION_SUM, durations.sum());
  }

  private static OptionalDouble part(OptionalDouble peak, OptionalDouble share) {
    return peak.isPresent() && share.isPresent()
        ? OptionalDouble.of(peak.getAsDouble() * share.getAsDouble())
        : OptionalDouble.empty();
  }

  private void putSpeed(OptionalDouble tokensPerSecond, PeakFlops peaks) {
    OptionalDouble perToken = file.header().flopsPerToken();
    put(TrainingMetrics.TOKENS_PER_SECOND, tokensPerSecond);
    if (tokensPerSecond.isPresent() && perToken.isPresent()) {
      PeakFlops.Precision.of(file.header().precision())
          .map(peaks::of)
          .filter(peak -> peak.isPresent() && peak.getAsDouble() > 0)
          .ifPresent(
              peak ->
                  put(
                      TrainingMetrics.MFU,
                      perToken.getAsDouble() * tokensPerSecond.getAsDouble() / peak.getAsDouble()));
    }
  }

  private void put(Metric metric, OptionalDouble value) {
    if (value.isPresent()) {
      put(metric, value.getAsDouble());
    }
  }

  private void put(Metric metric, double value) {
    // A product of reported values may overflow.
    if (Double.isFinite(value)) {
      sink.add(metric, labels.base, value);
    }
  }
}
