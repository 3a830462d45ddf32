package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.remediation.Controller.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of the controller.
 *
 * @param open remediations
 * @param waiting what they wait for
 * @param blind why the cluster cannot be read; empty if the last round read it
 * @param stopped the kill switch, with its reason
 * @param storms the same rule on many nodes: nothing is done for it
 * @param orphans nodes that a controller took, and that are not in this journal
 * @param taken nodes that were drained lately, for limits by rate
 * @param uncompacted why the journal could not be compacted
 */
public record ControllerState(
    Instant at,
    Map<NodeName, Remediation> open,
    Map<NodeName, Waiting> waiting,
    Optional<String> blind,
    Optional<String> stopped,
    List<Objection> storms,
    List<NodeState> orphans,
    List<Taken> taken,
    Optional<String> uncompacted) {

  public ControllerState {
    open = Map.copyOf(open);
    waiting = Map.copyOf(waiting);
    storms = List.copyOf(storms);
    orphans = List.copyOf(orphans);
    taken = List.copyOf(taken);
  }
}
