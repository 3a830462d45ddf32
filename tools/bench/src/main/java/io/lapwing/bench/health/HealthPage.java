package io.lapwing.bench.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** One page of an agent, as far as health is concerned. */
record HealthPage(String text) {

  private static final long GIVE_UP_NANOS = 60_000_000_000L;
  private static final Pattern LABEL = Pattern.compile("([A-Za-z_]+)=\"([^\"]*)\"");

  static HealthPage of(ScrapeClient client) throws IOException {
    client.scrapeNanos();
    return new HealthPage(new String(client.body(), UTF_8));
  }

  /** Waits for the first page on which the node was judged and every GPU answers. */
  static void awaitJudged(Server server) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < GIVE_UP_NANOS) {
      try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
        HealthPage page = of(client);
        if (page.is("lapwing_node_verdict{verdict=\"healthy\"} 1")) {
          return;
        }
      } catch (IOException notYet) {
        server.mustBeAlive();
      }
      Thread.sleep(20);
    }
    throw new IOException("the node was not judged healthy within 60 s");
  }

  boolean is(String line) {
    return text.contains("\n" + line + "\n");
  }

  private Stream<String> lines(String name) {
    return text.lines().filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "));
  }

  private static double number(String line) {
    return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  double sum(String name) {
    return lines(name).mapToDouble(HealthPage::number).sum();
  }

  OptionalDouble value(String name) {
    return lines(name).mapToDouble(HealthPage::number).findFirst();
  }

  /** The least value of the series that have this label. */
  OptionalDouble least(String name, String label) {
    return lines(name).filter(line -> line.contains(label)).mapToDouble(HealthPage::number).min();
  }

  /**
   * A GPU.
   *
   * @param pci such as {@code 0000:53:00}, as the driver's lines have it
   */
  record Gpu(String index, String uuid, String pci) {}

  List<Gpu> gpus() {
    return lines("lapwing_gpu_info").map(HealthPage::gpu).toList();
  }

  private static Gpu gpu(String line) {
    String bus = label(line, "pci_bus_id").toLowerCase(Locale.ROOT);
    int end = bus.lastIndexOf('.');
    return new Gpu(label(line, "gpu"), label(line, "UUID"), bus.substring(end - 10, end));
  }

  private static String label(String line, String name) {
    Matcher labels = LABEL.matcher(line);
    while (labels.find()) {
      if (labels.group(1).equals(name)) {
        return labels.group(2);
      }
    }
    throw new IllegalArgumentException("no " + name + " in " + line);
  }
}
