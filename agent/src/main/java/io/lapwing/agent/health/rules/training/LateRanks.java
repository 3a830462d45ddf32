package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.agent.health.rules.nccl.RingRank;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Ranks that enter collectives after the others of this node, by the rings of NCCL's profiler
 * plugin. What counts is what a rank is late by itself: by how much it is later than the median of
 * the communicator, without what it waited for others in its other communicators meanwhile. A rank
 * that is late in data parallelism because it waited for another one in tensor parallelism has
 * none.
 */
final class LateRanks {

  static final List<Metric> READS =
      Stream.concat(RingRank.READS.stream(), Stream.of(RingMetrics.COMPARED)).toList();

  static final List<Metric> TRENDS =
      List.of(RingMetrics.LATE, RingMetrics.WAIT, RingMetrics.COMPARED, RingMetrics.TIMED);

  /**
   * Of the threshold. Uneven work moves from rank to rank: a rank is late in each part of the time,
   * or it is not slow.
   */
  private static final double IN_EACH = 0.5;

  /** Of the greater lateness, by which two differ that may have one cause. */
  private static final double ALIKE = 0.2;

  /** With collectives: a part may be without any, as while the program loads. */
  private static final int LEAST_PARTS = 2;

  private static final String WHY =
      "Collectives of all other ranks wait for it. Its GPU may be slower, its share of the work larger, or its process held up by its loader or by other programs; these figures cannot distinguish these.";

  private LateRanks() {}

  /** The pids of the processes whose collectives are compared with others of this node. */
  static Set<String> compared(NodeSnapshot view) {
    Map<List<String>, Double> counts = RingRank.values(view).all(RingMetrics.COMPARED);
    return counts.isEmpty()
        ? Set.of()
        : RingRank.all(view).stream()
            .filter(rank -> counts.getOrDefault(rank.labels(), 0.0) > 0)
            .map(RingRank::pid)
            .collect(Collectors.toSet());
  }

  static List<Detection> slow(NodeSnapshot view, RulePolicy policy) {
    if (RingRank.values(view).all(RingMetrics.COMPARED).isEmpty()) {
      return List.of();
    }
    Map<List<String>, List<Lateness>> communicators = new LinkedHashMap<>();
    for (RingRank rank : RingRank.all(view)) {
      Lateness.of(rank, view)
          .ifPresent(
              late ->
                  communicators
                      .computeIfAbsent(
                          List.of(rank.owner(), rank.comm()), unseen -> new ArrayList<>())
                      .add(late));
    }
    Map<List<String>, List<Relative>> processes = new LinkedHashMap<>();
    communicators.values().stream()
        .filter(members -> members.size() > 1)
        .forEach(
            members ->
                members.forEach(
                    one ->
                        processes
                            .computeIfAbsent(
                                List.of(one.rank().owner(), one.rank().pid()),
                                unseen -> new ArrayList<>())
                            .add(Relative.of(one, members))));
    return detections(
        processes.values().stream().flatMap(of -> slow(of, policy).stream()).toList(),
        view,
        policy);
  }

  /**
   * Stages of a pipeline wait for each other in receives, which are not recorded: if one is slow,
   * all ranks of its replica are equally late, each in a communicator of its own.
   */
  private static List<Detection> detections(
      List<Relative> late, NodeSnapshot view, RulePolicy policy) {
    List<Detection> found = new ArrayList<>();
    Map<List<String>, List<Relative>> alike = new LinkedHashMap<>();
    for (Relative one : late) {
      RingRank rank = one.own().rank();
      if (late.stream().anyMatch(one::isLateAs)) {
        alike
            .computeIfAbsent(List.of(rank.owner(), rank.job()), unseen -> new ArrayList<>())
            .add(one);
      } else {
        found.add(detection(one, view, policy));
      }
    }
    alike.values().forEach(ranks -> found.addAll(ofOneCause(ranks, view, policy)));
    return found;
  }

  /** Those whose GPU has a sign of its own; the job, if none has. */
  private static List<Detection> ofOneCause(
      List<Relative> ranks, NodeSnapshot view, RulePolicy policy) {
    List<Detection> suspected =
        ranks.stream()
            .map(one -> detection(one, view, policy))
            .filter(one -> one.disposition().severity() != Severity.INFO)
            .toList();
    if (!suspected.isEmpty()) {
      return suspected;
    }
    Lateness first = ranks.get(0).own();
    List<String> names =
        ranks.stream()
            .map(one -> one.own().rank().name())
            .map(name -> name.substring(name.indexOf('/') + 1))
            .toList();
    Duration covered = Duration.ofSeconds(Math.round(first.seconds()));
    return List.of(
        policy
            .detection(
                new Subject.Part(TrainingSource.KIND, first.rank().job()),
                "%s are late alike, in different communicators: others waited for them in %s of the last %s; one of them, or a rank that they wait for in a receive, is the cause, which these figures cannot tell"
                    .formatted(
                        RuleText.named("rank", names),
                        RuleText.percent(first.shares().get(0).late()),
                        RuleText.duration(covered)),
                RingMetrics.LATE,
                RingMetrics.COMPARED)
            .withTimes(view.now().minus(covered), view.now(), 1)
            .withForm(Disposition.EXTERNAL, WHY));
  }

