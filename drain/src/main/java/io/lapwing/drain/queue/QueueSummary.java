package io.lapwing.drain.queue;

import io.lapwing.drain.cluster.QueuedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The jobs that wait, counted by partition, account and layer; never by job. Any user may submit
 * jobs, so partitions and accounts beyond the first are counted together.
 */
public record QueueSummary(Map<Key, Waiting> waiting) {

  private static final int MOST = 400;
  private static final String OTHERS = "(others)";

  public QueueSummary {
    waiting = Map.copyOf(waiting);
  }

  /** Of which jobs. */
  public record Key(String group, String account, Layer layer) {}

  /**
   * How many.
   *
   * @param jobs tasks of arrays count each
   * @param gpus that they request
   * @param oldestSeconds since the one that waits longest may start; 0 if none may yet
   */
  public record Waiting(long jobs, long gpus, double oldestSeconds) {

    Waiting plus(QueuedJob job, double seconds) {
      return new Waiting(
          jobs + job.tasks(), gpus + job.tasks() * job.gpus(), Math.max(oldestSeconds, seconds));
    }
  }

  public static QueueSummary of(
      Collection<QueuedJob> queue, QueueReasons reasons, Capacity capacity, Instant now) {
    Map<Key, Waiting> waiting = new LinkedHashMap<>();
    for (QueuedJob job : queue) {
      Layer layer = reasons.of(job, capacity).layer();
      Key key =
          new Key(
              String.join(",", job.partitions().stream().sorted().toList()), job.account(), layer);
      if (!waiting.containsKey(key) && waiting.size() >= MOST) {
        key = new Key(OTHERS, OTHERS, layer);
      }
      double seconds =
          job.eligible()
              .map(since -> Math.max(0, Duration.between(since, now).toMillis() / 1e3))
              .orElse(0.0);
      waiting.merge(
          key,
          new Waiting(0, 0, 0).plus(job, seconds),
          (one, other) ->
              new Waiting(
                  one.jobs() + other.jobs(),
                  one.gpus() + other.gpus(),
                  Math.max(one.oldestSeconds(), other.oldestSeconds())));
    }
    return new QueueSummary(waiting);
  }
}
