package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
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
import java.util.concurrent.TimeUnit;

/** How counters of GPUs and other parts moved, from one look to the next. Used by one thread. */
final class TrendTable implements Trends {

  private static final Duration APART = Duration.ofSeconds(10);

  /** Looks that are kept: the longest window, and the looks before and behind it. */
  private static final int LOOKS = (int) LONGEST.dividedBy(APART) + 4;

  /** More series than this are not followed: a broken driver must not fill the memory. */
  private static final int MOST = 4_000;

  private final Map<String, List<Metric>> metrics;
  private final long[] times = new long[LOOKS];

  /**
   * By part, by the name of the counter, by labels. A key of its own would be made at each look.
   */
  private final Map<String, Map<String, Map<List<String>, Track>>> tracks = new HashMap<>();

  private int size;

  /** The reading at which each GPU was first seen. */
  private final Map<String, Long> watched = new HashMap<>();

  /** Readings taken; the last one has the number {@link #look()}. */
  private long looks;

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

  private long look() {
    return looks - 1;
  }

  private static int slot(long look) {
    return (int) (look % LOOKS);
  }

  /** In nanoseconds since 1970. */
  private long at(long ofLook) {
    return times[slot(ofLook)];
  }

  private static long nanos(Instant at) {
    return TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano();
  }

  /** Takes a look into account, unless it is too close to the last one. */
  void note(NodeSnapshot view) {
    long now = nanos(view.now());
    if (looks > 0) {
      if (at(look()) > now) {
        tracks.clear(); // The clock was set back: what was before cannot be put in order.
        size = 0;
        watched.clear();
      } else if (now - at(look()) < APART.toNanos()) {
        return;
      }
    }
    looks++;
    times[slot(look())] = now;
    view.all().filter(PartStatus::answers).forEach(this::note);
    forget();
  }

  private void note(PartStatus part) {
    List<Metric> counters = metrics.getOrDefault(part.kind(), List.of());
    note(part.key(), first(part), counters, part.values());
  }

  /**
   * The reading at which a series that is new now was 0. Some counters of a GPU appear with the
   * first thing they count; one of another part existed earlier, in a file that could not be read.
   */
  private long first(PartStatus part) {
    return part.kind().equals(Subject.Gpu.KIND)
        ? watched.computeIfAbsent(part.key(), unseen -> look())
        : look();
  }

  private void forget() {
    for (Map<String, Map<List<String>, Track>> ofPart : tracks.values()) {
      for (Map<List<String>, Track> ofCounter : ofPart.values()) {
        size -= ofCounter.size();
        ofCounter.values().removeIf(track -> track.last <= look() - LOOKS);
        size += ofCounter.size();
      }
    }
    tracks.values().removeIf(part -> part.values().stream().allMatch(Map::isEmpty));
  }

  private void note(String part, long first, List<Metric> counters, Values values) {
    Map<String, Map<List<String>, Track>> ofPart =
        tracks.computeIfAbsent(part, unseen -> new HashMap<>());
    for (Metric counter : counters) {
      Map<List<String>, Track> ofCounter =
          ofPart.computeIfAbsent(counter.name(), unseen -> new HashMap<>());
      values.each(counter, (labels, value) -> note(ofCounter, labels, first, value));
    }
  }

  /**
   * A series that appears later than its device was seen began at zero.
   *
   * @param first the look at which the device was seen first; this one where that says nothing
   */
  private void note(
      Map<List<String>, Track> ofCounter, List<String> labels, long first, double value) {
    Track track = ofCounter.get(labels);
    if (track == null) {
      if (size >= MOST) {
        return;
      }
      size++;
      track =
          first == look()
              ? new Track(look(), look(), value)
              : new Track(Math.max(first, look() - LOOKS + 1), look() - 1, 0);
      ofCounter.put(labels, track);
    }
    track.add(look(), value);
  }

  @Override
  public OptionalDouble increase(String part, Metric metric, List<String> labels, Duration window) {
    Track track =
        tracks.getOrDefault(part, Map.of()).getOrDefault(metric.name(), Map.of()).get(labels);
    if (track == null) {
      return OptionalDouble.empty();
    }
    long end = at(track.last);
    long start = start(track, end - window.toNanos());
    boolean enough = at(start) <= end - window.toNanos() / 2;
    return enough
        ? OptionalDouble.of(track.totals[slot(track.last)] - track.totals[slot(start)])
        : OptionalDouble.empty();
  }

  /** The last look that is not within the window, or the first there is. */
  private long start(Track track, long begin) {
    long oldest = Math.max(track.first, look() - LOOKS + 1);
    long start = track.last;
    while (start > oldest && at(start) > begin) {
      start--;
    }
    return start;
  }
}
