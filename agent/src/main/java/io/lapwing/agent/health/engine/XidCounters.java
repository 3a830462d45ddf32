package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthSamples.SwitchErrors;
import io.lapwing.xid.XidTable;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * XIDs and SXids since boot, from the events, so that restarts continue the counts. Thread-safe;
 * bounded by GPUs times XID numbers.
 */
final class XidCounters {

  /**
   * Ids of MIG instances are below this; messages with higher ones are counted for the GPU alone.
   */
  private static final int INSTANCES = 16;

  /** Bounds the occurrences kept for the window; the counts are exact. */
  private static final int MAX_OCCURRENCES = 10_000;

  private final XidTable table;
  private final Map<String, List<Long>> expected = new HashMap<>();
  private final Map<String, NavigableMap<Long, Count>> counts = new HashMap<>();
  private final Map<String, Map<OfInstance, Long>> instances = new HashMap<>();
  private final Map<String, Long> last = new HashMap<>();
  private final Deque<Occurrence> occurrences = new ArrayDeque<>();
  private final Map<String, SwitchErrors> switches = new TreeMap<>();

  XidCounters(XidTable table) {
    this.table = table;
  }

  /** The XIDs that are counted from 0 on a GPU of this model, NVML's name; cached. */
  List<Long> expected(String model) {
    return expected.computeIfAbsent(model, table::callingForAction);
  }

  /** An XID of one GPU: its UUID, or the PCI address if NVML has not reported it. */
  record Occurrence(String uuid, long number, Instant at, long times) {

    private Occurrence on(String gpu) {
      return new Occurrence(gpu, number, at, times);
    }
  }

  /** An XID of one MIG instance. */
  record OfInstance(int instance, long number) {}

  /** The occurrences of an XID on a GPU, and the last of them. */
  record Count(String uuid, long number, long times, Instant last) {

    private Count and(Occurrence more) {
      return new Count(uuid, number, times + more.times(), more.at());
    }

    private Count and(Count more) {
      Instant latest = last.isAfter(more.last()) ? last : more.last();
      return new Count(uuid, number, times + more.times(), latest);
    }

    private Count on(String gpu) {
      return new Count(gpu, number, times, last);
    }
  }

  synchronized void add(Event event) {
    if (event instanceof Event.Booted) {
      clear();
    } else if (event instanceof Event.Xid xid) {
      String gpu = xid.gpu().isEmpty() ? xid.pci() : xid.gpu();
      add(new Occurrence(gpu, xid.number(), xid.at(), xid.times()));
      xid.gpuInstance().ifPresent(id -> add(gpu, id, xid));
    } else if (event instanceof Event.SXid sxid) {
      add(sxid);
    }
  }

  private void add(String gpu, int instance, Event.Xid xid) {
    if (instance < INSTANCES) {
      instances
          .computeIfAbsent(gpu, unseen -> new HashMap<>())
          .merge(new OfInstance(instance, xid.number()), xid.times(), Long::sum);
    }
  }

  private void clear() {
    counts.clear();
    instances.clear();
    last.clear();
    occurrences.clear();
    switches.clear();
  }

  private void add(Event.SXid sxid) {
    switches.merge(
        sxid.device() + " " + sxid.number() + sxid.fatal(),
        new SwitchErrors(sxid.device(), sxid.number(), sxid.fatal(), sxid.times(), sxid.at()),
        (known, more) ->
            new SwitchErrors(
                known.device(),
                known.number(),
                known.fatal(),
                known.times() + more.times(),
                more.last()));
  }

  synchronized void add(Occurrence xid) {
    counts
        .computeIfAbsent(xid.uuid(), unseen -> new TreeMap<>())
        .compute(
            xid.number(),
            (number, known) ->
                known == null
                    ? new Count(xid.uuid(), number, xid.times(), xid.at())
                    : known.and(xid));
    last.put(xid.uuid(), xid.number());
    if (occurrences.size() == MAX_OCCURRENCES) {
      occurrences.removeFirst();
    }
    occurrences.addLast(xid);
  }

  /**
   * Moves the counts of a PCI address to the GPU there, whose UUID was unknown at the time: an XID
   * while the GPUs were released.
   */
  synchronized void identify(String pci, String uuid) {
    NavigableMap<Long, Count> moved = counts.remove(pci);
    if (moved == null) {
      return;
    }
    Map<Long, Count> own = counts.computeIfAbsent(uuid, unseen -> new TreeMap<>());
    moved.values().forEach(count -> own.merge(count.number(), count.on(uuid), Count::and));
    Map<OfInstance, Long> ofInstances = instances.remove(pci);
    if (ofInstances != null) {
      Map<OfInstance, Long> known = instances.computeIfAbsent(uuid, unseen -> new HashMap<>());
      ofInstances.forEach((one, times) -> known.merge(one, times, Long::sum));
    }
    Long number = last.remove(pci);
    last.putIfAbsent(uuid, number);
    List<Occurrence> named =
        occurrences.stream().map(one -> one.uuid().equals(pci) ? one.on(uuid) : one).toList();
    occurrences.clear();
    occurrences.addAll(named);
  }

  synchronized Set<String> gpus() {
    return Set.copyOf(counts.keySet());
  }

  synchronized NavigableMap<Long, Count> counts(String uuid) {
    NavigableMap<Long, Count> known = counts.get(uuid);
    return known == null ? Collections.emptyNavigableMap() : new TreeMap<>(known);
  }

  /** How often each MIG instance of a GPU had each XID. */
  synchronized Map<OfInstance, Long> instances(String uuid) {
    return Map.copyOf(instances.getOrDefault(uuid, Map.of()));
  }

  /** The number of the last XID of a GPU by arrival, not by time. */
  synchronized OptionalLong last(String uuid) {
    Long number = last.get(uuid);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** The XIDs since an instant; drops older ones. */
  synchronized Collection<Occurrence> since(Instant start) {
    while (!occurrences.isEmpty() && occurrences.getFirst().at().isBefore(start)) {
      occurrences.removeFirst();
    }
    return List.copyOf(occurrences);
  }

  synchronized List<SwitchErrors> switches() {
    return List.copyOf(switches.values());
  }
}
