package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.common.log.Log;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.RasSource;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Increases of the counters of GPUs and other parts between readings. Used by one thread. */
final class TrendTable implements Trends {

  /** Readings of counters are ten seconds apart, or a little less. */
  private static final Duration MIN_INTERVAL = Duration.ofSeconds(9);

  /** Readings kept: those of the longest window, and some before and after it. */
  private static final int READINGS = (int) LONGEST.dividedBy(MIN_INTERVAL) + 4;

  /** A series is kept for minutes; it does not matter if it stays a little longer. */
  private static final int READINGS_PER_EVICTION = 6;

  private static final Log LOG = Log.of(TrendTable.class);

  /** Bounds the series of each kind of part: a broken driver must not exhaust the memory. */
  static final int MAX_SERIES = 4_000;

  /** The same for what users start. Ranks have two each. */
  static final int MAX_SERIES_OF_USERS = 512;

  private static final Set<String> OF_USERS = Set.of(TrainingSource.KIND, RasSource.KIND);

  private final Map<String, List<Metric>> metrics;
  private final long[] times = new long[READINGS];

  /** By part, counter name and labels. One combined key would be allocated at each reading. */
  private final Map<String, Map<String, Map<List<String>, Track>>> tracks = new HashMap<>();

  /** Tracks by kind of part. */
  private final Map<String, Integer> sizes = new HashMap<>();

  private final Map<String, String> kinds = new HashMap<>();
  private final Set<String> logged = new HashSet<>();
  private int leftOutNow;
  private volatile int leftOut;

  /** The reading at which each GPU and rank was first seen. */
  private final Map<String, Long> firstSeen = new HashMap<>();

  /** The info series of each rank, with its process and GPU, at the last reading. */
  private final Map<String, Set<List<String>>> writers = new HashMap<>();

  private final Adder adder = new Adder();

  /** Readings taken; the last one has the number {@link #latest()}. */
  private long readings;

  private static final class Track {

    /** Null while there was no increase, as with most counters: they count errors. */
    private double @Nullable [] totals;

    final long first;
    long last;
    double value;

    /** A series with the same value from the first reading to the last. */
    Track(long first, long last, double value) {
      this.first = first;
      this.last = last;
      this.value = value;
    }

    /** After a reset the counter increases from zero; a reading without it is no increase. */
    void add(long reading, double now) {
      double increase = now >= value ? now - value : now;
      if (totals == null && increase != 0) {
        totals = new double[READINGS];
      }
      if (totals != null) {
        double before = totals[slot(last)];
        for (long missed = Math.max(last + 1, reading - READINGS + 1); missed < reading; missed++) {
          totals[slot(missed)] = before;
        }
        totals[slot(reading)] = before + increase;
      }
      value = now;
      last = reading;
    }

    /** The increase from the first reading to this one. */
    double total(long reading) {
      return totals == null ? 0 : totals[slot(reading)];
    }
  }

  TrendTable(Map<String, ? extends Collection<Metric>> metrics) {
    Map<String, List<Metric>> byKind = new HashMap<>();
    metrics.forEach((kind, some) -> byKind.put(kind, some.stream().distinct().toList()));
    this.metrics = Map.copyOf(byKind);
  }

  private long latest() {
    return readings - 1;
  }

  private static int slot(long reading) {
    return (int) (reading % READINGS);
  }

  /** In nanoseconds of the agent's running time. */
  private long at(long reading) {
    return times[slot(reading)];
  }

  /**
   * Adds a reading, unless it is too close to the last one; {@code ran}: how long the agent has run
   * without pauses, which no step of the clock changes.
   */
  void add(NodeSnapshot view, Duration ran) {
    long now = ran.toNanos();
    if (readings > 0 && now - at(latest()) < MIN_INTERVAL.toNanos()) {
      return;
    }
    readings++;
    times[slot(latest())] = now;
    leftOutNow = 0;
    view.all().filter(PartStatus::answers).forEach(this::add);
    leftOut = leftOutNow;
    if (readings % READINGS_PER_EVICTION == 0 || leftOutNow > 0) {
      evict();
    }
  }

  private void add(PartStatus part) {
    if (part.kind().equals(TrainingSource.KIND)) {
      forgetEarlierWriter(part);
    }
    List<Metric> counters = metrics.getOrDefault(part.kind(), List.of());
    kinds.put(part.key(), part.kind());
    add(part, first(part), counters);
  }

  /** A job that was started again, or another user's of that name, is not the one before. */
  private void forgetEarlierWriter(PartStatus rank) {
    Set<List<String>> now = rank.values().all(TrainingMetrics.INFO).keySet();
    Set<List<String>> before = writers.put(rank.key(), now);
    if (before != null && !before.equals(now)) {
      tracks.remove(rank.key());
      firstSeen.remove(rank.key());
    }
  }

