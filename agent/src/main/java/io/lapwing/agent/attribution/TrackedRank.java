package io.lapwing.agent.attribution;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Subject;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A rank from one look to the next: its totals at the last mark, what is usual, what it lost. */
final class TrackedRank {

  static final String KIND = "training";

  private static final Map<Portion, Metric> TOLD =
      Map.of(
          Portion.INPUT, TrainingMetrics.DATA_WAIT_SECONDS,
          Portion.COMPUTE, TrainingMetrics.COMPUTE_SECONDS,
          Portion.COMMUNICATION, TrainingMetrics.COMMUNICATION_WAIT_SECONDS,
          Portion.CHECKPOINT, TrainingMetrics.CHECKPOINT_SECONDS);

  static final List<Metric> NEEDS =
      Stream.concat(
              Stream.of(TrainingMetrics.STEPS, TrainingMetrics.STEP_SECONDS, TrainingMetrics.INFO),
              TOLD.values().stream())
          .toList();

  /** What a rank's file has counted. */
  private record Totals(double steps, double seconds, Map<Portion, Double> told) {

    static Totals of(PartStatus part) {
      Map<Portion, Double> told = new EnumMap<>(Portion.class);
      TOLD.forEach(
          (portion, metric) ->
              part.values().get(metric).ifPresent(seconds -> told.put(portion, seconds)));
      return new Totals(
          part.values().get(TrainingMetrics.STEPS).orElse(0),
          part.values().get(TrainingMetrics.STEP_SECONDS).orElse(0),
          told);
    }

    /** What came since; a portion that was not told before came from nothing. */
    RankTime since(Totals before) {
      Map<Portion, Double> grown = new EnumMap<>(Portion.class);
      told.forEach(
          (portion, now) ->
              grown.put(portion, Math.max(0, now - before.told().getOrDefault(portion, 0.0))));
      return RankTime.of(steps - before.steps(), seconds - before.seconds(), grown);
    }
  }

  private final String name;
  private final Labels labels;
  private final Map<Cause, Labels> ofCause = new EnumMap<>(Cause.class);
  private final Map<Cause, Double> lost = new EnumMap<>(Cause.class);
  private final Baseline usual = new Baseline();
  private PartStatus part;
  private Totals before;

  TrackedRank(PartStatus part) {
    this.name = part.name();
    this.labels = part.labels();
    this.part = part;
    this.before = Totals.of(part);
    for (Cause cause : Cause.values()) {
      ofCause.put(cause, labels.with("cause", cause.text()));
      lost.put(cause, 0.0);
    }
  }

  void see(PartStatus now) {
    part = now;
  }

  Labels labels() {
    return labels;
  }

  String subject() {
    return new Subject.Part(KIND, name).text();
  }

  /** {@code rank 3 of job 4711}. */
  String text() {
    return new Subject.Part(KIND, name).words();
  }

  /** What its job's ranks have in common. */
  List<String> job() {
    return List.of(label("job_id"), label("run"));
  }

  /** NVML's index of its GPU; empty where unknown. */
  String gpu() {
    return label("gpu");
  }

  private String label(String label) {
    int at = labels.names().indexOf(label);
    return at < 0 ? "" : labels.values().get(at);
  }

  /** Of its GPU; empty where unknown. */
  String uuid() {
    return part.values().all(TrainingMetrics.INFO).keySet().stream()
        .findFirst()
        .filter(more -> !more.isEmpty())
        .map(more -> more.get(0))
        .orElse("");
  }

  Baseline usual() {
    return usual;
  }

  /**
   * What was done since the last mark, and sets the mark here; empty while no step ended, and then
   * the mark stays.
   */
  Optional<RankTime> take() {
    Totals now = Totals.of(part);
    if (now.steps() < before.steps() || now.seconds() < before.seconds()) {
      before = now;
      return Optional.empty();
    }
    if (now.steps() == before.steps()) {
      return Optional.empty();
    }
    RankTime time = now.since(before);
    before = now;
    return Optional.of(time);
  }

  void note(RankTime time, List<Loss> losses) {
    usual.note(time);
    losses.forEach(loss -> lost.merge(loss.cause(), loss.seconds(), Double::sum));
  }

  Stream<Slowness.Total> totals() {
    return Stream.of(Cause.values())
        .map(
            cause ->
                new Slowness.Total(
                    ofCause.getOrDefault(cause, labels), lost.getOrDefault(cause, 0.0)));
  }
}
