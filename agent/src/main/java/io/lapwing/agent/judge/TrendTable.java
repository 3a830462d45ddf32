package io.lapwing.agent.judge;

import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.Trends;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** How counters of GPUs moved, from one look to the next. Used by one thread. */
final class TrendTable implements Trends {

  private static final Duration APART = Duration.ofSeconds(10);

  /** More series than this are not followed: a broken driver must not fill the memory. */
  private static final int MOST = 4_000;

  private final List<Metric> metrics;
  private final Map<Key, Track> tracks = new HashMap<>();
  private final Map<String, Instant> watched = new HashMap<>();
  private Instant last = Instant.MIN;

  private record Key(String gpu, String metric, List<String> labels) {}

  /** The growth up to one look. */
  private record Point(Instant at, double total) {}

  private static final class Track {
    final Deque<Point> points = new ArrayDeque<>();
    double value;
    double total;

    void add(Instant at, double now) {
      total += now >= value ? now - value : now;
      value = now;
      points.addLast(new Point(at, total));
      while (points.size() > 2 && points.getFirst().at().plus(LONGEST).plus(APART).isBefore(at)) {
        points.removeFirst();
      }
    }
  }

  TrendTable(Collection<Metric> metrics) {
    this.metrics = metrics.stream().distinct().toList();
  }

  /** Takes a look into account, unless it is too close to the last one. */
  void note(NodeView view) {
    if (last.isAfter(view.now())) {
      tracks.clear(); // The clock was set back: what was before cannot be put in order.
    } else if (!last.equals(Instant.MIN) && view.now().isBefore(last.plus(APART))) {
      return;
    }
    last = view.now();
    for (GpuNow gpu : view.gpus()) {
      if (gpu.state() == GpuNow.State.ANSWERS) {
        boolean first = watched.putIfAbsent(gpu.uuid(), last) == null;
        metrics.forEach(metric -> note(gpu, metric, first));
      }
    }
  }

  private void note(GpuNow gpu, Metric metric, boolean first) {
    gpu.values()
        .all(metric)
        .forEach((labels, value) -> note(new Key(gpu.uuid(), metric.name(), labels), value, first));
  }

  /** A series that appears on a GPU that was watched before began at zero. */
  private void note(Key key, double value, boolean first) {
    Track track = tracks.get(key);
    if (track == null) {
      if (tracks.size() >= MOST) {
        return;
      }
      track = new Track();
      tracks.put(key, track);
      if (first) {
        track.value = value;
      } else {
        track.points.addLast(new Point(watched.getOrDefault(key.gpu(), last), 0));
        track.points.addLast(new Point(last.minus(APART), 0));
      }
    }
    track.add(last, value);
  }

  @Override
  public OptionalDouble increase(String gpu, Metric metric, List<String> labels, Duration window) {
    Track track = tracks.get(new Key(gpu, metric.name(), labels));
    if (track == null || track.points.isEmpty()) {
      return OptionalDouble.empty();
    }
    Instant end = track.points.getLast().at();
    Point start = start(track, end.minus(window));
    boolean enough = !start.at().isAfter(end.minus(window.dividedBy(2)));
    return enough ? OptionalDouble.of(track.total - start.total()) : OptionalDouble.empty();
  }

  /** The last point that is not within the window, or the first there is. */
  private static Point start(Track track, Instant begin) {
    Point start = track.points.getFirst();
    Iterator<Point> points = track.points.iterator();
    while (points.hasNext()) {
      Point point = points.next();
      if (point.at().isAfter(begin)) {
        return start;
      }
      start = point;
    }
    return start;
  }
}
