package io.lapwing.agent.attribution;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Slowness;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Attributes the lost step time of the ranks to causes, once a minute. Not thread-safe. */
public final class StepTimeAttribution {

  private static final Duration INTERVAL = Duration.ofMinutes(1);

  /** With fewer ranks of a pipeline stage of a job on this node there is no sibling comparison. */
  private static final int MIN_RANKS = 3;

  private static final StorageEvidence STORAGE = new StorageEvidence();
  private static final NetworkEvidence NETWORK = new NetworkEvidence();
  private static final HostEvidence HOST = new HostEvidence();
  private static final GpuEvidence GPU = new GpuEvidence();
  private static final List<Evidence.Inputs> INPUTS =
      List.of(
          StorageEvidence.INPUTS,
          NetworkEvidence.INPUTS,
          HostEvidence.INPUTS,
          GpuEvidence.INPUTS,
          ProcessEvidence.INPUTS);

  private final Map<String, TrackedRank> ranks = new LinkedHashMap<>();
  private Instant lastEvaluation = Instant.MIN;
  private Slowness slowness = Slowness.NONE;

  /** The families whose values or increases are used. */
  public static Stream<Metric> needs() {
    return Stream.concat(
        TrackedRank.NEEDS.stream(),
        INPUTS.stream().flatMap(one -> Stream.concat(one.reads().stream(), one.trends().stream())));
  }

  /** The counters whose increase is used, by kind of part. */
  public static Map<String, List<Metric>> trends() {
    Map<String, List<Metric>> byKind = new HashMap<>();
    INPUTS.forEach(one -> byKind.put(one.kind(), one.trends()));
    return byKind;
  }

  /** The current losses; updated once a minute. */
  public Slowness evaluate(NodeSnapshot view, List<Finding> findings) {
    boolean changed = updateRanks(view);
    if (view.now().isBefore(lastEvaluation) || lastEvaluation.equals(Instant.MIN)) {
      ranks.values().forEach(TrackedRank::take);
      lastEvaluation = view.now();
    }
    if (!view.now().isBefore(lastEvaluation.plus(INTERVAL))) {
      lastEvaluation = view.now();
      slowness = new Slowness(evaluateRanks(new NodeContext(view, findings)), totals());
    } else if (changed) {
      slowness = new Slowness(slowness.ranks().stream().filter(this::isPresent).toList(), totals());
    }
    return slowness;
  }

  /** Returns whether a rank appeared or disappeared. */
  private boolean updateRanks(NodeSnapshot view) {
    Map<String, PartStatus> now = new LinkedHashMap<>();
    view.parts(TrackedRank.KIND).stream()
        .filter(PartStatus::answers)
        .filter(TrackedRank::isVerified)
        .forEach(part -> now.put(part.name(), part));
    boolean changed = ranks.keySet().retainAll(now.keySet());
    for (PartStatus part : now.values()) {
      TrackedRank known = ranks.get(part.name());
      if (known == null || !known.labels().equals(part.labels())) {
        ranks.put(part.name(), new TrackedRank(part));
        changed = true;
      } else {
        known.update(part);
      }
    }
    return changed;
  }

  private boolean isPresent(Slowness.Rank rank) {
    return ranks.values().stream().anyMatch(one -> one.subject().equals(rank.subject()));
  }

  private List<Slowness.Total> totals() {
    return ranks.values().stream().flatMap(TrackedRank::totals).toList();
  }

  private List<Slowness.Rank> evaluateRanks(NodeContext context) {
    Map<TrackedRank, RankTime> times = new LinkedHashMap<>();
    ranks.values().forEach(rank -> rank.take().ifPresent(time -> times.put(rank, time)));
    List<Evidence> nodeEvidence =
        times.isEmpty()
            ? List.of()
            : Stream.of(
                    STORAGE.evidence(context), NETWORK.evidence(context), HOST.evidence(context))
                .flatMap(List::stream)
                .toList();
    Map<TrackedRank, List<Losses.Loss>> ownLosses = new HashMap<>();
    times.forEach(
        (rank, time) ->
            ownLosses.put(rank, losses(rank, times, nodeEvidence, context, Optional.empty())));
    List<Slowness.Rank> results = new ArrayList<>();
    times.forEach(
        (rank, time) -> {
          Optional<Losses.Loss> peer = worstPeer(rank, ownLosses);
          List<Losses.Loss> losses =
              peer.isEmpty()
                  ? ownLosses.getOrDefault(rank, List.of())
                  : losses(rank, times, nodeEvidence, context, peer);
          rank.add(time, losses);
          LossText.of(rank, time, losses).ifPresent(results::add);
        });
    results.sort(Comparator.comparingDouble(Slowness.Rank::lost).reversed());
    return results;
  }