  /**
   * A rank of a communicator compared to its siblings; shares of the time, for the window and then
   * for each of its parts.
   */
  private record Relative(
      Lateness own, List<Lateness> members, double median, List<Double> late, List<Double> waited) {

    static Relative of(Lateness own, List<Lateness> members) {
      List<Double> late = new ArrayList<>();
      List<Double> waited = new ArrayList<>();
      for (int i = 0; i <= Lateness.PARTS; i++) {
        double least = values(members, i, Lateness.Share::waited).min().orElse(0);
        late.add(own.shares().get(i).late() - median(members, i));
        waited.add(own.shares().get(i).waited() - least);
      }
      return new Relative(own, members, median(members, 0), late, waited);
    }

    /** Whether another rank of the job is as late in another communicator. */
    boolean isLateAs(Relative other) {
      RingRank rank = own.rank();
      RingRank its = other.own.rank();
      double most = Math.max(late.get(0), other.late.get(0));
      return rank.owner().equals(its.owner())
          && rank.job().equals(its.job())
          && !rank.pid().equals(its.pid())
          && !rank.comm().equals(its.comm())
          && Math.abs(late.get(0) - other.late.get(0)) <= ALIKE * most;
    }

    private static double median(List<Lateness> members, int part) {
      return Median.lower(values(members, part, Lateness.Share::late).toArray());
    }

    private static DoubleStream values(
        List<Lateness> members, int part, ToDoubleFunction<Lateness.Share> value) {
      return members.stream().mapToDouble(one -> value.applyAsDouble(one.shares().get(part)));
    }
  }

  /** The communicator in which a process is latest by itself. */
  private static Optional<Relative> slow(List<Relative> process, RulePolicy policy) {
    return process.stream()
        .filter(one -> isLate(one, process, policy))
        .max(Comparator.comparingDouble(one -> one.late().get(0)));
  }

  private static boolean isLate(Relative one, List<Relative> process, RulePolicy policy) {
    double least = policy.threshold(TrainingStraggler.LATE_SHARE);
    if (one.own().compared() < policy.threshold(TrainingStraggler.LEAST_COLLECTIVES)
        || byItself(one, process, 0) < least) {
      return false;
    }
    int known = 0;
    for (int part = 1; part <= Lateness.PARTS; part++) {
      if (one.own().shares().get(part).known()) {
        if (byItself(one, process, part) < IN_EACH * least) {
          return false;
        }
        known++;
      }
    }
    return known >= LEAST_PARTS;
  }

  private static double byItself(Relative one, List<Relative> process, int part) {
    String comm = one.own().rank().comm();
    double elsewhere =
        process.stream()
            .filter(other -> !other.own().rank().comm().equals(comm))
            .mapToDouble(other -> other.waited().get(part))
            .sum();
    return one.late().get(part) - elsewhere;
  }

  private static Detection detection(Relative one, NodeSnapshot view, RulePolicy policy) {
    Lateness own = one.own();
    RingRank rank = own.rank();
    Duration covered = Duration.ofSeconds(Math.round(own.seconds()));
    Detection late =
        policy
            .detection(
                rank.subject(),
                "entered collectives %s after the first of %s ranks here, on average of %s in the last %s: they waited for it in %s of the time (median of the ranks: %s); %s, %s"
                    .formatted(
                        TrainingRule.seconds(own.perCollective()),
                        one.members().size(),
                        RuleText.number(own.compared()),
                        RuleText.duration(covered),
                        RuleText.percent(own.shares().get(0).late()),
                        RuleText.percent(one.median()),
                        rank.communicator(),
                        rank.process()),
                RingMetrics.LATE,
                RingMetrics.COMPARED)
            .withTimes(view.now().minus(covered), view.now(), 1);
    List<GpuStatus> gpus =
        one.members().stream().flatMap(member -> member.rank().gpu().stream()).toList();
    return new SlowSigns(view)
        .judge(
            late,
            times(one.late().get(0)),
            rank.gpu(),
            gpus,
            rank.stepRank().map(PartStatus::key),
            WHY);
  }

  /** By how much longer a rank works that is late for a share of the time; that is at least it. */
  private static double times(double share) {
    return 1 / (1 - Math.min(share, 0.5));
  }
}
