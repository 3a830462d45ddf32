package io.lapwing.drain.app;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.remediation.Controller.Waiting;
import io.lapwing.drain.remediation.ControllerState;
import io.lapwing.drain.remediation.Remediation;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What the controller does, as of its last round.
 *
 * @param state empty before the first
 * @param brake what stands against taking any node
 */
record Snapshot(Optional<ControllerState> state, List<Objection> brake) {

  static final Snapshot NONE = new Snapshot(Optional.empty(), List.of());

  Snapshot {
    brake = List.copyOf(brake);
  }

  /** In the order of the nodes' names. */
  List<Remediation> open() {
    return state
        .map(ControllerState::open)
        .map(open -> open.values())
        .map(Collection::stream)
        .stream()
        .flatMap(all -> all)
        .sorted(Comparator.comparing(Remediation::node))
        .toList();
  }

  Optional<Remediation> of(NodeName node) {
    return state.flatMap(known -> Optional.ofNullable(known.open().get(node)));
  }

  /** What an open remediation waits for. */
  Optional<Waiting> waiting(Remediation one) {
    return state.flatMap(known -> Optional.ofNullable(known.waiting().get(one.node())));
  }
}
