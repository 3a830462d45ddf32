package io.lapwing.drain.app;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.remediation.Remediation;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the controller does, as of its last round.
 *
 * @param at when that round ended; empty before the first
 * @param waiting what the open remediations wait for, by node
 * @param brake what stands against taking any node
 */
record Snapshot(
    Optional<Instant> at,
    Map<NodeName, Remediation> open,
    Map<NodeName, String> waiting,
    List<Objection> brake) {

  static final Snapshot NONE = new Snapshot(Optional.empty(), Map.of(), Map.of(), List.of());

  Snapshot {
    open = Map.copyOf(open);
    waiting = Map.copyOf(waiting);
    brake = List.copyOf(brake);
  }

  /** In the order of their names. */
  List<Remediation> byNode() {
    return open.values().stream()
        .sorted(Comparator.comparing(Remediation::node))
        .toList();
  }
}
