package io.lapwing.agent.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The agent's own metrics: process, JVM, HTTP requests. Written last, because this registry writes
 * OpenMetrics' closing {@code # EOF}.
 *
 * <p>{@link #empty()} implements {@code --web.disable-exporter-metrics}: no series, only the {@code
 * # EOF} of OpenMetrics. Every response ends with {@link #write}.
 */
public final class SelfRegistry {
  private final CollectorRegistry registry;
  private final RequestMeter requests;

  private SelfRegistry(CollectorRegistry registry, RequestMeter requests) {
    this.registry = registry;
    this.requests = requests;
  }

  /** A registry of this process. */
  @SuppressWarnings("deprecation") // all of Micrometer's simpleclient registry is deprecated
  public static SelfRegistry ofThisProcess() {
    CollectorRegistry registry = new CollectorRegistry();
    PrometheusMeterRegistry meters =
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
    new ProcessCollector(Path.of("/proc/self")).register(registry);
    new JvmMetrics().bindTo(meters);
    return new SelfRegistry(registry, new HttpMetrics(meters));
  }

  /** A registry without series. */
  public static SelfRegistry empty() {
    return new SelfRegistry(new CollectorRegistry(), RequestMeter.NONE);
  }

  /** The request counters of the web server. */
  public RequestMeter requests() {
    return requests;
  }

  /** The families registered so far, sorted by name. */
  public List<Family> families() {
    return Collections.list(registry.metricFamilySamples()).stream()
        .map(SelfRegistry::family)
        .sorted(Comparator.comparing(Family::name))
        .toList();
  }

  private static Family family(Collector.MetricFamilySamples family) {
    boolean counter = family.type == Collector.Type.COUNTER;
    return new Family(
        counter ? family.name + "_total" : family.name,
        family.type.name().toLowerCase(Locale.ROOT),
        family.help,
        family.samples.isEmpty() ? List.of() : family.samples.get(0).labelNames);
  }

  /** Writes all series, and {@code # EOF} in OpenMetrics. */
  public void write(PageFormat format, OutputStream out) throws IOException {
    // TextFormat writes a few characters at a time: unbuffered it allocates 80 times as much.
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    switch (format) {
      case TEXT_0_0_4 -> TextFormat.write004(writer, registry.metricFamilySamples());
      case OPENMETRICS_1_0_0 ->
          TextFormat.writeOpenMetrics100(writer, registry.metricFamilySamples());
    }
    writer.flush();
  }

  /** A metric family, under its sample name. */
  public record Family(String name, String type, String help, List<String> labels) {

    public Family {
      labels = List.copyOf(labels);
    }
  }
}
