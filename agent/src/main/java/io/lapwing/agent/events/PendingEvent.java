package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.List;

/**
 * An event that is not on the disk yet.
 *
 * @param more whether it counts only with the next one: the events of one kernel log read are kept
 *     all or not at all, so that the position to resume from is known
 */
record PendingEvent(Event event, boolean more) {

  /** Events that are kept all or not at all. */
  static List<PendingEvent> group(List<? extends Event> events) {
    List<PendingEvent> pending = new ArrayList<>(events.size());
    for (int i = 0; i < events.size(); i++) {
      pending.add(new PendingEvent(events.get(i), i < events.size() - 1));
    }
    return pending;
  }
}
