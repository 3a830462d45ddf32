package io.lapwing.agent;

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

/** XIDs since boot, by GPU and number. Thread-safe; bounded by GPUs times XID numbers. */
public final class XidCounts {

  /** Bounds the events kept for the window; the counts are exact. */
  private static final int MAX_EVENTS = 10_000;

  private final List<Long> expected;
  private final Map<String, NavigableMap<Long, Count>> counts = new HashMap<>();
  private final Map<String, Long> last = new HashMap<>();
  private final Deque<Event> events = new ArrayDeque<>();

  /**
   * No XID yet.
   *
   * @param expected the XIDs that each GPU counts from 0
   */
  public XidCounts(List<Long> expected) {
    this.expected = List.copyOf(expected);
  }

  /** The XIDs that each GPU counts from 0. */
  List<Long> expected() {
    return expected;
  }

  /**
   * An XID of one GPU.
   *
   * @param uuid the UUID, or the PCI address of a GPU that NVML does not know
   * @param times number of occurrences
   */
  public record Event(String uuid, long number, Instant at, long times) {

    /** A single occurrence. */
    public Event(String uuid, long number, Instant at) {
      this(uuid, number, at, 1);
    }
  }

  /** The occurrences of an XID on a GPU, and the last of them. */
  record Count(String uuid, long number, long times, Instant last) {

    private Count and(Event event) {
      return new Count(uuid, number, times + event.times(), event.at());
    }
  }

  public synchronized void add(Event event) {
    counts
        .computeIfAbsent(event.uuid(), unseen -> new TreeMap<>())
        .compute(
            event.number(),
            (number, known) ->
                known == null
                    ? new Count(event.uuid(), number, event.times(), event.at())
                    : known.and(event));
    last.put(event.uuid(), event.number());
    if (events.size() == MAX_EVENTS) {
      events.removeFirst();
    }
    events.addLast(event);
  }

  /** Removes all, after a boot. */
  public synchronized void clear() {
    counts.clear();
    last.clear();
    events.clear();
  }

  /** The GPUs with XIDs. */
  synchronized Set<String> gpus() {
    return Set.copyOf(counts.keySet());
  }

  /** The XIDs of one GPU, by number. */
  synchronized NavigableMap<Long, Count> counts(String uuid) {
    NavigableMap<Long, Count> known = counts.get(uuid);
    return known == null ? Collections.emptyNavigableMap() : new TreeMap<>(known);
  }

  /** The number of the last XID of a GPU by arrival, not by time. */
  synchronized OptionalLong last(String uuid) {
    Long number = last.get(uuid);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** The events since an instant; drops older ones. */
  synchronized Collection<Event> since(Instant start) {
    while (!events.isEmpty() && events.getFirst().at().isBefore(start)) {
      events.removeFirst();
    }
    return List.copyOf(events);
  }
}
