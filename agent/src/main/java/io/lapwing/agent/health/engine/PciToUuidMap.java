package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.MachineChanges;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.xid.PciAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * GPU UUIDs by PCI address: from NVML, or else from the driver's message in the kernel log.
 * Thread-safe.
 */
public final class PciToUuidMap {

  private final GpuRoster roster;
  private final Map<PciAddress, String> fromKernel = new ConcurrentHashMap<>();

  /** Before the last boot. */
  private final Map<PciAddress, String> earlier = new ConcurrentHashMap<>();

  /** UUIDs of GPUs before the last boot, whatever their address. */
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  private final Set<String> knownSinceBoot = ConcurrentHashMap.newKeySet();
  private final MachineChanges machines = new MachineChanges();
  private volatile FromNvml fromNvml = new FromNvml(0, Map.of());

  /** The GPUs that NVML reported at a state of the roster. */
  private record FromNvml(long changes, Map<PciAddress, String> uuids) {}

  public PciToUuidMap(GpuRoster roster) {
    this.roster = roster;
  }

  /** From {@code NVRM: GPU at PCI:0000:53:00: GPU-...}. */
  void learn(PciAddress pci, String uuid) {
    fromKernel.put(pci, uuid);
  }

  /** Restores the map after a restart: the driver may not report these GPUs any more. */
  public void restore(List<Event> events) {
    for (Event event : events) {
      if (machines.isChange(event)) {
        earlier.clear();
        known.clear();
        knownSinceBoot.clear();
        fromKernel.clear();
      } else if (event instanceof Event.Booted) {
        earlier.putAll(fromKernel);
        known.addAll(knownSinceBoot);
        knownSinceBoot.clear();
        fromKernel.clear();
      } else if (event instanceof Event.VerdictChanged changed
          && changed.subject().startsWith("gpu:")) {
        knownSinceBoot.add(changed.subject().substring("gpu:".length()));
      } else if (event instanceof Event.Xid xid && !xid.gpu().isEmpty()) {
        PciAddress.parse(xid.pci()).ifPresent(pci -> learn(pci, xid.gpu()));
      }
    }
  }

  public Optional<String> uuid(PciAddress pci) {
    Map<PciAddress, String> now = fromNvml();
    String uuid = now.get(pci);
    String known = uuid == null ? fromKernel.get(pci) : uuid;
    return Optional.ofNullable(known).or(() -> beforeBoot(pci, now.values()));
  }

  /**
   * A GPU that does not answer after a boot is the one of before, unless that is elsewhere now or
   * this is another machine with none of the earlier GPUs.
   */
  private Optional<String> beforeBoot(PciAddress pci, Collection<String> now) {
    return Optional.ofNullable(earlier.get(pci))
        .filter(uuid -> !now.contains(uuid) && !fromKernel.containsValue(uuid))
        .filter(uuid -> now.isEmpty() || now.stream().anyMatch(known::contains));
  }

  /** Cached: a storm of XIDs needs it thousands of times a second, and GPUs rarely change. */
  private Map<PciAddress, String> fromNvml() {
    long changes = roster.changes();
    FromNvml known = fromNvml;
    if (known.changes() != changes) {
      Map<PciAddress, String> uuids = new HashMap<>();
      // The last one at an address counts: a board may have been replaced.
      roster.all().stream()
          .sorted(Comparator.comparingLong(GpuRoster.Known::generation))
          .forEach(
              gpu ->
                  PciAddress.parse(gpu.identity().pciBusId())
                      .ifPresent(pci -> uuids.put(pci, gpu.identity().uuid())));
      known = new FromNvml(changes, uuids);
      fromNvml = known;
    }
    return known.uuids();
  }

  /**
   * The events, with the UUIDs of GPUs of which only the PCI address was known at the time. Before
   * the last boot another GPU may have had that address.
   */
  public List<Event> named(List<Event> events) {
    List<Event> sinceBoot = BootDetector.sinceBoot(events);
    if (sinceBoot.stream().noneMatch(PciToUuidMap::isUnnamed)) {
      return events;
    }
    List<Event> named = new ArrayList<>(events.subList(0, events.size() - sinceBoot.size()));
    sinceBoot.forEach(event -> named.add(named(event)));
    return named;
  }

  private static boolean isUnnamed(Event event) {
    return (event instanceof Event.Xid xid && xid.gpu().isEmpty())
        || (event instanceof Event.DriverError error
            && error.gpu().isEmpty()
            && !error.pci().isEmpty());
  }

  /** The event with the GPU's UUID, if it is known now. */
  public Event named(Event event) {
    if (event instanceof Event.Xid xid && xid.gpu().isEmpty()) {
      return PciAddress.parse(xid.pci()).flatMap(this::uuid).<Event>map(xid::on).orElse(event);
    }
    if (event instanceof Event.DriverError error && error.gpu().isEmpty()) {
      return PciAddress.parse(error.pci()).flatMap(this::uuid).map(error::on).orElse(event);
    }
    return event;
  }

  /** The PCI address of a GPU, such as {@code 0000:53:00}; empty while unknown. */
  public String pci(String uuid) {
    return roster.all().stream()
        .filter(gpu -> gpu.identity().uuid().equals(uuid))
        .flatMap(gpu -> PciAddress.parse(gpu.identity().pciBusId()).stream())
        .findFirst()
        .or(() -> known(uuid))
        .map(PciAddress::toString)
        .orElse("");
  }

  private Optional<PciAddress> known(String uuid) {
    return fromKernel.entrySet().stream()
        .filter(entry -> entry.getValue().equals(uuid))
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
