package io.lapwing.agent.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What happened, in memory: what was kept from before and what came since, oldest first. Bounded:
 * see {@link Thinning}. Thread-safe.
 */
public final class Chronicle {

  /** Rules look at all of them at each judgement. */
  static final int MOST = 4_000;

  /** As lines, about: all of it has to fit into the head of a new file of the log. */
  static final long MOST_BYTES = 800 * 1024;

  private final Consumer<List<Event>> log;
  private final Consumer<Event> listener;
  private List<Event> events = new ArrayList<>();
  private long bytes;
  private final Map<String, Long> counts = new TreeMap<>();
  private volatile List<Event> snapshot = List.of();

  /**
   * A chronicle that goes on from what was kept.
   *
   * @param log keeps what is added, all of one call or nothing; it may ask for {@link #events}
   * @param listener gets every event, also those from before
   */
  public Chronicle(List<Event> kept, Consumer<List<Event>> log, Consumer<Event> listener) {
    this.log = log;
    this.listener = listener;
    take(kept);
  }

  /** In memory before the log: a new file of it begins with all that is known here. */
  public void add(List<Event> more) {
    if (more.isEmpty()) {
      return;
    }
    synchronized (this) {
      more.forEach(event -> counts.merge(EventKind.of(event), 1L, Long::sum));
    }
    take(more);
    log.accept(more);
  }

  private synchronized void take(List<Event> more) {
    events.addAll(more);
    bytes += more.stream().mapToLong(LineSize::of).sum();
    if (events.size() > MOST || bytes > MOST_BYTES) {
      // Down to three quarters, so that it is not to be done again at once.
      events = new Thinning(events).downTo(MOST * 3 / 4, MOST_BYTES * 3 / 4);
      bytes = events.stream().mapToLong(LineSize::of).sum();
    }
    snapshot = List.copyOf(events);
    more.forEach(listener);
  }

  /** All that is known. */
  public List<Event> events() {
    return snapshot;
  }

  /** How many events of each kind came since the agent started. */
  public synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }
}
