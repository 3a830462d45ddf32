package io.lapwing.agent.judge;

import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** How counters of GPUs and other parts moved, from one look to the next. Used by one thread. */
final class TrendTable implements Trends {

  private static final Duration APART = Duration.ofSeconds(10);

  /** Looks that are kept: the longest window, and the looks before and behind it. */
  private static final int LOOKS = (int) LONGEST.dividedBy(APART) + 4;

  /** More series than this are not followed: a broken driver must not fill the memory. */
  private static final int MOST = 4_000;

  private final Map<String, List<Metric>> metrics;
  private final Instant[] times = new Instant[LOOKS];
  private final Map<Key, Track> tracks = new HashMap<>();

  /**
   * The look at which each GPU was seen first. Some of its counters appear with what they count; a
   * counter of another part was there before, in a file that could not be read.
   */
  private final Map<String, Long> watched = new HashMap<>();

  private long look = -1;

  private record Key(String part, String metric, List<String> labels) {}

  /** The growth of one series, by look. */
  private static final class Track {
    final double[] totals = new double[LOOKS];
    final long first;
    long last;
    double value;

    /** One that stood at a value since a look, and was not seen to grow until the last one. */
    Track(long first, long last, double value) {
      this.first = first;
      this.last = last;
      this.value = value;
    }

    /** Grows from zero where the counter began anew; looks that missed it saw no growth. */
    void add(long look, double now) {
      double before = totals[slot(last)];
      for (long missed = Math.max(last + 1, look - LOOKS + 1); missed < look; missed++) {
        totals[slot(missed)] = before;
      }
      totals[slot(look)] = before + (now >= value ? now - value : now);
      value = now;
      last = look;
    }
  }

  /**
   * Nothing seen yet.
   *
   * @param metrics the counters to follow, by {@code gpu} or the kind of the parts that have them
   */
  TrendTable(Map<String, ? extends Collection<Metric>> metrics) {
    Map<String, List<Metric>> byKind = new HashMap<>();
    metrics.forEach((kind, some) -> byKind.put(kind, some.stream().distinct().toList()));
    this.metrics = Map.copyOf(byKind);
  }

  private static int slot(long look) {
    return (int) (look % LOOKS);
  }

  private Instant at(long ofLook) {
    return times[slot(ofLook)];
  }

  /** Takes a look into account, unless it is too close to the last one. */
  void note(NodeView view) {
    if (look >= 0) {
      if (at(look).isAfter(view.now())) {
        tracks.clear(); // The clock was set back: what was before cannot be put in order.
        watched.clear();
      } else if (view.now().isBefore(at(look).plus(APART))) {
        return;
      }
    }
    look++;
    times[slot(look)] = view.now();
    for (GpuNow gpu : view.gpus()) {
      if (gpu.state() == GpuNow.State.ANSWERS) {
        long first = watched.computeIfAbsent(gpu.uuid(), unseen -> look);
        note(gpu.uuid(), first, metrics.getOrDefault("gpu", List.of()), gpu.values());
      }
    }
    for (PartNow part : view.parts()) {
      if (part.answers()) {
        note(part.key(), look, metrics.getOrDefault(part.kind(), List.of()), part.values());
      }
    }
    tracks.values().removeIf(track -> track.last <= look - LOOKS);
  }

  private void note(String part, long first, List<Metric> counters, Values values) {
    for (Metric counter : counters) {
      values
          .all(counter)
          .forEach((labels, value) -> note(new Key(part, counter.name(), labels), first, value));
    }
  }

  /**
   * A series that appears later than its device was seen began at zero.
   *
   * @param first the look at which the device was seen first; this one where that says nothing
   */
  private void note(Key key, long first, double value) {
    Track track = tracks.get(key);
    if (track == null) {
      if (tracks.size() >= MOST) {
        return;
      }
      track =
          first == look
              ? new Track(look, look, value)
              : new Track(Math.max(first, look - LOOKS + 1), look - 1, 0);
      tracks.put(key, track);
    }
    track.add(look, value);
  }

  @Override
  public OptionalDouble increase(String part, Metric metric, List<String> labels, Duration window) {
    Track track = tracks.get(new Key(part, metric.name(), labels));
    if (track == null) {
      return OptionalDouble.empty();
    }
    Instant end = at(track.last);
    long start = start(track, end.minus(window));
    boolean enough = !at(start).isAfter(end.minusNanos(window.toNanos() / 2));
    return enough
        ? OptionalDouble.of(track.totals[slot(track.last)] - track.totals[slot(start)])
        : OptionalDouble.empty();
  }

  /** The last look that is not within the window, or the first there is. */
  private long start(Track track, Instant begin) {
    long oldest = Math.max(track.first, look - LOOKS + 1);
    long start = track.last;
    while (start > oldest && at(start).isAfter(begin)) {
      start--;
    }
    return start;
  }
}
