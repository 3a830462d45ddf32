package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.NodeSnapshot;
import java.time.Instant;
import java.util.List;

/**
 * Decides which load messages of the kernel log count: a load ends findings that wait for a reset,
 * and a firewall's log prefix or a user of a syslog file can write the message. The kernel does not
 * unload the driver while this agent has it open, so a message from within a session of NVML is not
 * true; nor is one of another version than NVML's. From a syslog file none counts. What NVML itself
 * shows of a reload or a reset is found by {@link ChangeDetector}. Used by one thread.
 */
final class DriverLoads {

  /** Since when NVML is initialised without a gap. */
  private Instant openSince = Instant.MAX;

  /** The events without the loads that do not count; call it for each evaluation. */
  List<Event> genuine(List<Event> events, NodeSnapshot view) {
    openSince = openSince(view);
    return events.stream()
        .filter(event -> !(event instanceof Event.DriverLoaded load) || counts(load, view))
        .toList();
  }

  private Instant openSince(NodeSnapshot view) {
    if (view.driver() instanceof DriverStatus.Up) {
      // Never in the future, as after the clock was set back.
      return openSince.isAfter(view.now()) ? view.now() : openSince;
    }
    // A call that has not returned keeps the driver open.
    return view.driver() instanceof DriverStatus.Hung ? openSince : Instant.MAX;
  }

  private boolean counts(Event.DriverLoaded load, NodeSnapshot view) {
    return view.agent().logFile().isEmpty()
        && load.at().isBefore(openSince)
        && !(view.driver() instanceof DriverStatus.Up up && !up.version().equals(load.version()));
  }
}
