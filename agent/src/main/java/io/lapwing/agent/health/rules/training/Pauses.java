package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.metric.Metric;
import io.lapwing.training.ProcessState;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the ranks of a job do between their steps, and which of them may wait for it: rank 0 saves,
 * and the others are in a barrier; one rank has no more data, and enters the collectives of the
 * others.
 *
 * @param ranks of one job on this node
 */
record Pauses(List<RankStatus> ranks, NodeSnapshot view, RulePolicy policy) {

  static final List<Metric> READS =
      List.of(
          TrainingMetrics.PHASE,
          TrainingMetrics.PHASE_TIME,
          TrainingMetrics.LAST_STEP,
          TrainingMetrics.USUAL_STEP,
          TrainingMetrics.WAITING_TIME,
          TrainingMetrics.PROCESS_STATE);

  static boolean isIn(RankStatus rank, String phase) {
    return rank.part().values().isSet(TrainingMetrics.PHASE, phase);
  }

  private static boolean isSaving(RankStatus rank) {
    return isIn(rank, "checkpoint") || isIn(rank, "evaluation");
  }

  /** Without a step for so long, a rank that is in no pause is stalled. */
  private double usual(RankStatus rank, String floor) {
    double steps = policy.threshold(TrainingStall.TIMES) * rank.value(TrainingMetrics.USUAL_STEP);
    return Double.isNaN(steps) ? policy.threshold(floor) : Math.max(policy.threshold(floor), steps);
  }

  /** After which time without a step it is stalled. */
  double limit(RankStatus rank) {
    boolean pause = !isStopped(rank) && (isSaving(rank) || isBesideSteps(rank));
    return usual(rank, pause ? TrainingStall.PAUSE_FLOOR : TrainingStall.FLOOR);
  }

  private static boolean isStopped(RankStatus rank) {
    return rank.part().values().isSet(TrainingMetrics.PROCESS_STATE, ProcessState.STOPPED.text());
  }

  /** It may have no more steps while the others go on: they are no sign that it is stalled. */
  boolean isBesideSteps(RankStatus rank) {
    if (isStopped(rank)) {
      return false;
    }
    double moved = age(rank, TrainingMetrics.WAITING_TIME);
    return isIn(rank, "after_loop") || moved <= usual(rank, TrainingStall.FLOOR);
  }

  /**
   * Its loop is over, and no other rank waits for it: a script continues, or a notebook is open.
   */
  boolean isDone(RankStatus rank) {
    return isIn(rank, "after_loop") && ranks.size() == 1 && rank.worldSize() <= 1;
  }

  /** Whether it may wait for one that saves or evaluates, and that is not stalled itself. */
  boolean isHeld(RankStatus rank) {
    return others(rank)
        .filter(Pauses::isSaving)
        .anyMatch(other -> age(other, TrainingMetrics.PHASE_TIME) <= limit(other));
  }

  /** When the last of those that it may have waited for was back at its steps. */
  Optional<Instant> lastEnd(RankStatus rank) {
    return others(rank)
        .filter(other -> !isSaving(other) && !isIn(other, "after_loop"))
        .map(other -> other.value(TrainingMetrics.PHASE_TIME))
        .filter(time -> !Double.isNaN(time))
        .map(Pauses::instant)
        .max(Instant::compareTo);
  }

  /** Those that it may wait for: not if they are steps ahead, nor if it is stopped. */
  private Stream<RankStatus> others(RankStatus rank) {
    boolean stopped = isStopped(rank);
    double next = rank.value(TrainingMetrics.LAST_STEP) + 1;
    return ranks.stream()
        .filter(other -> !stopped && !other.equals(rank))
        .filter(other -> !(other.value(TrainingMetrics.LAST_STEP) > next));
  }

  /** In seconds; NaN if unknown. */
  private double age(RankStatus rank, Metric time) {
    double since = rank.value(time);
    return Double.isNaN(since) ? since : seconds(instant(since));
  }

  double seconds(Instant since) {
    return Duration.between(since, view.now()).toMillis() / 1e3;
  }

  static Instant instant(double seconds) {
    return Instant.ofEpochMilli((long) (seconds * 1e3));
  }
}
