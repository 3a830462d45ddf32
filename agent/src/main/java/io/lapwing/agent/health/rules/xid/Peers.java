package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.History;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Faults elsewhere in the node that explain an NVLink error of a GPU: a peer that fell off the bus,
 * a switch, the other end of the link.
 */
final class Peers {

  private static final Set<Integer> LINK = Set.of(74, 145);
  private static final Set<Integer> AFTERMATH = Set.of(43, 45, 154);
  private static final int FALLEN_OFF_THE_BUS = 79;

  private final Map<String, Bursts.Moments> deaths = new TreeMap<>();
  private final Bursts.Moments switches = new Bursts.Moments();

  /** XIDs that may be the cause of a secondary link error, by GPU. */
  private final Map<String, Bursts.Moments> causes = new TreeMap<>();

  private final Duration near;

  /** {@code secondary}: whether an XID is only a consequence of a fault elsewhere. */
  Peers(History history, Duration near, Predicate<Event.Xid> secondary) {
    this.near = near;
    for (Event event : history.events()) {
      if (event instanceof Event.SXid sxid) {
        switches.add(sxid.at());
      } else if (event instanceof Event.Xid xid) {
        add(xid, secondary);
      }
    }
  }

  private void add(Event.Xid xid, Predicate<Event.Xid> secondary) {
    String gpu = XidRule.name(xid);
    if (xid.number() == FALLEN_OFF_THE_BUS) {
      deaths.computeIfAbsent(gpu, unseen -> new Bursts.Moments()).add(xid.at());
    }
    if (!AFTERMATH.contains(xid.number()) && xid.cause().isEmpty() && !secondary.test(xid)) {
      causes.computeIfAbsent(gpu, unseen -> new Bursts.Moments()).add(xid.at());
    }
  }

  /** Whether the failure of another GPU explains it. */
  boolean explain(Event.Xid xid) {
    return LINK.contains(xid.number())
        && deaths.entrySet().stream()
            .filter(death -> !death.getKey().equals(XidRule.name(xid)))
            .anyMatch(death -> death.getValue().hasNear(xid.at(), near));
  }

  /** Whether any GPU fell off the bus at about that time. */
  boolean fellOffTheBus(Instant at) {
    return deaths.values().stream().anyMatch(death -> death.hasNear(at, near));
  }

  /** Whether any GPU or switch had another fault at about that time. */
  boolean anyCause(Instant at) {
    return switches.hasNear(at, near)
        || causes.values().stream().anyMatch(cause -> cause.hasNear(at, near));
  }
}
