package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A finding or an alert of a node, as recorded.
 *
 * @param subject what it is about: {@code gpu:GPU-...}; of an alert its labels
 * @param what in words
 * @param urgency of an alert that has one
 * @param demands what it required, oldest first; a finding that escalates has several
 * @param to when it closed; empty if the record ends before
 * @param closedBy the strongest repair that the record shows while it was open
 */
record Finding(
    NodeName node,
    String rule,
    String subject,
    String what,
    Optional<Urgency> urgency,
    List<Demand> demands,
    Optional<Instant> to,
    Optional<Remedy> closedBy) {

  Finding {
    demands = List.copyOf(demands);
  }

  /** Its action from a time on. */
  record Demand(Instant at, boolean failing, Remedy remedy) {}

  Instant from() {
    return demands.get(0).at();
  }

  boolean openAt(Instant now) {
    return !now.isBefore(from()) && to.map(now::isBefore).orElse(true);
  }

  /** Its action at a time at which it is open. */
  Demand demand(Instant now) {
    Demand last = demands.get(0);
    for (Demand demand : demands) {
      if (!demand.at().isAfter(now)) {
        last = demand;
      }
    }
    return last;
  }

  /** The mildest repair that helps; empty if the record does not show that it ever closed. */
  Optional<Remedy> cure() {
    return to.map(closed -> closedBy.orElse(demands.get(demands.size() - 1).remedy()));
  }

  /** Since when a node has to leave service for it; empty if it never has. */
  Optional<Instant> takesNodeAt() {
    return demands.stream()
        .filter(demand -> demand.remedy().takesNode())
        .map(Demand::at)
        .findFirst();
  }
}
