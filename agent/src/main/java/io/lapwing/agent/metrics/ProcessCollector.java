package io.lapwing.agent.metrics;

import io.prometheus.client.Collector;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code process_...}: the standard process metrics of Prometheus client libraries. Read once per
 * scrape for consistent values. A collector rather than meters, because a meter cannot be absent.
 */
final class ProcessCollector extends Collector {
  private final Path self;
  private final Optional<Instant> start = ProcessHandle.current().info().startInstant();

  ProcessCollector(Path self) {
    this.self = self;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    try {
      return families(SelfProcess.read(self));
    } catch (IOException e) {
      // Probably out of file descriptors: omit the metrics.
      return List.of();
    }
  }

  private List<MetricFamilySamples> families(SelfProcess now) {
    List<MetricFamilySamples> families = new ArrayList<>();
    families.add(
        new CounterMetricFamily(
            "process_cpu_seconds",
            "CPU time this process has used, user and system.",
            now.cpuSeconds()));
    families.add(
        new GaugeMetricFamily(
            "process_resident_memory_bytes",
            "Resident memory of this process.",
            now.residentBytes()));
    families.add(
        new GaugeMetricFamily(
            "process_threads", "Threads of this process, the JVM's own included.", now.threads()));
    families.add(
        new GaugeMetricFamily(
            "process_open_fds", "Open file descriptors of this process.", now.openFds()));
    families.add(
        new GaugeMetricFamily(
            "process_max_fds", "Most file descriptors this process may have open.", now.maxFds()));
    start.ifPresent(instant -> families.add(startTime(instant)));
    return families;
  }

  private static MetricFamilySamples startTime(Instant start) {
    return new GaugeMetricFamily(
        "process_start_time_seconds",
        "When this process started, since the Unix epoch.",
        start.toEpochMilli() / 1e3);
  }
}
