package io.lapwing.agent.attribution;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Subject;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The state of a rank between evaluations: last totals, baseline and accumulated losses. */
final class TrackedRank {

  static final String KIND = "training";

  private static final Map<Portion, Metric> PORTIONS =
      Map.of(
          Portion.INPUT, TrainingMetrics.DATA_WAIT_SECONDS,
          Portion.COMPUTE, TrainingMetrics.COMPUTE_SECONDS,
          Portion.COMMUNICATION, TrainingMetrics.COMMUNICATION_WAIT_SECONDS,
          Portion.CHECKPOINT, TrainingMetrics.CHECKPOINT_SECONDS);

  static final List<Metric> NEEDS =
      Stream.concat(
              Stream.of(
                  TrainingMetrics.STEPS,
                  TrainingMetrics.STEP_SECONDS,
                  TrainingMetrics.INFO,
                  TrainingMetrics.VERIFIED,
                  TrainingMetrics.OWNER),
              PORTIONS.values().stream())
          .toList();

  /** The counters of a rank's file. */
  private record Totals(double steps, double seconds, Map<Portion, Double> portions) {

    static Totals of(PartStatus part) {
      Map<Portion, Double> portions = new EnumMap<>(Portion.class);
      PORTIONS.forEach(
          (portion, metric) ->
              part.values().get(metric).ifPresent(seconds -> portions.put(portion, seconds)));
      return new Totals(
          part.values().get(TrainingMetrics.STEPS).orElse(0),
          part.values().get(TrainingMetrics.STEP_SECONDS).orElse(0),
          portions);
    }

    /** The difference to an earlier reading; a missing portion counts as 0. */
    RankTime since(Totals before) {
      Map<Portion, Double> increase = new EnumMap<>(Portion.class);
      portions.forEach(
          (portion, now) ->
              increase.put(
                  portion, Math.max(0, now - before.portions().getOrDefault(portion, 0.0))));
      return RankTime.of(steps - before.steps(), seconds - before.seconds(), increase);
    }
  }

  private static final int STAGE = ofInfo("pp_rank");

  private static final int INSTANCE = ofInfo("GPU_I_ID");

  /** The parts that a rank can lose because of another one, without the network. */
  private static final List<Cause> OF_OTHERS =
      Stream.of(Cause.values()).filter(cause -> cause != Cause.NETWORK).toList();

  /** Index in {@link #job}; not empty if no other rank waits for this one. */
  private static final int ALONE = 3;

  private final String name;
  private final Labels labels;
  private final Map<Labels, Double> lost = new LinkedHashMap<>();
  private final Baseline baseline = new Baseline();
  private PartStatus part;
  private Totals before;

  TrackedRank(PartStatus part) {
    this.name = part.name();
    this.labels = part.labels();
    this.part = part;
    this.before = Totals.of(part);
    for (Cause cause : Cause.values()) {
      lost.put(ofOwn(cause), 0.0);
    }
    if (job().get(ALONE).isEmpty()) {
      OF_OTHERS.forEach(cause -> lost.put(ofOther(cause), 0.0));
    }
  }

  void update(PartStatus now) {
    part = now;
  }

  Labels labels() {
    return labels;
  }

  /** As in {@link io.lapwing.agent.health.Trends#increase}. */
  String key() {
    return part.key();
  }

  String subject() {
    return new Subject.Part(KIND, name).text();
  }

  /** {@code rank 3 of job 4711}. */
  String text() {
    return new Subject.Part(KIND, name).words();
  }

  /** Whether the kernel confirms who it is; any user may claim any rank. */
  static boolean isVerified(PartStatus part) {
    return part.values().get(TrainingMetrics.VERIFIED).orElse(0) == 1;
  }

  /** With its owner: two users may use one name. Loops without a launcher work alone. */
  List<String> job() {
    return job(part);
  }

  static List<String> job(PartStatus part) {
    double owner = part.values().get(TrainingMetrics.OWNER).orElse(-1);
    boolean alone = label(part, "rank").isEmpty() || info(part, 1).equals("1");
    return List.of(
        label(part, "job_id"),
        label(part, "run"),
        Double.toString(owner),
        alone ? part.name() : "");
  }

  /** Whether they do the same work: stages of a pipeline do not. */
  boolean isSiblingOf(TrackedRank other) {
    return job().equals(other.job()) && info(part, STAGE).equals(info(other.part, STAGE));
  }

  /** The NVML index of its GPU; empty if unknown. */
  String gpu() {
    return label(part, "gpu");
  }

  static String label(PartStatus part, String label) {
    int at = part.labels().names().indexOf(label);
    return at < 0 ? "" : part.labels().values().get(at);
  }

  /** The UUID of its GPU; empty if unknown. */
  String uuid() {
    return uuid(part);
  }

  static String uuid(PartStatus part) {
    return info(part, 0);
  }

  /** The id of its MIG instance; empty on a whole GPU, and while unknown. */
  String instance() {
    return instance(part);
  }

  static String instance(PartStatus part) {
    return info(part, INSTANCE);
  }

  private static int ofInfo(String label) {
    return TrainingMetrics.INFO.labels().indexOf(label) - TrainingMetrics.STEPS.labels().size();
  }

  /**
   * Of the labels of the info series after those of all series: the UUID, the world size and more.
   */
  private static String info(PartStatus part, int index) {
    return part.values().all(TrainingMetrics.INFO).keySet().stream()
        .findFirst()
        .filter(more -> more.size() > index)
        .map(more -> more.get(index))
        .orElse("");
  }

  Baseline baseline() {
    return baseline;
  }

  /**
   * The time since the last call; empty if no step has completed, then the next call covers it too.
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

  void add(RankTime time, List<Losses.Loss> losses) {
    baseline.add(time);
    for (Losses.Loss loss : losses) {
      Labels of = loss.waitedFor().isEmpty() ? ofOwn(loss.cause()) : ofOther(loss.cause());
      lost.merge(of, loss.seconds(), Double::sum);
    }
  }

  Stream<Slowness.Total> totals() {
    return lost.entrySet().stream().map(one -> new Slowness.Total(one.getKey(), one.getValue()));
  }

  private Labels ofOwn(Cause cause) {
    return labels.with("cause", cause.text());
  }

  /** It waited for another rank: its own GPU is not the one that was slow. */
  private Labels ofOther(Cause cause) {
    List<String> values = new ArrayList<>(labels.values());
    int gpu = labels.names().indexOf("gpu");
    if (gpu >= 0) {
      values.set(gpu, "");
    }
    return new Labels(labels.names(), values).with("cause", cause.text());
  }
}
