package io.lapwing.drain.queue;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.QueuedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How long jobs waited, by partition: from when a job might start to when it was first seen to run.
 * Precise to the interval at which the queue is read. A job that leaves the queue without running
 * counts nowhere. Not thread-safe.
 */
public final class WaitTimes {

  /** Upper bounds in seconds: ten seconds to three days. */
  public static final List<Double> BOUNDS =
      List.of(10.0, 60.0, 300.0, 900.0, 3600.0, 14400.0, 43200.0, 86400.0, 259200.0);

  /** Any user may submit jobs. */
  private static final int MOST_JOBS = 100_000;

  private final Map<String, Waiting> waiting = new HashMap<>();
  private final Map<String, Histogram> groups = new TreeMap<>();

  /** Of the reading before: what runs may be of an earlier time than the queue. */
  private Map<String, Waiting> before = Map.of();

  private Set<String> runs = Set.of();

  private record Waiting(String group, Instant since) {}

  /** Counts of one partition; the last bucket has all. */
  public static final class Histogram {
    private final long[] counts = new long[BOUNDS.size() + 1];
    private double sum;

    private void observe(double seconds) {
      sum += seconds;
      for (int i = 0; i < BOUNDS.size(); i++) {
        counts[i] += seconds <= BOUNDS.get(i) ? 1 : 0;
      }
      counts[BOUNDS.size()]++;
    }

    /** Cumulative, in the order of {@link #BOUNDS}, then all. */
    public List<Long> counts() {
      List<Long> all = new ArrayList<>();
      for (long count : counts) {
        all.add(count);
      }
      return all;
    }

    public double sum() {
      return sum;
    }
  }

  /** Takes in what waits and what runs at one time. */
  public void update(Collection<QueuedJob> queue, Collection<Job> running, Instant now) {
    Set<String> ids = running.stream().map(Job::id).collect(Collectors.toSet());
    for (String id : ids) {
      Waiting waited = waiting.getOrDefault(array(id), before.get(array(id)));
      if (waited != null && !runs.contains(id)) {
        double seconds = Duration.between(waited.since(), now).toMillis() / 1e3;
        groups
            .computeIfAbsent(waited.group(), any -> new Histogram())
            .observe(Math.max(0, seconds));
      }
    }
    runs = ids;
    before = Map.copyOf(waiting);
    waiting.clear();
    queue.stream().limit(MOST_JOBS).forEach(job -> add(job, now));
  }

  private void add(QueuedJob job, Instant now) {
    job.eligible()
        .filter(eligible -> !eligible.isAfter(now))
        .ifPresent(
            eligible ->
                waiting.put(array(job.id()), new Waiting(String.join(",", sorted(job)), eligible)));
  }

  /**
   * Tasks of an array wait together, as {@code 4711_[3-9]}, and run each by itself; the components
   * of a heterogeneous job wait as {@code 4711+0} and {@code 4711+1}, and run as one.
   */
  static String array(String id) {
    return id.split("[_+]", 2)[0];
  }

  private static List<String> sorted(QueuedJob job) {
    return job.partitions().stream().sorted().toList();
  }

  public Map<String, Histogram> groups() {
    return Map.copyOf(groups);
  }
}
