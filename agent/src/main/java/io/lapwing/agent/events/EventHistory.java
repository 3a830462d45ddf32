package io.lapwing.agent.events;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The events in memory, oldest first, bounded by {@link Compaction}, those of {@link MinorFindings}
 * beforehand by limits of their own. Thread-safe.
 */
public final class EventHistory {

  /** Rules iterate over all of them at each evaluation. */
  static final int MAX_EVENTS = 4_000;

  /** Minor findings that are written in an hour; more are in memory, and in the next snapshot. */
  static final int MAX_MINOR_WRITES = 500;

  private static final Duration HOUR = Duration.ofHours(1);

  private final long maxBytes;
  private final Consumer<List<Event>> log;
  private final Consumer<Event> listener;
  private final UnaryOperator<Event> shown;
  private List<Event> events = new ArrayList<>();
  private long bytes;
  private int minor;
  private long minorBytes;
  private Instant hour = Instant.MIN;
  private int minorWrites;
  private final Map<String, Long> counts = new TreeMap<>();
  private volatile List<Event> snapshot = List.of();

  /**
   * Continues from the log's events. {@code log} receives the events of a call together and may
   * call {@link #events}; {@code listener} also receives earlier events.
   */
  public EventHistory(List<Event> kept, Consumer<List<Event>> log, Consumer<Event> listener) {
    this(kept, Limits.DEFAULT, log, listener, UnaryOperator.identity());
  }

  /** As above; {@code shown} converts each event to the one that is kept and logged. */
  public EventHistory(
      List<Event> kept,
      Consumer<List<Event>> log,
      Consumer<Event> listener,
      UnaryOperator<Event> shown) {
    this(kept, Limits.DEFAULT, log, listener, shown);
  }

  /** As above, for a log with these limits. */
  EventHistory(
      List<Event> kept, Limits limits, Consumer<List<Event>> log, Consumer<Event> listener) {
    this(kept, limits, log, listener, UnaryOperator.identity());
  }

  private EventHistory(
      List<Event> kept,
      Limits limits,
      Consumer<List<Event>> log,
      Consumer<Event> listener,
      UnaryOperator<Event> shown) {
    this.shown = shown;
    this.maxBytes = limits.historyBytes();
    this.log = log;
    this.listener = listener;
    take(kept.stream().map(shown).toList());
  }

  /** Adds to memory first: a new file of the log starts with all that is here. */
  public void add(List<Event> happened) {
    if (happened.isEmpty()) {
      return;
    }
    List<Event> more = happened.stream().map(shown).toList();
    List<Event> written = new ArrayList<>(more);
    synchronized (this) {
      more.forEach(event -> counts.merge(EventKind.of(event).text(), 1L, Long::sum));
      written.removeIf(event -> MinorFindings.isMinor(event) && !mayWrite(event.at()));
    }
    take(more);
    if (!written.isEmpty()) {
      log.accept(written);
    }
  }

  private boolean mayWrite(Instant at) {
    if (hour.equals(Instant.MIN) || Duration.between(hour, at).abs().compareTo(HOUR) >= 0) {
      hour = at;
      minorWrites = 0;
    }
    return minorWrites++ < MAX_MINOR_WRITES;
  }

  /** Inserts by their times events that are on disk already; returns them as they are kept. */
  public List<Event> insert(List<Event> missed) {
    List<Event> more = missed.stream().map(shown).toList();
    synchronized (this) {
      events = MissedEvents.merged(events, more);
      count();
      take(List.of());
    }
    return more;
  }

  private synchronized void take(List<Event> more) {
    events.addAll(more);
    bytes += more.stream().mapToLong(Compaction::lineSize).sum();
    List<Event> moreMinor = more.stream().filter(MinorFindings::isMinor).toList();
    minor += moreMinor.size();
    minorBytes += moreMinor.stream().mapToLong(Compaction::lineSize).sum();
    if (minor > MinorFindings.MAX_EVENTS || minorBytes > MinorFindings.MAX_BYTES) {
      events = new ArrayList<>(MinorFindings.trim(events));
      count();
    }
    if (events.size() > MAX_EVENTS || bytes > maxBytes) {
      // To three quarters, so that it is not due again at once.
      events = new Compaction(events).downTo(MAX_EVENTS * 3 / 4, maxBytes * 3 / 4);
      count();
    }
    snapshot = List.copyOf(events);
    more.forEach(listener);
  }

  private void count() {
    bytes = events.stream().mapToLong(Compaction::lineSize).sum();
    List<Event> minorNow = events.stream().filter(MinorFindings::isMinor).toList();
    minor = minorNow.size();
    minorBytes = minorNow.stream().mapToLong(Compaction::lineSize).sum();
  }

  /** Oldest first, immutable. */
  public List<Event> events() {
    return snapshot;
  }

  /** Events since the agent started, by kind as in {@link EventKind}. */
  public synchronized Map<String, Long> counts() {
    return new TreeMap<>(counts);
  }
}
