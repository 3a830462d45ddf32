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
 * The agent's metrics of itself: its process, its JVM, its HTTP requests. They stand last on the
 * page, since this registry writes OpenMetrics' closing {@code # EOF}.
 *
 * <p>{@link #empty()} is what {@code --web.disable-exporter-metrics} asks for: it has no series and
 * writes nothing, in OpenMetrics nothing but the {@code # EOF}. A page always ends with {@link
 * #write}.
 */
public final class SelfRegistry {
  private final CollectorRegistry registry;
  private final RequestMeter requests;

  private SelfRegistry(CollectorRegistry registry, RequestMeter requests) {
    this.registry = registry;
    this.requests = requests;
  }

  /** A registry of this process. */
  @SuppressWarnings("deprecation") // Micrometer calls all of its simpleclient registry so
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

  /** Where the server counts its requests. */
  public RequestMeter requests() {
    return requests;
  }

  /** The families that there are by now, by name. */
  public List<SelfMetricFamily> families() {
    return Collections.list(registry.metricFamilySamples()).stream()
        .map(SelfRegistry::family)
        .sorted(Comparator.comparing(SelfMetricFamily::name))
        .toList();
  }

  private static SelfMetricFamily family(Collector.MetricFamilySamples family) {
    boolean counter = family.type == Collector.Type.COUNTER;
    return new SelfMetricFamily(
        counter ? family.name + "_total" : family.name,
        family.type.name().toLowerCase(Locale.ROOT),
        family.help,
        family.samples.isEmpty() ? List.of() : family.samples.get(0).labelNames);
  }

  /** Writes all series, and in OpenMetrics the end of the page. */
  public void write(PageFormat format, OutputStream out) throws IOException {
    // TextFormat writes a few characters at a time: unbuffered it costs eighty times the garbage.
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    switch (format) {
      case TEXT_0_0_4 -> TextFormat.write004(writer, registry.metricFamilySamples());
      case OPENMETRICS_1_0_0 ->
          TextFormat.writeOpenMetrics100(writer, registry.metricFamilySamples());
    }
    writer.flush();
  }
}
