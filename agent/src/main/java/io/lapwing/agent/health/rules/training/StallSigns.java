package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.agent.health.rules.nccl.RingHangs;
import io.lapwing.metric.Metric;
import io.lapwing.training.ProcessState;
import io.lapwing.training.TrainingMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What shows which rank of a stalled job the others wait for, the clearest sign first. */
final class StallSigns {

  static final List<Metric> READS =
      Stream.concat(
              RingHangs.READS.stream(),
              Stream.of(
                  TrainingMetrics.WAITING,
                  TrainingMetrics.FRAME,
                  TrainingMetrics.PROCESS_STATE,
                  TrainingMetrics.PHASE,
                  TrainingMetrics.LAST_STEP,
                  TrainingMetrics.RANK_GONE,
                  TrainingMetrics.RANK_OUTLIVED))
          .toList();

  private static final int MOST_NAMED = 3;
  private static final double BEFORE_FIRST = -1;

  private final List<RankStatus> stalled;
  private final List<RankStatus> here;
  private final NodeSnapshot view;
  private final List<String> signs = new ArrayList<>();

  private StallSigns(List<RankStatus> stalled, List<RankStatus> here, NodeSnapshot view) {
    this.stalled = stalled;
    this.here = here;
    this.view = view;
  }

  /**
   * Clauses for the end of a sentence; empty without any sign.
   *
   * @param here the ranks of their job on this node, with those that are not stalled
   */
  static String of(List<RankStatus> stalled, List<RankStatus> here, NodeSnapshot view) {
    StallSigns signs = new StallSigns(stalled, here, view);
    signs.look();
    signs.frames();
    return signs.signs.stream().map(sign -> "; " + sign).reduce("", String::concat);
  }

  /** Whether anything shows which rank the others wait for. */
  static boolean any(List<RankStatus> stalled, List<RankStatus> here, NodeSnapshot view) {
    StallSigns signs = new StallSigns(stalled, here, view);
    signs.look();
    return !signs.signs.isEmpty();
  }

  private void look() {
    collectives();
    gone();
    processes();
    waiting();
    behind();
  }

  /** The rank whose collective the others wait in, by the rings of NCCL's profiler plugin. */
  private void collectives() {
    Set<String> pids = stalled.stream().map(RankStatus::pid).collect(Collectors.toSet());
    RingHangs.words(view, rank -> rank.stepRank().isPresent() && pids.contains(rank.pid()))
        .ifPresent(signs::add);
  }

  private void gone() {
    List<DeadRank> dead =
        DeadRank.all(view).stream().filter(one -> one.isOfJobOf(stalled.get(0))).toList();
    if (!dead.isEmpty()) {
      signs.add(named(dead, DeadRank::words));
    }
  }

  private void processes() {
    in(here, ProcessState.STOPPED, "stopped by a signal or a debugger");
    in(stalled, ProcessState.BLOCKED, "in uninterruptible sleep (D)");
    afterLoop();
  }

  /**
   * The data of some ranks ended before that of the others, which wait for them in a collective.
   */
  private void afterLoop() {
    List<RankStatus> over = here.stream().filter(rank -> Pauses.isIn(rank, "after_loop")).toList();
    if (!over.isEmpty() && over.size() < here.size()) {
      signs.add("the loop is over: " + named(over, RankStatus::wordsWithPid));
    }
  }

  private void in(List<RankStatus> ranks, ProcessState state, String words) {
    List<RankStatus> some =
        ranks.stream()
            .filter(rank -> rank.part().values().isSet(TrainingMetrics.PROCESS_STATE, state.text()))
            .toList();
    if (!some.isEmpty()) {
      signs.add(words + ": " + named(some, RankStatus::wordsWithPid));
    }
  }

  private void waiting() {
    List<RankStatus> waiting = withWaiting(1);
    List<RankStatus> working = withWaiting(0);
    if (waiting.isEmpty()) {
      return;
    }
    if (!working.isEmpty()) {
      signs.add(
          "%s wait for other ranks, but not %s"
              .formatted(waiting.size(), named(working, RankStatus::wordsWithFrame)));
    } else if (signs.isEmpty()
        && waiting.size() == here.size()
        && stalled.get(0).worldSize() > here.size()) {
      signs.add("all of them wait for ranks that are not seen here");
    }
  }

  private List<RankStatus> withWaiting(int value) {
    return here.stream().filter(rank -> rank.value(TrainingMetrics.WAITING) == value).toList();
  }

  /** A rank with fewer steps than the others shows which one the others wait for. */
  private void behind() {
    double most = stalled.stream().mapToDouble(StallSigns::step).max().orElse(Double.NaN);
    List<RankStatus> behind = stalled.stream().filter(rank -> step(rank) < most).toList();
    if (!behind.isEmpty()) {
      signs.add(
          "behind the others: "
              + named(
                  behind,
                  rank ->
                      rank.words()
                          + (step(rank) < 0
                              ? " before its first step"
                              : " at step " + RuleText.number(step(rank)))));
    }
  }

  /** Where the loops are, if nothing else shows anything. */
  private void frames() {
    List<RankStatus> some = stalled.stream().filter(rank -> !rank.frame().isEmpty()).toList();
    if (signs.isEmpty() && !some.isEmpty()) {
      signs.add(named(some, RankStatus::wordsWithFrame));
    }
  }

  /** The last one; less than all before the first. */
  private static double step(RankStatus rank) {
    double last = rank.value(TrainingMetrics.LAST_STEP);
    return Double.isNaN(last) ? BEFORE_FIRST : last;
  }

  static <T> String named(List<T> some, Function<T, String> words) {
    List<String> named = some.stream().limit(MOST_NAMED).map(words).toList();
    int more = some.size() - named.size();
    return RuleText.list(named) + (more > 0 ? ", and " + more + " more" : "");
  }
}
