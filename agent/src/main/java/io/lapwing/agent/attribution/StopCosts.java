package io.lapwing.agent.attribution;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.StopCost;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The cost of a stop of each job here now, from the verified ranks that report checkpoints. Of
 * several, the one with the oldest checkpoint counts, since a restart needs the parts of all.
 */
public final class StopCosts {

  /** More ranks than any cluster has GPUs. */
  private static final int MAX_RANKS = 10_000_000;

  private static final double MILLIS = 1000;

  /** After the UUID. */
  private static final int WORLD_SIZE = 1;

  private StopCosts() {}

  /** The families whose values are used. */
  public static Stream<Metric> needs() {
    return Stream.of(
        TrainingMetrics.INFO,
        TrainingMetrics.VERIFIED,
        TrainingMetrics.OWNER,
        TrainingMetrics.LAST_CHECKPOINT,
        TrainingMetrics.LAST_CHECKPOINT_TIME,
        TrainingMetrics.UNSAVED_SINCE);
  }

  /** Most expensive first; jobs that report no checkpoints are missing. */
  public static List<StopCost> of(NodeSnapshot view) {
    Map<List<String>, List<PartStatus>> jobs = new LinkedHashMap<>();
    Map<String, Integer> onGpu = new HashMap<>();
    view.parts(TrackedRank.KIND).stream()
        .filter(PartStatus::answers)
        .filter(TrackedRank::isVerified)
        .forEach(
            rank -> {
              jobs.computeIfAbsent(TrackedRank.job(rank), unseen -> new ArrayList<>()).add(rank);
              onGpu.merge(TrackedRank.uuid(rank), 1, Integer::sum);
            });
    return jobs.values().stream()
        .flatMap(
            ranks ->
                cost(ranks, ranks.stream().anyMatch(rank -> isShared(rank, onGpu)), view.now())
                    .stream())
        .sorted(Comparator.comparingDouble(StopCost::rankSeconds).reversed())
        .toList();
  }

  /** Whether it has a part of a GPU: a MIG instance, or one with other ranks. */
  private static boolean isShared(PartStatus rank, Map<String, Integer> onGpu) {
    String uuid = TrackedRank.uuid(rank);
    return !TrackedRank.instance(rank).isEmpty()
        || uuid.startsWith("MIG-")
        || (!uuid.isEmpty() && onGpu.getOrDefault(uuid, 0) > 1);
  }

  private static Optional<StopCost> cost(List<PartStatus> ranks, boolean shared, Instant now) {
    return ranks.stream()
        .filter(rank -> rank.values().get(TrainingMetrics.UNSAVED_SINCE).isPresent())
        .min(
            Comparator.comparingDouble(
                rank -> rank.values().get(TrainingMetrics.UNSAVED_SINCE).orElse(0)))
        .map(rank -> cost(rank, ranks, shared, now));
  }

  private static StopCost cost(
      PartStatus rank, List<PartStatus> ranks, boolean shared, Instant now) {
    Instant unsaved = instant(rank.values().get(TrainingMetrics.UNSAVED_SINCE).orElse(0));
    Duration lost = Duration.between(unsaved, now);
    OptionalDouble step = rank.values().get(TrainingMetrics.LAST_CHECKPOINT);
    return new StopCost(
        TrackedRank.label(rank, "job_id"),
        TrackedRank.label(rank, "run"),
        step.isPresent() ? OptionalLong.of((long) step.getAsDouble()) : OptionalLong.empty(),
        rank.values().all(TrainingMetrics.LAST_CHECKPOINT_TIME).values().stream()
            .findFirst()
            .map(StopCosts::instant),
        unsaved,
        lost.isNegative() ? Duration.ZERO : lost,
        count(ranks),
        shared);
  }

  /** The largest world size of its ranks; without any as many as there are here. */
  private static int count(List<PartStatus> ranks) {
    return ranks.stream()
        .flatMap(rank -> rank.values().all(TrainingMetrics.INFO).keySet().stream())
        .filter(more -> more.size() > WORLD_SIZE)
        .mapToInt(more -> worldSize(more.get(WORLD_SIZE)))
        .reduce(ranks.size(), Math::max);
  }

  private static int worldSize(String text) {
    try {
      return Math.min(Math.max(0, Integer.parseInt(text)), MAX_RANKS);
    } catch (NumberFormatException unknown) {
      return 0;
    }
  }

  private static Instant instant(double seconds) {
    return Instant.ofEpochMilli(Math.round(seconds * MILLIS));
  }
}
