package io.lapwing.agent.attribution;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Slowness;
import io.lapwing.metric.Metric;
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
import java.util.stream.Stream;

/**
 * Looks once a minute at what the ranks on this node spent their steps with, and says what they
 * lost and to what. Used by one thread.
 */
public final class StepTimeAttribution {

  private static final Duration STRETCH = Duration.ofMinutes(1);

  /** Fewer ranks of a job on this node have no median to be held against. */
  private static final int LEAST_RANKS = 3;

  private static final StorageEvidence STORAGE = new StorageEvidence();
  private static final NetworkEvidence NETWORK = new NetworkEvidence();
  private static final HostEvidence HOST = new HostEvidence();
  private static final GpuEvidence GPU = new GpuEvidence();
  private static final List<EvidenceSource> WITNESSES = List.of(STORAGE, NETWORK, HOST, GPU);

  private final Map<String, TrackedRank> ranks = new LinkedHashMap<>();
  private Instant marked = Instant.MIN;
  private Slowness slowness = Slowness.NONE;

  /** The families of which it takes values, or whose increase it asks for. */
  public static Stream<Metric> needs() {
    return Stream.concat(
        TrackedRank.NEEDS.stream(),
        WITNESSES.stream()
            .flatMap(one -> Stream.concat(one.reads().stream(), one.trends().stream())));
  }

  /** The counters whose increase it asks for, by what has them. */
  public static Map<String, List<Metric>> trends() {
    Map<String, List<Metric>> byKind = new HashMap<>();
    WITNESSES.forEach(one -> byKind.put(one.kind(), one.trends()));
    return byKind;
  }

  /** What training loses time to; another answer than before once a minute. */
  public Slowness look(NodeSnapshot view, List<Finding> findings) {
    boolean changed = follow(view);
    if (view.now().isBefore(marked) || marked.equals(Instant.MIN)) {
      ranks.values().forEach(TrackedRank::take);
      marked = view.now();
    }
    if (!view.now().isBefore(marked.plus(STRETCH))) {
      marked = view.now();
      slowness = new Slowness(explained(new NodeContext(view, findings)), totals());
    } else if (changed) {
      slowness = new Slowness(slowness.ranks().stream().filter(this::isThere).toList(), totals());
    }
    return slowness;
  }

  /** Whether a rank came or went. */
  private boolean follow(NodeSnapshot view) {
    Map<String, PartStatus> now = new LinkedHashMap<>();
    view.parts(TrackedRank.KIND).stream()
        .filter(PartStatus::answers)
        .forEach(part -> now.put(part.name(), part));
    boolean changed = ranks.keySet().retainAll(now.keySet());
    for (PartStatus part : now.values()) {
      TrackedRank known = ranks.get(part.name());
      if (known == null || !known.labels().equals(part.labels())) {
        ranks.put(part.name(), new TrackedRank(part));
        changed = true;
      } else {
        known.see(part);
      }
    }
    return changed;
  }

  private boolean isThere(Slowness.Rank rank) {
    return ranks.values().stream().anyMatch(one -> one.subject().equals(rank.subject()));
  }

  private List<Slowness.Total> totals() {
    return ranks.values().stream().flatMap(TrackedRank::totals).toList();
  }

  private List<Slowness.Rank> explained(NodeContext scene) {
    Map<TrackedRank, RankTime> times = new LinkedHashMap<>();
    ranks.values().forEach(rank -> rank.take().ifPresent(time -> times.put(rank, time)));
    List<Evidence> ofNode =
        times.isEmpty()
            ? List.of()
            : Stream.of(STORAGE.signs(scene), NETWORK.signs(scene), HOST.signs(scene))
                .flatMap(List::stream)
                .toList();
    Map<TrackedRank, List<Loss>> alone = new HashMap<>();
    times.forEach(
        (rank, time) -> alone.put(rank, losses(rank, times, ofNode, scene, Optional.empty())));
    List<Slowness.Rank> said = new ArrayList<>();
    times.forEach(
        (rank, time) -> {
          Optional<Loss> peer = worstPeer(rank, alone);
          List<Loss> losses =
              peer.isEmpty()
                  ? alone.getOrDefault(rank, List.of())
                  : losses(rank, times, ofNode, scene, peer);
          rank.note(time, losses);
          LossText.of(rank, time, losses).ifPresent(said::add);
        });
    said.sort(Comparator.comparingDouble(Slowness.Rank::lost).reversed());
    return said;
  }

  private static List<Loss> losses(
      TrackedRank rank,
      Map<TrackedRank, RankTime> times,
      List<Evidence> ofNode,
      NodeContext scene,
      Optional<Loss> peer) {
    List<Evidence> signs = new ArrayList<>(ofNode);
    Optional<GpuStatus> gpu = gpu(rank, scene);
    gpu.ifPresent(one -> signs.addAll(GPU.signs(one, siblings(rank, times, scene), scene)));
    OptionalDouble siblingsCompute = siblingsCompute(rank, times);
    return Losses.of(
        times.getOrDefault(rank, RankTime.NONE),
        new Losses.Known(rank.usual(), siblingsCompute, signs, peer));
  }

  private static Optional<GpuStatus> gpu(TrackedRank rank, NodeContext scene) {
    return scene.view().gpu(rank.uuid()).filter(one -> one.answers());
  }

  private static Stream<TrackedRank> ofJob(TrackedRank rank, Map<TrackedRank, RankTime> times) {
    return times.keySet().stream().filter(one -> one.job().equals(rank.job()));
  }

  private static List<GpuStatus> siblings(
      TrackedRank rank, Map<TrackedRank, RankTime> times, NodeContext scene) {
    return ofJob(rank, times)
        .filter(one -> !one.uuid().equals(rank.uuid()))
        .flatMap(one -> gpu(one, scene).stream())
        .distinct()
        .toList();
  }

  private static OptionalDouble siblingsCompute(
      TrackedRank rank, Map<TrackedRank, RankTime> times) {
    double[] each =
        ofJob(rank, times)
            .flatMapToDouble(
                one -> times.getOrDefault(one, RankTime.NONE).each(Portion.COMPUTE).stream())
            .sorted()
            .toArray();
    return each.length < LEAST_RANKS ? OptionalDouble.empty() : OptionalDouble.of(Medians.of(each));
  }

  /** The rank of the same job on this node for which the others wait most, if it is another. */
  private static Optional<Loss> worstPeer(TrackedRank rank, Map<TrackedRank, List<Loss>> alone) {
    return alone.entrySet().stream()
        .filter(one -> !one.getKey().equals(rank) && one.getKey().job().equals(rank.job()))
        .flatMap(
            one ->
                one.getValue().stream()
                    .filter(loss -> loss.portion() != Portion.COMMUNICATION)
                    .map(loss -> loss.of(one.getKey().text())))
        .max(Comparator.comparingDouble(Loss::seconds));
  }
}