  private static List<Losses.Loss> losses(
      TrackedRank rank,
      Map<TrackedRank, RankTime> times,
      List<Evidence> nodeEvidence,
      NodeContext context,
      Optional<Losses.Loss> peer) {
    List<Evidence> evidence = new ArrayList<>(nodeEvidence);
    Optional<GpuStatus> gpu = gpu(rank, context);
    gpu.ifPresent(
        one ->
            evidence.addAll(
                GPU.evidence(one, rank.instance(), siblings(rank, times, context), context)));
    List<String> others =
        siblingRanks(rank, times).filter(one -> one != rank).map(TrackedRank::key).toList();
    ProcessEvidence.of(rank.key(), others, context).ifPresent(evidence::add);
    return Losses.of(
        times.getOrDefault(rank, RankTime.NONE),
        new Losses.Context(rank.baseline(), siblings(rank, times), evidence, peer));
  }

  private static Optional<GpuStatus> gpu(TrackedRank rank, NodeContext context) {
    return context.view().gpu(rank.uuid()).filter(one -> one.answers());
  }

  /** With the rank itself. */
  private static Stream<TrackedRank> siblingRanks(
      TrackedRank rank, Map<TrackedRank, RankTime> times) {
    return times.keySet().stream().filter(one -> one.isSiblingOf(rank));
  }

  private static List<GpuStatus> siblings(
      TrackedRank rank, Map<TrackedRank, RankTime> times, NodeContext context) {
    return siblingRanks(rank, times)
        .filter(one -> !one.uuid().equals(rank.uuid()))
        .flatMap(one -> gpu(one, context).stream())
        .distinct()
        .toList();
  }

  /** Median seconds per step of the ranks of its job and pipeline stage. */
  private static Map<Portion, Double> siblings(TrackedRank rank, Map<TrackedRank, RankTime> times) {
    Map<Portion, Double> medians = new EnumMap<>(Portion.class);
    for (Portion portion : Portion.values()) {
      double[] each =
          siblingRanks(rank, times)
              .flatMapToDouble(one -> times.getOrDefault(one, RankTime.NONE).each(portion).stream())
              .sorted()
              .toArray();
      if (each.length >= MIN_RANKS) {
        medians.put(portion, Median.of(each));
      }
    }
    return medians;
  }

  /** The largest loss of another rank of the same job on this node. */
  private static Optional<Losses.Loss> worstPeer(
      TrackedRank rank, Map<TrackedRank, List<Losses.Loss>> ownLosses) {
    return ownLosses.entrySet().stream()
        .filter(one -> !one.getKey().equals(rank) && one.getKey().job().equals(rank.job()))
        .flatMap(
            one ->
                one.getValue().stream()
                    .filter(loss -> loss.portion() != Portion.COMMUNICATION)
                    .map(loss -> loss.waitingFor(one.getKey().text())))
        .max(Comparator.comparingDouble(Losses.Loss::seconds));
  }

  static final class LossText {

    private LossText() {}

    /** Empty if nothing was lost. */
    static Optional<Slowness.Rank> of(TrackedRank rank, RankTime time, List<Losses.Loss> losses) {
      Map<Cause, Double> byCause = Losses.byCause(losses);
      return byCause.entrySet().stream()
          .max(Map.Entry.comparingByValue())
          .map(
              largest ->
                  new Slowness.Rank(
                      rank.subject(),
                      largest.getKey().text(),
                      rounded(largest.getValue()),
                      rounded(time.seconds()),
                      sentence(rank, time, largest.getKey(), losses)));
    }

    private static double rounded(double seconds) {
      return Math.round(seconds * 1000) / 1000.0;
    }

    private static String sentence(
        TrackedRank rank, RankTime time, Cause cause, List<Losses.Loss> losses) {
      List<Losses.Loss> matching =
          losses.stream()
              .filter(loss -> loss.cause() == cause)
              .sorted(Comparator.comparingDouble(Losses.Loss::seconds).reversed())
              .toList();
      double seconds = matching.stream().mapToDouble(Losses.Loss::seconds).sum();
      return String.format(
          Locale.ROOT,
          "%s%s lost %.1f s of %.1f s of steps to %s: %s",
          rank.text(),
          rank.gpu().isEmpty() ? "" : " (GPU " + rank.gpu() + ")",
          seconds,
          time.seconds(),
          matching.get(0).waitedFor().orElse(cause.words()),
          matching.stream().map(LossText::clause).collect(Collectors.joining("; ")));
    }

    private static String clause(Losses.Loss loss) {
      return loss.evidence()
          .map(evidence -> loss.timing() + ", and " + evidence)
          .orElseGet(() -> loss.timing() + "; no further evidence on this node");
    }
  }
}
