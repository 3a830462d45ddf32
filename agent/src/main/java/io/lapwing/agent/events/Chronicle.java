package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What happened, in memory: what was kept from before and what came since, oldest first. Bounded:
 * of the kinds that came most often the oldest are drawn together, and the first of each kind
 * stays, so that it is known since when. Thread-safe.
 */
public final class Chronicle {

  /** A few hundred kilobytes. */
  static final int MOST = 6_000;

  private final Consumer<List<Event>> log;
  private final Consumer<Event> listener;
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private volatile List<Event> snapshot = List.of();

  /**
   * A chronicle that goes on from what was kept.
   *
   * @param log keeps what is added
   * @param listener gets every event, also those from before
   */
  public Chronicle(List<Event> kept, Consumer<List<Event>> log, Consumer<Event> listener) {
    this.log = log;
    this.listener = listener;
    take(kept);
  }

  /** Keeps them, first on disk, then in memory. */
  public void add(List<Event> more) {
    if (more.isEmpty()) {
      return;
    }
    log.accept(more);
    synchronized (this) {
      more.forEach(event -> counts.merge(EventKind.of(event), 1L, Long::sum));
    }
    take(more);
  }

  private synchronized void take(List<Event> more) {
    events.addAll(more);
    if (events.size() > MOST) {
      thin();
    }
    snapshot = List.copyOf(events);
    more.forEach(listener);
  }

  /** All that is known. */
  public List<Event> events() {
    return snapshot;
  }

  /** How many events of each kind came since the agent started. */
  public synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  private void thin() {
    while (events.size() > MOST * 9 / 10) {
      Map<String, List<Event>> alike = new LinkedHashMap<>();
      events.forEach(
          event -> alike.computeIfAbsent(likeness(event), unseen -> new ArrayList<>()).add(event));
      List<Event> most =
          alike.values().stream()
              .reduce((one, other) -> other.size() > one.size() ? other : one)
              .orElse(List.of());
      if (most.size() < 3) {
        events.subList(0, events.size() - MOST).clear();
        return;
      }
      drawTogether(most.subList(0, most.size() / 2));
    }
  }

  /** The oldest ones become one, at the place of the first; equal events are as good as one. */
  private void drawTogether(List<Event> alike) {
    Event first = alike.get(0);
    Event together = alike.stream().reduce(Chronicle::merge).orElse(first);
    Set<Event> gone = new HashSet<>(alike);
    int place = events.indexOf(first);
    events.set(place, together);
    for (int i = events.size() - 1; i > place; i--) {
      if (gone.contains(events.get(i))) {
        events.remove(i);
      }
    }
  }

  private static Event merge(Event first, Event next) {
    if (first instanceof Event.Xid xid && next instanceof Event.Xid more) {
      return xid.times(xid.times() + more.times());
    }
    if (first instanceof Event.EccGrowth growth && next instanceof Event.EccGrowth more) {
      return new Event.EccGrowth(
          more.at(), growth.since(), growth.gpu(), growth.corrected(), growth.from(), more.to());
    }
    return first;
  }

  private static String likeness(Event event) {
    String kind = EventKind.of(event);
    if (event instanceof Event.Xid xid) {
      return kind + xid.gpu() + xid.pci() + xid.number();
    }
    if (event instanceof Event.EccGrowth growth) {
      return kind + growth.gpu() + growth.corrected();
    }
    if (event instanceof Event.FindingOpened opened) {
      return kind + opened.rule() + opened.subject();
    }
    if (event instanceof Event.FindingClosed closed) {
      return kind + closed.rule() + closed.subject();
    }
    return kind;
  }
}
