package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;

/**
 * A node, as recorded.
 *
 * @param from when its record begins
 * @param gpus empty if the record does not show it
 * @param findings which say whether the node was healthy
 * @param maintenance in which nothing is known of its health
 * @param logged whether this is from its agent's own log, which also shows repairs
 */
record RecordedNode(
    NodeName name,
    Instant from,
    OptionalInt gpus,
    List<Finding> findings,
    List<Span> maintenance,
    boolean logged) {

  RecordedNode {
    findings = List.copyOf(findings);
    maintenance = List.copyOf(maintenance);
  }
}
