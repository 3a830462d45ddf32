package io.lapwing.agent.health;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of the event log.
 *
 * @param durable whether events are written to disk and survive a restart
 * @param events recorded since the agent started, by kind
 * @param dropped events that were not written
 */
public record EventLogStatus(boolean durable, SortedMap<String, Long> events, long dropped) {

  public EventLogStatus {
    events = Collections.unmodifiableSortedMap(new TreeMap<>(events));
  }

  /** Sorts the kinds. */
  public static EventLogStatus of(boolean durable, Map<String, Long> events, long dropped) {
    return new EventLogStatus(durable, new TreeMap<>(events), dropped);
  }
}
