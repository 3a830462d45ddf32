package io.lapwing.agent.health.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.History;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * GPUs that died: an NVLink error of another GPU at the same time only says that its peer is gone.
 */
final class Peers {

  private static final Set<Integer> LINK = Set.of(74, 145);
  private static final int FALLEN_OFF_THE_BUS = 79;

  private final List<Event.Xid> deaths;
  private final Duration near;

  Peers(History history, Duration near) {
    this.deaths = history.of(Event.Xid.class, xid -> xid.number() == FALLEN_OFF_THE_BUS);
    this.near = near;
  }

  /** Whether another GPU's death explains it. */
  boolean explain(Event.Xid xid) {
    return LINK.contains(xid.number()) && deaths.stream().anyMatch(death -> explains(death, xid));
  }

  private boolean explains(Event.Xid death, Event.Xid xid) {
    return !XidRule.name(death).equals(XidRule.name(xid))
        && Duration.between(death.at(), xid.at()).abs().compareTo(near) <= 0;
  }
}
