package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.History;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * GPUs that failed: another GPU's NVLink error at the same time only means that its peer is gone.
 */
final class Peers {

  private static final Set<Integer> LINK = Set.of(74, 145);
  private static final int FALLEN_OFF_THE_BUS = 79;

  private final Map<String, Bursts.Moments> deaths = new TreeMap<>();
  private final Duration near;

  Peers(History history, Duration near) {
    this.near = near;
    for (Event event : history.events()) {
      if (event instanceof Event.Xid xid && xid.number() == FALLEN_OFF_THE_BUS) {
        deaths.computeIfAbsent(XidRule.name(xid), unseen -> new Bursts.Moments()).add(xid.at());
      }
    }
  }

  /** Whether the failure of another GPU explains it. */
  boolean explain(Event.Xid xid) {
    return LINK.contains(xid.number())
        && deaths.entrySet().stream()
            .filter(death -> !death.getKey().equals(XidRule.name(xid)))
            .anyMatch(death -> death.getValue().hasNear(xid.at(), near));
  }
}
