package io.lapwing.drain.app;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.decisions.DecisionLog;
import io.lapwing.drain.decisions.OpenRemediation;
import io.lapwing.drain.guard.Guard;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.remediation.ControllerState;
import io.lapwing.drain.remediation.Remediation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the controller does, as of its last round.
 *
 * @param state empty before the first
 * @param brake the objections to taking any node
 */
record Snapshot(Optional<ControllerState> state, List<Objection> brake) {

  private static final NodeState ANY =
      new NodeState(
          new NodeName("any"), Service.IN_SERVICE, "", "", Set.of(), true, "", Optional.empty(), 0);

  static final Snapshot NONE = new Snapshot(Optional.empty(), List.of());

  Snapshot {
    brake = List.copyOf(brake);
  }

  /**
   * As of a round.
   *
   * @param view the last; empty before the first
   * @param drainReplaces whether each drain is a replacement, and has its limit
   */
  static Snapshot of(
      ControllerState now, Optional<ClusterView> view, Budget budget, boolean drainReplaces) {
    return new Snapshot(
        Optional.of(now),
        view.map(seen -> brake(now, seen, new Guard(budget), drainReplaces)).orElse(List.of()));
  }

  /** Asked for a node without jobs and groups. */
  private static List<Objection> brake(
      ControllerState now, ClusterView view, Guard guard, boolean drainReplaces) {
    Set<NodeName> held =
        now.open().values().stream()
            .filter(one -> one.phase().countsAsHeld())
            .map(Remediation::node)
            .collect(Collectors.toSet());
    List<Objection> all =
        new ArrayList<>(guard.against(ANY, new ClusterIndex(view), held, now.taken()));
    if (drainReplaces) {
      guard.againstReplacement(view.at(), now.taken()).ifPresent(all::add);
    }
    return all;
  }

  /** Those that need a person first. */
  List<OpenRemediation> open() {
    return state.map(known -> DecisionLog.status(known).open()).orElse(List.of());
  }

  /** Why a person has to act, in words. */
  List<String> calls() {
    return state.map(known -> DecisionLog.status(known).calls()).orElse(List.of());
  }
}
