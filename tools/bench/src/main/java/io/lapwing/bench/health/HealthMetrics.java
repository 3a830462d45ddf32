package io.lapwing.bench.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.MetricsPage;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** The health metrics in a scrape response of an agent. */
record HealthMetrics(String text) {

  private static final long GIVE_UP_NANOS = 60_000_000_000L;

  static HealthMetrics of(ScrapeClient client) throws IOException {
    client.scrapeNanos();
    return new HealthMetrics(new String(client.body(), UTF_8));
  }

  /** Waits for the first verdict; it is healthy only if every GPU answers. */
  static void awaitVerdict(Server server) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < GIVE_UP_NANOS) {
      try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
        HealthMetrics metrics = of(client);
        if (metrics.is("lapwing_node_verdict{verdict=\"healthy\"} 1")) {
          return;
        }
      } catch (IOException notYet) {
        server.mustBeAlive();
      }
      Thread.sleep(20);
    }
    throw new IOException("the node was not healthy within 60 s");
  }

  boolean is(String line) {
    return text.contains("\n" + line + "\n");
  }

  private DoubleStream values(String name) {
    return MetricsPage.series(text, name).mapToDouble(MetricsPage.Series::value);
  }

  double sum(String name) {
    return values(name).sum();
  }

  OptionalDouble value(String name) {
    return values(name).findFirst();
  }

  /** The minimum of the series with this label. */
  OptionalDouble min(String name, String label, String value) {
    return MetricsPage.series(text, name)
        .filter(series -> value.equals(series.labels().get(label)))
        .mapToDouble(MetricsPage.Series::value)
        .min();
  }

  /**
   * A GPU.
   *
   * @param pci such as {@code 0000:53:00}, as in the driver's log lines
   */
  record Gpu(String index, String uuid, String pci) {}

  List<Gpu> gpus() {
    return MetricsPage.series(text, "lapwing_gpu_info").map(HealthMetrics::gpu).toList();
  }

  private static Gpu gpu(MetricsPage.Series info) {
    String bus = label(info, "pci_bus_id").toLowerCase(Locale.ROOT);
    int end = bus.lastIndexOf('.');
    return new Gpu(label(info, "gpu"), label(info, "UUID"), bus.substring(end - 10, end));
  }

  private static String label(MetricsPage.Series series, String name) {
    String value = series.labels().get(name);
    if (value == null) {
      throw new IllegalArgumentException("no " + name + " in " + series);
    }
    return value;
  }
}
