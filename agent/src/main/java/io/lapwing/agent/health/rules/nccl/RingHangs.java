package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.nccl.ring.RingProcesses;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which ranks a stuck communicator waits for. A rank that is behind in one communicator because it
 * waits in another one itself is not the cause: that is the rank which the other one waits for.
 */
public final class RingHangs {

  /** Seconds after which a rank is behind, unless a policy says otherwise. */
  static final double LASTING = 30;

  private static final int MOST_NAMED = 4;
  private static final String GONE = "gone";
  private static final String NOT_STARTED = "not_started";
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss'Z'", Locale.ROOT);

  /** The metrics that it reads. */
  public static final List<Metric> READS =
      Stream.concat(
              RingRank.READS.stream(),
              Stream.of(
                  RingMetrics.BEHIND,
                  RingMetrics.BEHIND_SEQUENCE,
                  RingMetrics.IN_FLIGHT,
                  RingMetrics.PROCESS_STATE,
                  RingMetrics.RANK_GONE))
          .toList();

  private RingHangs() {}

  /**
   * A rank that takes no part in a collective.
   *
   * @param seconds for which others have been in it
   * @param state {@code not_entered}, {@code not_started} or {@code gone}
   * @param sequence NCCL's number of the collective
   * @param waiting the others of this node that are in it
   */
  record Behind(
      RingRank rank,
      double seconds,
      String operation,
      String state,
      double sequence,
      List<RingRank> waiting) {

    boolean isGone() {
      return state.equals(GONE);
    }
  }

  /**
   * The communicators in which a rank here delays the others. Any user may claim ranks of any
   * communicator, and RAS does not report users: one that waits has to be on the GPU that RAS has
   * for it.
   */
  static Set<String> communicators(NodeSnapshot view, Values ras) {
    Set<List<String>> known = ras.all(NcclMetrics.RANK_ASYNC_ERROR).keySet();
    return causes(view, LASTING).stream()
        .filter(one -> one.waiting().stream().anyMatch(rank -> isIn(known, rank)))
        .map(one -> one.rank().comm())
        .collect(Collectors.toSet());
  }

  private static boolean isIn(Set<List<String>> known, RingRank rank) {
    return rank.gpu().stream()
        .anyMatch(gpu -> known.contains(List.of(rank.comm(), rank.rank(), "" + gpu.index())));
  }

  /** The ranks of a process that others wait for, of those that verified ranks here wait for. */
  static List<Behind> causes(NodeSnapshot view, double least) {
    Values values = RingRank.values(view);
    if (values.all(RingMetrics.BEHIND_SEQUENCE).isEmpty()) {
      return List.of();
    }
    List<RingRank> ranks = RingRank.all(view);
    List<Behind> behind = new ArrayList<>(behind(ranks, values, least));
    // Ranks that wait for a rank of another node, in a communicator without a rank that is behind.
    boolean changed = true;
    while (changed) {
      List<Behind> left = List.copyOf(behind);
      changed =
          behind.removeIf(
              one ->
                  waitsIn(one, ranks, values, least).stream()
                      .anyMatch(other -> left.stream().noneMatch(b -> isHeldUpBy(other, b))));
    }
    List<Behind> free =
        behind.stream().filter(one -> waitsIn(one, ranks, values, least).isEmpty()).toList();
    return free.isEmpty() ? List.copyOf(behind) : free;
  }

  private static boolean isHeldUpBy(RingRank waiting, Behind cause) {
    return cause.rank().isSameCommunicator(waiting) && !cause.rank().pid().equals(waiting.pid());
  }

  private static List<Behind> behind(List<RingRank> ranks, Values values, double least) {
    List<Behind> behind = new ArrayList<>();
    values.each(
        RingMetrics.BEHIND_SEQUENCE,
        (labels, sequence) -> {
          List<String> base = labels.subList(0, labels.size() - 2);
          double seconds = values.get(RingMetrics.BEHIND, base.toArray(String[]::new)).orElse(0);
          ranks.stream()
              .filter(rank -> rank.labels().equals(base) && seconds >= least)
              .forEach(
                  rank ->
                      behind.add(
                          new Behind(
                              rank,
                              seconds,
                              labels.get(labels.size() - 2),
                              labels.get(labels.size() - 1),
                              sequence,
                              waiting(rank, ranks, values))));
        });
    behind.removeIf(one -> one.waiting().isEmpty());
    behind.sort(
        Comparator.comparing((Behind one) -> !one.isGone())
            .thenComparing(one -> one.rank().name())
            .thenComparing(one -> one.rank().comm()));
    return behind;
  }

