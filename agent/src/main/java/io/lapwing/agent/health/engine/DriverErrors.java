package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.PciAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/** Counts errors that the driver logged without an XID within the coalesce window, by GPU. */
final class DriverErrors {

  private static final int MAX_KINDS = 200;

  private final Map<String, Event> errors = new LinkedHashMap<>();

  /** Whether it is such an error. */
  boolean add(
      KernelFact fact, Function<PciAddress, String> uuids, Instant at, OptionalLong sequence) {
    if (fact instanceof KernelFact.InitFailed failed) {
      String pci = failed.pci().toString();
      // The second line of one failure follows the first at once.
      long times = failed.repeated() && errors.containsKey("init " + pci) ? 0 : 1;
      add(
          "init " + pci,
          new Event.GpuInitFailed(
              at, uuids.apply(failed.pci()), pci, failed.message(), times, sequence));
    } else if (fact instanceof KernelFact.GspErrorsSuppressed gsp) {
      String pci = gsp.pci().toString();
      add(
          "gsp " + pci,
          new Event.GspErrorsSuppressed(
              at, uuids.apply(gsp.pci()), pci, gsp.message(), 1, sequence));
    } else if (fact instanceof KernelFact.NvlinkTrainingFailed links) {
      add("links", new Event.NvlinkTrainingFailed(at, links.message(), 1, sequence));
    } else {
      return false;
    }
    return true;
  }

  private void add(String key, Event error) {
    if (errors.size() < MAX_KINDS || errors.containsKey(key)) {
      errors.merge(key, error, DriverErrors::merged);
    }
  }

  private static Event merged(Event one, Event later) {
    return ((Event.DriverError) one).merged((Event.DriverError) later);
  }

  /** Removes and returns the events. */
  List<Event> take() {
    List<Event> events = new ArrayList<>(errors.values());
    errors.clear();
    return events;
  }
}
