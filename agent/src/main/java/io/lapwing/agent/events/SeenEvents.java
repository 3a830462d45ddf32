package io.lapwing.agent.events;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells events that were read already. Nearly every event has a moment of its own, so the moments
 * are compared first: the JVM prepares the comparison of records when it is used, and that took a
 * third of the time of a start with a long log.
 */
final class SeenEvents {
  private final Map<Instant, Set<Event>> byTime = new HashMap<>();

  /** False where an equal one was added before. */
  boolean add(Event event) {
    Set<Event> atOnce = byTime.get(event.at());
    if (atOnce == null) {
      byTime.put(event.at(), Set.of(event));
      return true;
    }
    if (atOnce.contains(event)) {
      return false;
    }
    Set<Event> more = atOnce instanceof HashSet ? atOnce : new HashSet<>(atOnce);
    more.add(event);
    byTime.put(event.at(), more);
    return true;
  }

  void clear() {
    byTime.clear();
  }

  void remove(Event event) {
    Set<Event> atOnce = byTime.remove(event.at());
    if (atOnce != null && atOnce.size() > 1) {
      atOnce.remove(event);
      byTime.put(event.at(), atOnce);
    }
  }
}
