package io.lapwing.agent.metrics;

import io.lapwing.common.web.RequestMeter;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
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
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The agent's own metrics, written last because of OpenMetrics' {@code # EOF}. {@link #empty()}
 * implements {@code --web.disable-exporter-metrics}: only the {@code # EOF}.
 */
public final class SelfRegistry {

  /** Characters. */
  private static final int BUFFERED = 1 << 9;

  private final CollectorRegistry registry;
  private final RequestMeter requests;

  private SelfRegistry(CollectorRegistry registry, RequestMeter requests) {
    this.registry = registry;
    this.requests = requests;
  }

  @SuppressWarnings("deprecation") // all of Micrometer's simpleclient registry is deprecated
  public static SelfRegistry ofThisProcess() {
    CollectorRegistry registry = new CollectorRegistry();
    PrometheusMeterRegistry meters =
        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
    new ProcessCollector(Path.of("/proc/self")).register(registry);
    new JvmMetrics().bindTo(meters);
    return new SelfRegistry(registry, new HttpMetrics(meters));
  }

  public static SelfRegistry empty() {
    return new SelfRegistry(new CollectorRegistry(), RequestMeter.NONE);
  }

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

  /** Writes the series of these sample names, and {@code # EOF} in OpenMetrics. */
  public void write(PageFormat format, Predicate<String> names, OutputStream out)
      throws IOException {
    // TextFormat writes a few characters at a time: unbuffered it allocates 80 times as much. The
    // usual buffer is larger than everything that is written here.
    io.prometheus.client.Predicate<String> only = names::test;
    Writer writer =
        new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFERED);
    switch (format) {
      case TEXT_0_0_4 -> TextFormat.write004(writer, registry.filteredMetricFamilySamples(only));
      case OPENMETRICS_1_0_0 ->
          TextFormat.writeOpenMetrics100(writer, registry.filteredMetricFamilySamples(only));
    }
    writer.flush();
  }

  public record Family(String name, String type, String help, List<String> labels) {

    public Family {
      labels = List.copyOf(labels);
    }
  }

  /** {@code lapwing_http_...}. */
  static final class HttpMetrics implements RequestMeter {
    private final MeterRegistry registry;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Counter rejected;

    /** By route and status; cheaper than a lookup by Micrometer tags. */
    private final Map<String, Map<Integer, Counter>> answered = new ConcurrentHashMap<>();

    HttpMetrics(MeterRegistry registry) {
      this.registry = registry;
      this.rejected =
          Counter.builder("lapwing.http.requests.rejected")
              .description("Scrapes refused because --web.max-requests were in flight.")
              .register(registry);
      Gauge.builder("lapwing.http.requests.in.flight", inFlight::get)
          .description("Requests being answered.")
          .register(registry);
    }

    @Override
    public void started() {
      inFlight.incrementAndGet();
    }

    @Override
    public void answered(String handler, int status) {
      inFlight.decrementAndGet();
      answered
          .computeIfAbsent(handler, unused -> new ConcurrentHashMap<>())
          .computeIfAbsent(status, code -> counter(handler, code))
          .increment();
    }

    @Override
    public void rejected() {
      rejected.increment();
    }

    private Counter counter(String handler, int status) {
      return Counter.builder("lapwing.http.requests")
          .tag("handler", handler)
          .tag("code", String.valueOf(status))
          .description("Requests answered, by route and status.")
          .register(registry);
    }
  }

  /** {@code jvm_...}: a subset of Micrometer's meters, without its listeners and threads. */
  static final class JvmMetrics implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
      MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
      memory(registry, "heap", memory::getHeapMemoryUsage);
      memory(registry, "nonheap", memory::getNonHeapMemoryUsage);
      for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
        FunctionTimer.builder(
                "jvm.gc.pause",
                collector,
                GarbageCollectorMXBean::getCollectionCount,
                GarbageCollectorMXBean::getCollectionTime,
                TimeUnit.MILLISECONDS)
            .tag("gc", collector.getName())
            .description("Pauses for garbage collection.")
            .register(registry);
      }
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      Gauge.builder("jvm.threads.live", threads::getThreadCount)
          .baseUnit("threads")
          .description("Java threads.")
          .register(registry);
      ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
      Gauge.builder("jvm.classes.loaded", classes::getLoadedClassCount)
          .baseUnit("classes")
          .description("Classes loaded now.")
          .register(registry);
    }

    private static void memory(MeterRegistry registry, String area, Supplier<MemoryUsage> usage) {
      Gauge.builder("jvm.memory.used", () -> usage.get().getUsed())
          .tag("area", area)
          .baseUnit("bytes")
          .description("Memory the JVM uses.")
          .register(registry);
      // -1 means no limit.
      if (usage.get().getMax() >= 0) {
        Gauge.builder("jvm.memory.max", () -> usage.get().getMax())
            .tag("area", area)
            .baseUnit("bytes")
            .description("Memory the JVM may use.")
            .register(registry);
      }
    }
  }
}