  /**
   * The reading at which a new series was 0. Some counters of a GPU or a rank appear with their
   * first count; another part's existed earlier, in a file that could not be read. A GPU that was
   * not read for longer than its series are kept is as one that is new.
   */
  private long first(PartStatus part) {
    return part.kind().equals(Subject.Gpu.KIND) || part.kind().equals(TrainingSource.KIND)
        ? firstSeen.computeIfAbsent(part.key(), unseen -> latest())
        : latest();
  }

  private void evict() {
    sizes.clear();
    tracks.forEach(
        (part, ofPart) -> {
          int size = 0;
          for (Map<List<String>, Track> ofCounter : ofPart.values()) {
            ofCounter.values().removeIf(track -> track.last <= latest() - READINGS);
            size += ofCounter.size();
          }
          sizes.merge(kinds.getOrDefault(part, ""), size, Integer::sum);
        });
    tracks.values().removeIf(part -> part.values().stream().allMatch(Map::isEmpty));
    kinds.keySet().retainAll(tracks.keySet());
    writers.keySet().retainAll(tracks.keySet());
    firstSeen.keySet().retainAll(tracks.keySet());
  }

  private void add(PartStatus part, long first, List<Metric> counters) {
    Map<String, Map<List<String>, Track>> ofPart =
        tracks.computeIfAbsent(part.key(), unseen -> new HashMap<>());
    for (Metric counter : counters) {
      Map<List<String>, Track> ofCounter = ofPart.get(counter.name());
      if (ofCounter == null) {
        ofCounter = new HashMap<>();
        ofPart.put(counter.name(), ofCounter);
      }
      adder.kind = part.kind();
      adder.ofCounter = ofCounter;
      adder.first = isWhole(part, counter) ? latest() : first;
      part.values().each(counter, adder);
    }
  }

  /** Of a GPU all series of such a counter are there as soon as it is read at all. */
  private static boolean isWhole(PartStatus part, Metric counter) {
    return part.kind().equals(Subject.Gpu.KIND)
        && !counter.name().equals(GpuMetrics.NVLINK_ERRORS.name());
  }

  /** Adds the values of one counter; one object for the hundreds of a reading. */
  private final class Adder implements Values.Each {
    String kind = "";
    Map<List<String>, Track> ofCounter = Map.of();
    long first;

    @Override
    public void value(List<String> labels, double value) {
      add(kind, ofCounter, labels, first, value);
    }
  }

  /** Adds a value; a series that appears after its part's {@code first} reading started at zero. */
  private void add(
      String kind,
      Map<List<String>, Track> ofCounter,
      List<String> labels,
      long first,
      double value) {
    Track track = ofCounter.get(labels);
    if (track == null) {
      if (sizes.getOrDefault(kind, 0) >= max(kind)) {
        leaveOut(kind);
        return;
      }
      sizes.merge(kind, 1, Integer::sum);
      track =
          first == latest()
              ? new Track(latest(), latest(), value)
              : new Track(Math.max(first, latest() - READINGS + 1), latest() - 1, 0);
      ofCounter.put(labels, track);
    }
    track.add(latest(), value);
  }

  private static int max(String kind) {
    return OF_USERS.contains(kind) ? MAX_SERIES_OF_USERS : MAX_SERIES;
  }

  private void leaveOut(String kind) {
    leftOutNow++;
    if (logged.add(kind)) {
      LOG.warn("too many counters; the increase of more is not followed", "kind", kind);
    }
  }

  /** Counters of the last reading whose increase is not followed. Thread-safe. */
  int leftOut() {
    return leftOut;
  }

  @Override
  public OptionalDouble increase(String part, Metric metric, List<String> labels, Duration window) {
    Track track = track(part, metric, labels);
    if (track == null) {
      return OptionalDouble.empty();
    }
    long end = at(track.last);
    long start = start(track, end - window.toNanos());
    boolean enough = at(start) <= end - window.toNanos() / 2;
    return enough
        ? OptionalDouble.of(track.total(track.last) - track.total(start))
        : OptionalDouble.empty();
  }

  @Override
  public double covered(String part, Metric metric, List<String> labels, Duration window) {
    Track track = track(part, metric, labels);
    if (track == null) {
      return 0;
    }
    long end = at(track.last);
    return (end - at(start(track, end - window.toNanos()))) / 1e9;
  }

  private @Nullable Track track(String part, Metric metric, List<String> labels) {
    return tracks.getOrDefault(part, Map.of()).getOrDefault(metric.name(), Map.of()).get(labels);
  }

  /** The last reading before the window, or the first one kept. */
  private long start(Track track, long begin) {
    long end = track.last;
    long start = Math.min(end, Math.max(track.first, latest() - READINGS + 1));
    while (start < end) {
      long middle = start + (end - start + 1) / 2;
      if (at(middle) <= begin) {
        start = middle;
      } else {
        end = middle - 1;
      }
    }
    return start;
  }
}
