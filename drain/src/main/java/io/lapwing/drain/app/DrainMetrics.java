package io.lapwing.drain.app;

import io.lapwing.common.web.RequestMeter;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.jobs.JobAtStake;
import io.lapwing.drain.jobs.Loss;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.EndedJob;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Counts of past decisions, for {@code /metrics}; {@link StateCollector} has the current state. */
final class DrainMetrics implements RequestMeter {

  private static final double HOUR = 3600;
  private static final double[] SECONDS = {1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400};

  private final CollectorRegistry registry = new CollectorRegistry();

  /** By remediation, the last phase that was seen. */
  private final Map<String, Phase> phases = new HashMap<>();

  /** Remediations whose node was in service again, and when it was to be taken once more. */
  private final Map<String, Instant> again = new HashMap<>();

  /** By remediation, the loss of the jobs that it ended, until they have left. */
  private final Map<String, Map<String, Loss>> losses = new HashMap<>();

  private final Histogram quarantine =
      Histogram.build(
              "lapwing_drain_time_to_quarantine_seconds",
              "Time from a request to a node out of service.")
          .buckets(SECONDS)
          .register(registry);

  private final Histogram drain =
      Histogram.build(
              "lapwing_drain_jobs_left_seconds",
              "Time from a node out of service to its last job gone.")
          .buckets(SECONDS)
          .register(registry);

  private final Histogram outOfService =
      Histogram.build(
              "lapwing_drain_out_of_service_seconds",
              "Time from a node out of service to its return.")
          .buckets(SECONDS)
          .register(registry);

  private final Counter ended =
      Counter.build("lapwing_drain_remediations_ended_total", "Remediations that ended, by result.")
          .labelNames("result")
          .register(registry);

  private final Counter jobs =
      Counter.build(
              "lapwing_drain_jobs_ended_total",
              "Jobs that were ended on a drained node and have left it, by whether their loss is"
                  + " known.")
          .labelNames("loss")
          .register(registry);

  private final Counter lost =
      Counter.build(
              "lapwing_drain_jobs_lost_gpu_seconds_total",
              "GPU time that these jobs lost: work since the last durable checkpoint and the"
                  + " restart, on all of their GPUs.")
          .register(registry);

  private final Counter repairs =
      Counter.build("lapwing_drain_repairs_total", "Commands to repair a node, by result.")
          .labelNames("verb", "result")
          .register(registry);

  private final Counter requests =
      Counter.build("lapwing_drain_http_requests_total", "HTTP requests.")
          .labelNames("handler", "code")
          .register(registry);

  private final Gauge reloaded =
      Gauge.build(
              "lapwing_config_last_reload_successful",
              "Whether the last reload of the configuration succeeded.")
          .register(registry);

  private final Gauge reloadedAt =
      Gauge.build(
              "lapwing_config_last_reload_success_timestamp_seconds",
              "When the configuration in effect was loaded.")
          .register(registry);

  private final Counter rejected =
      Counter.build(
              "lapwing_drain_http_requests_rejected_total",
              "HTTP requests that were refused because too many were in progress.")
          .register(registry);

  /** Adds the current state. */
  void add(Collector state) {
    state.register(registry);
  }

  /** A decision. */
  synchronized void decided(Entry entry) {
    Remediation state = entry.state();
    Phase before = phases.getOrDefault(state.id(), Phase.REQUESTED);
    phases.put(state.id(), state.phase());
    if (before.holdsNode() && state.phase() == Phase.REQUESTED) {
      again.put(state.id(), entry.at());
    }
    if (!before.holdsNode() && state.phase().holdsNode()) {
      Instant asked = again.getOrDefault(state.id(), state.opened());
      state.taken().ifPresent(at -> quarantine.observe(seconds(asked, at)));
    }
    keepLosses(entry);
    if (before == Phase.WAITING_FOR_JOBS && state.phase() == Phase.DRAINED) {
      count(losses.getOrDefault(state.id(), Map.of()).values());
      losses.remove(state.id());
      state.taken().ifPresent(at -> drain.observe(seconds(at, entry.at())));
    }
    if (state.phase().ended()) {
      phases.remove(state.id());
      again.remove(state.id());
      losses.remove(state.id());
      ended.labels(state.phase().word()).inc();
      if (state.phase() == Phase.RETURNED) {
        state.taken().ifPresent(at -> outOfService.observe(seconds(at, entry.at())));
      }
    }
  }

  /** A command that was refused is taken back: its job is no longer among the ended. */
  private void keepLosses(Entry entry) {
    Remediation state = entry.state();
    if (state.phase() != Phase.WAITING_FOR_JOBS) {
      return;
    }
    Map<String, Loss> ofJobs = losses.computeIfAbsent(state.id(), any -> new HashMap<>());
    Set<String> ended = state.endedJobs().stream().map(EndedJob::job).collect(Collectors.toSet());
    ofJobs.keySet().retainAll(ended);
    ended.forEach(job -> ofJobs.computeIfAbsent(job, id -> loss(entry, id)));
  }

  private static Loss loss(Entry entry, String job) {
    return entry.radius().map(BlastRadius::jobs).orElse(List.of()).stream()
        .filter(one -> one.id().equals(job))
        .map(JobAtStake::now)
        .findFirst()
        .orElse(Loss.UNKNOWN);
  }

  private void count(Collection<Loss> left) {
    for (Loss loss : left) {
      jobs.labels(loss.gpuHours().isPresent() ? "known" : "unknown").inc();
      loss.gpuHours().ifPresent(hours -> lost.inc(hours * HOUR));
    }
  }

  /** Those of before the start, which are not observed again. */
  synchronized void recover(Iterable<Remediation> open) {
    open.forEach(one -> phases.put(one.id(), one.phase()));
  }

  /** The start, or a reload. */
  void loaded(boolean good, Instant at) {
    reloaded.set(good ? 1 : 0);
    if (good) {
      reloadedAt.set(at.toEpochMilli() / 1000.0);
    }
  }

  void repair(String verb, String result) {
    repairs.labels(verb, result).inc();
  }

  @Override
  public void started() {}

  @Override
  public void answered(String handler, int status) {
    requests.labels(handler, Integer.toString(status)).inc();
  }

  @Override
  public void rejected() {
    rejected.inc();
  }

  /** The page in Prometheus' text format. */
  String text() {
    StringWriter page = new StringWriter();
    try {
      TextFormat.write004(page, Collections.enumeration(families()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return page.toString();
  }

  /** Without the times at which counters were created: one more series for each. */
  private List<MetricFamilySamples> families() {
    List<MetricFamilySamples> families = new ArrayList<>();
    for (MetricFamilySamples family : Collections.list(registry.metricFamilySamples())) {
      families.add(
          new MetricFamilySamples(
              family.name,
              family.unit,
              family.type,
              family.help,
              family.samples.stream().filter(one -> !one.name.endsWith("_created")).toList()));
    }
    return families;
  }

  private static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
  }
}
