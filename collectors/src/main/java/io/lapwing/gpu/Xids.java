package io.lapwing.gpu;

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
 * The XIDs that were seen since the machine was booted, as far as the agent knows. Thread-safe;
 * bounded by the number of GPUs times XID numbers.
 */
public final class Xids {

  /** More single events than this are not kept for the window; the counts go on. */
  private static final int MOST_EVENTS = 10_000;

  private final List<Long> expected;
  private final Map<String, NavigableMap<Long, Count>> counts = new HashMap<>();
  private final Map<String, Long> last = new HashMap<>();
  private final Deque<Event> events = new ArrayDeque<>();

  /**
   * No XID yet.
   *
   * @param expected the XIDs that each GPU counts from 0
   */
  public Xids(List<Long> expected) {
    this.expected = List.copyOf(expected);
  }

  /** The XIDs that each GPU counts from 0. */
  List<Long> expected() {
    return expected;
  }

  /**
   * An XID of one GPU.
   *
   * @param times how often it came at that moment
   */
  public record Event(String uuid, long number, Instant at, long times) {

    /** One that came once. */
    public Event(String uuid, long number, Instant at) {
      this(uuid, number, at, 1);
    }
  }

  /** How often an XID came on a GPU, and when last. */
  public record Count(String uuid, long number, long times, Instant last) {

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
    if (events.size() == MOST_EVENTS) {
      events.removeFirst();
    }
    events.addLast(event);
  }

  /** Begins anew, as the kernel does. */
  public synchronized void clear() {
    counts.clear();
    last.clear();
    events.clear();
  }

  /** The GPUs that had any. */
  public synchronized Set<String> gpus() {
    return Set.copyOf(counts.keySet());
  }

  /** The XIDs of one GPU, by number. */
  public synchronized NavigableMap<Long, Count> counts(String uuid) {
    NavigableMap<Long, Count> known = counts.get(uuid);
    return known == null ? Collections.emptyNavigableMap() : new TreeMap<>(known);
  }

  /** The number of the XID that came last on a GPU, whatever the clock said then. */
  public synchronized OptionalLong last(String uuid) {
    Long number = last.get(uuid);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** The events since an instant; older ones are forgotten. */
  public synchronized Collection<Event> since(Instant start) {
    while (!events.isEmpty() && events.getFirst().at().isBefore(start)) {
      events.removeFirst();
    }
    return List.copyOf(events);
  }
}
