package io.lapwing.drain.app;

import io.lapwing.drain.queue.GroupCapacity;
import io.lapwing.drain.queue.QueueSummary;
import io.lapwing.drain.queue.QueueWatch;
import io.lapwing.drain.queue.WaitTimes;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Why jobs wait, and what could start now: by partition, account and layer, never by job. */
final class QueueCollector extends Collector {

  private static final List<String> OF_JOBS = List.of("group", "account", "layer");
  private static final List<String> OF_GPUS = List.of("group", "state");
  private static final String WAITS = "lapwing_drain_queue_wait_seconds";

  private final QueueWatch queue;

  QueueCollector(QueueWatch queue) {
    this.queue = queue;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    QueueWatch.Report now = queue.last();
    List<MetricFamilySamples> all = new ArrayList<>();
    all.add(
        new GaugeMetricFamily(
            "lapwing_drain_queue_readable",
            "Whether the queue was read; without it there are no series of waiting jobs.",
            now.problem().isEmpty() ? 1 : 0));
    if (now.problem().isEmpty()) {
      waiting(now, all);
    }
    now.capacity().ifPresent(capacity -> capacity(capacity.groups(), all));
    all.add(histograms(now.waits()));
    return all;
  }

  private static void waiting(QueueWatch.Report now, List<MetricFamilySamples> all) {
    GaugeMetricFamily jobs =
        new GaugeMetricFamily(
            "lapwing_drain_queue_jobs", "Jobs that wait; each task of an array is one.", OF_JOBS);
    GaugeMetricFamily gpus =
        new GaugeMetricFamily("lapwing_drain_queue_gpus", "GPUs that waiting jobs want.", OF_JOBS);
    GaugeMetricFamily oldest =
        new GaugeMetricFamily(
            "lapwing_drain_queue_oldest_wait_seconds",
            "Time since the job that waits longest may start.",
            OF_JOBS);
    now.summary()
        .waiting()
        .forEach(
            (key, waiting) -> {
              jobs.addMetric(labels(key), (double) waiting.jobs());
              gpus.addMetric(labels(key), (double) waiting.gpus());
              oldest.addMetric(labels(key), waiting.oldestSeconds());
            });
    all.addAll(List.of(jobs, gpus, oldest));
  }

  private static List<String> labels(QueueSummary.Key key) {
    return List.of(key.group(), key.account(), key.layer().word());
  }

  private static void capacity(Iterable<GroupCapacity> groups, List<MetricFamilySamples> all) {
    GaugeMetricFamily gpus =
        new GaugeMetricFamily(
            "lapwing_drain_group_gpus",
            "GPUs of a partition or node group: allocated, free (on nodes without jobs), fragmented (free beside a job), out_of_service; and returnable, those of out_of_service on nodes without jobs.",
            OF_GPUS);
    GaugeMetricFamily largest =
        new GaugeMetricFamily(
            "lapwing_drain_group_largest_gang_gpus",
            "GPUs of the largest job of whole nodes that could start now.",
            List.of("group"));
    for (GroupCapacity group : groups) {
      gpus.addMetric(List.of(group.group(), "allocated"), group.allocated());
      gpus.addMetric(List.of(group.group(), "free"), group.free());
      gpus.addMetric(List.of(group.group(), "fragmented"), group.fragmented());
      gpus.addMetric(List.of(group.group(), "out_of_service"), group.outOfService());
      gpus.addMetric(List.of(group.group(), "returnable"), group.returnable());
      largest.addMetric(List.of(group.group()), group.free());
    }
    all.addAll(List.of(gpus, largest));
  }

  private static MetricFamilySamples histograms(Map<String, WaitTimes.Histogram> waits) {
    List<MetricFamilySamples.Sample> samples = new ArrayList<>();
    List<String> label = List.of("group");
    waits.forEach(
        (group, histogram) -> {
          List<String> of = List.of(group);
          List<Long> counts = histogram.counts();
          for (int i = 0; i < counts.size(); i++) {
            String bound =
                i < WaitTimes.BOUNDS.size() ? doubleToGoString(WaitTimes.BOUNDS.get(i)) : "+Inf";
            samples.add(
                new MetricFamilySamples.Sample(
                    WAITS + "_bucket",
                    List.of("group", "le"),
                    List.of(group, bound),
                    (double) counts.get(i)));
          }
          samples.add(new MetricFamilySamples.Sample(WAITS + "_sum", label, of, histogram.sum()));
          samples.add(
              new MetricFamilySamples.Sample(
                  WAITS + "_count", label, of, (double) counts.get(counts.size() - 1)));
        });
    return new MetricFamilySamples(
        WAITS,
        Type.HISTOGRAM,
        "Time that jobs waited, from when they might start to when they were seen to run.",
        samples);
  }
}
