package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.host.HostFaultKind;
import java.util.EnumMap;
import java.util.Map;

/** Host faults since boot by kind, from the events, so that restarts continue the counts. */
final class HostFaultCounts {

  private final Map<HostFaultKind, Long> counts = new EnumMap<>(HostFaultKind.class);

  HostFaultCounts() {
    clear();
  }

  private void clear() {
    for (HostFaultKind kind : HostFaultKind.values()) {
      counts.put(kind, 0L);
    }
  }

  synchronized void add(Event event) {
    if (event instanceof Event.Booted) {
      clear();
    } else if (event instanceof Event.HostFault fault) {
      HostFaultKind.of(fault.fault())
          .ifPresent(kind -> counts.merge(kind, fault.times(), Long::sum));
    }
  }

  /** All kinds, from 0. */
  synchronized Map<HostFaultKind, Long> counts() {
    return new EnumMap<>(counts);
  }
}
