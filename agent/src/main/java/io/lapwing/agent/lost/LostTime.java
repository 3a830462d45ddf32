package io.lapwing.agent.lost;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
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
public final class LostTime {

  private static final Duration STRETCH = Duration.ofMinutes(1);

  /** Fewer ranks of a job on this node have no median to be held against. */
  private static final int LEAST_RANKS = 3;

  private static final StorageWitness STORAGE = new StorageWitness();
  private static final NetworkWitness NETWORK = new NetworkWitness();
  private static final HostWitness HOST = new HostWitness();
  private static final GpuWitness GPU = new GpuWitness();
  private static final List<Witness> WITNESSES = List.of(STORAGE, NETWORK, HOST, GPU);

  private final Map<String, FollowedRank> ranks = new LinkedHashMap<>();
  private Instant marked = Instant.MIN;
  private Slowness slowness = Slowness.NONE;

  /** The families of which it takes values, or whose increase it asks for. */
  public static Stream<Metric> needs() {
    return Stream.concat(
        FollowedRank.NEEDS.stream(),
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
  public Slowness look(NodeView view, List<Finding> findings) {
    boolean changed = follow(view);
    if (view.now().isBefore(marked) || marked.equals(Instant.MIN)) {
      ranks.values().forEach(FollowedRank::take);
      marked = view.now();
    }
    if (!view.now().isBefore(marked.plus(STRETCH))) {
      marked = view.now();
      slowness = new Slowness(explained(new Scene(view, findings)), totals());
    } else if (changed) {
      slowness = new Slowness(slowness.ranks().stream().filter(this::isThere).toList(), totals());
    }
    return slowness;
  }

  /** Whether a rank came or went. */
  private boolean follow(NodeView view) {
    Map<String, PartNow> now = new LinkedHashMap<>();
    view.parts(FollowedRank.KIND).stream()
        .filter(PartNow::answers)
        .forEach(part -> now.put(part.name(), part));
    boolean changed = ranks.keySet().retainAll(now.keySet());
    for (PartNow part : now.values()) {
      FollowedRank known = ranks.get(part.name());
      if (known == null || !known.labels().equals(part.labels())) {
        ranks.put(part.name(), new FollowedRank(part));
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
    return ranks.values().stream().flatMap(FollowedRank::totals).toList();
  }

  private List<Slowness.Rank> explained(Scene scene) {
    Map<FollowedRank, RankTime> times = new LinkedHashMap<>();
    ranks.values().forEach(rank -> rank.take().ifPresent(time -> times.put(rank, time)));
    List<Sign> ofNode =
        times.isEmpty()
            ? List.of()
            : Stream.of(STORAGE.signs(scene), NETWORK.signs(scene), HOST.signs(scene))
                .flatMap(List::stream)
                .toList();
    Map<FollowedRank, List<Loss>> alone = new HashMap<>();
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
          Sentence.of(rank, time, losses).ifPresent(said::add);
        });
    said.sort(Comparator.comparingDouble(Slowness.Rank::lost).reversed());
    return said;
  }

  private static List<Loss> losses(
      FollowedRank rank,
      Map<FollowedRank, RankTime> times,
      List<Sign> ofNode,
      Scene scene,
      Optional<Loss> peer) {
    List<Sign> signs = new ArrayList<>(ofNode);
    Optional<GpuNow> gpu = gpu(rank, scene);
    gpu.ifPresent(one -> signs.addAll(GPU.signs(one, siblings(rank, times, scene), scene)));
    OptionalDouble siblingsCompute = siblingsCompute(rank, times);
    return Losses.of(
        times.getOrDefault(rank, RankTime.NONE),
        new Losses.Known(rank.usual(), siblingsCompute, signs, peer));
  }

  private static Optional<GpuNow> gpu(FollowedRank rank, Scene scene) {
    return scene.view().gpu(rank.uuid()).filter(one -> one.state() == GpuNow.State.ANSWERS);
  }

  private static Stream<FollowedRank> ofJob(FollowedRank rank, Map<FollowedRank, RankTime> times) {
    return times.keySet().stream().filter(one -> one.job().equals(rank.job()));
  }

  private static List<GpuNow> siblings(
      FollowedRank rank, Map<FollowedRank, RankTime> times, Scene scene) {
    return ofJob(rank, times)
        .filter(one -> !one.uuid().equals(rank.uuid()))
        .flatMap(one -> gpu(one, scene).stream())
        .distinct()
        .toList();
  }

  private static OptionalDouble siblingsCompute(
      FollowedRank rank, Map<FollowedRank, RankTime> times) {
    double[] each =
        ofJob(rank, times)
            .flatMapToDouble(
                one -> times.getOrDefault(one, RankTime.NONE).each(Portion.COMPUTE).stream())
            .sorted()
            .toArray();
    return each.length < LEAST_RANKS ? OptionalDouble.empty() : OptionalDouble.of(Medians.of(each));
  }

  /** The rank of the same job on this node for which the others wait most, if it is another. */
  private static Optional<Loss> worstPeer(FollowedRank rank, Map<FollowedRank, List<Loss>> alone) {
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
