package io.lapwing.gpu;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The XIDs that were seen since the agent started. Thread-safe; bounded by the number of GPUs times
 * XID numbers.
 */
public final class Xids {

  /** More single events than this are not kept for the window; the counts go on. */
  private static final int MOST_EVENTS = 10_000;

  /** In the order in which they came last; a clock may step back. */
  private final List<Count> counts = new ArrayList<>();

  private final List<Event> events = new ArrayList<>();

  /** One XID of one GPU. */
  public record Event(String uuid, long number, Instant at) {}

  /** How often an XID came on a GPU, and when last. */
  public record Count(String uuid, long number, long times, Instant last) {}

  public synchronized void add(Event event) {
    Optional<Count> known = count(event.uuid(), event.number());
    known.ifPresent(counts::remove);
    counts.add(
        new Count(
            event.uuid(), event.number(), known.map(Count::times).orElse(0L) + 1, event.at()));
    if (events.size() == MOST_EVENTS) {
      events.remove(0);
    }
    events.add(event);
  }

  public synchronized Optional<Count> count(String uuid, long number) {
    return counts.stream()
        .filter(count -> count.uuid().equals(uuid) && count.number() == number)
        .findFirst();
  }

  /** Ordered by GPU, then number. */
  public synchronized List<Count> counts() {
    return counts.stream()
        .sorted(Comparator.comparing(Count::uuid).thenComparingLong(Count::number))
        .toList();
  }

  /** The XID that came last on a GPU. */
  public synchronized Optional<Count> last(String uuid) {
    return counts.stream()
        .filter(count -> count.uuid().equals(uuid))
        .reduce((earlier, later) -> later);
  }

  /** The events since an instant; older ones are forgotten. */
  public synchronized Collection<Event> since(Instant start) {
    events.removeIf(event -> event.at().isBefore(start));
    return List.copyOf(events);
  }
}