  /** The ranks whose collective in the communicator runs, and that are not behind themselves. */
  private static List<RingRank> waiting(RingRank behind, List<RingRank> ranks, Values values) {
    return ranks.stream()
        .filter(rank -> rank.isSameCommunicator(behind) && !rank.pid().equals(behind.pid()))
        .filter(rank -> rank.value(RingMetrics.IN_FLIGHT, values).orElse(0) > 0)
        .filter(rank -> rank.value(RingMetrics.BEHIND, values).orElse(0) == 0)
        .sorted(Comparator.comparingInt(rank -> Integer.parseInt(rank.rank())))
        .toList();
  }

  /**
   * The same process in other communicators in which a collective of it lasts, or in the same one
   * in which another collective of it runs for longer than others wait for it.
   */
  private static List<RingRank> waitsIn(
      Behind one, List<RingRank> ranks, Values values, double least) {
    return one.isGone()
        ? List.of()
        : ranks.stream()
            .filter(rank -> rank.pid().equals(one.rank().pid()))
            .filter(
                rank ->
                    rank.value(RingMetrics.IN_FLIGHT, values).orElse(0)
                        >= (rank.comm().equals(one.rank().comm()) ? one.seconds() : least / 2))
            .toList();
  }

  /** As {@link #words(List, Values)}, with the names of the given ranks. */
  public static Optional<String> words(NodeSnapshot view, Predicate<RingRank> which) {
    List<Behind> behind =
        causes(view, LASTING).stream().filter(one -> which.test(one.rank())).toList();
    return behind.isEmpty()
        ? Optional.empty()
        : Optional.of(words(behind.get(0), RingRank.values(view), true));
  }

  /** A sentence without its subject, on ranks of one job. */
  static String words(List<Behind> behind, Values values) {
    Set<String> pids = new LinkedHashSet<>();
    List<Behind> one = behind.stream().filter(rank -> pids.add(rank.rank().pid())).toList();
    List<String> named =
        one.stream().limit(MOST_NAMED).map(rank -> words(rank, values, one.size() > 1)).toList();
    int more = one.size() - named.size();
    return String.join("; ", named) + (more > 0 ? "; and " + more + " more" : "");
  }

  private static String words(Behind one, Values values, boolean named) {
    RingRank rank = one.rank();
    String who = named ? "rank " + rank.name().substring(rank.name().indexOf('/') + 1) + " " : "";
    return who + what(one, values) + "; " + rank.process() + state(rank, values);
  }

  private static String what(Behind one, Values values) {
    String collective =
        "%s %s of %s"
            .formatted(one.operation(), RuleText.number(one.sequence()), one.rank().communicator());
    List<String> waiting = one.waiting().stream().map(RingRank::rank).toList();
    String wait =
        RuleText.named("rank", waiting)
            + (waiting.size() == 1 ? " has waited for " : " have waited for ")
            + RuleText.duration(Duration.ofSeconds((long) one.seconds()));
    return switch (one.state()) {
      case GONE -> gone(one.rank(), values) + "; " + wait + " in " + collective;
      case NOT_STARTED ->
          "has enqueued " + collective + ", in which " + wait + ", and its GPU has not started it";
      default -> "has not entered " + collective + ", in which " + wait;
    };
  }

  private static String gone(RingRank rank, Values values) {
    double noticed = rank.value(RingMetrics.RANK_GONE, values).orElse(0);
    return "is gone since "
        + TIME.format(Instant.ofEpochSecond((long) noticed).atOffset(ZoneOffset.UTC));
  }

  private static String state(RingRank rank, Values values) {
    Map<List<String>, Double> states = values.all(RingMetrics.PROCESS_STATE);
    List<String> labels = new ArrayList<>(rank.labels());
    labels.add(RingProcesses.STOPPED);
    if (states.containsKey(labels)) {
      return " is stopped by a signal or a debugger";
    }
    labels.set(labels.size() - 1, RingProcesses.BLOCKED);
    return states.containsKey(labels) ? " is in uninterruptible sleep (D)" : "";
  }
}
