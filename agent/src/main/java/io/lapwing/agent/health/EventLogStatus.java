package io.lapwing.agent.health;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the event log stands.
 *
 * @param durable whether events outlive the agent: they reach the disk
 * @param events how many were recorded since the agent started, by kind
 * @param dropped events that did not reach the disk
 */
public record EventLogStatus(boolean durable, SortedMap<String, Long> events, long dropped) {

  public EventLogStatus {
    events = Collections.unmodifiableSortedMap(new TreeMap<>(events));
  }

  /** With the kinds in any order. */
  public static EventLogStatus of(boolean durable, Map<String, Long> events, long dropped) {
    return new EventLogStatus(durable, new TreeMap<>(events), dropped);
  }
}
