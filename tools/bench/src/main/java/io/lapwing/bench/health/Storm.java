package io.lapwing.bench.health;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.ScratchFolder;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A driver that logs thousands of XIDs a second: the cost for the agent, and whether it counts
 * each. Scrapes once a second.
 */
final class Storm {

  private static final int SLICES = 20;
  private static final long GIVE_UP_NANOS = 120_000_000_000L;

  private static final List<String> FAULTS =
      List.of(
          "13, pid=%d, name=python3, Graphics SM Warp Exception on (GPC 1, TPC 3, SM 0): Out Of Range",
          "31, pid=%d, name=python3, Ch 00000007, intr 00000000. MMU Fault: ENGINE GRAPHICS faulted",
          "43, pid=%d, name=python3, Ch 00000008",
          "45, pid=%d, name=python3, Ch 00000008",
          "48, pid=%d, name=python3, An uncorrectable double bit error (DBE) has been detected on GPU",
          "63, pid=%d, name=python3, Row Remapper: New row (0x0000000018f31d80) marked for remapping",
          "74, pid=%d, name=python3, NVLink: fatal error detected on link 7(0x0, 0x0, 0x10000)",
          "94, pid=%d, name=python3, Contained: CE User Channel (0x9). RST: No, D-RST: No",
          "95, pid=%d, name=python3, Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No",
          "109, pid=%d, name=python3, Ch 00000018, errorString CTX SWITCH TIMEOUT, Info 0x2c004",
          "119, pid=%d, name=python3, Timeout after 6s of waiting for RPC response from GPU GSP!");

  private static final int PROCESSES = 64;

  private final AgentSetup setup;
  private final int perSecond;
  private final Random random = new Random(1);
  private final List<Double> scrapes = new ArrayList<>();
  private long maxRssKib;
  private double latest;

  private Storm(AgentSetup setup, int perSecond) {
    this.setup = setup;
    this.perSecond = perSecond;
  }

  static void run(List<String> agent, int perSecond, int seconds)
      throws IOException, InterruptedException {
    ScratchFolder folder = ScratchFolder.create("lapwing-storm");
    new Storm(AgentSetup.of(agent, folder.path()), perSecond).run(seconds);
    folder.delete();
  }

  private void run(int seconds) throws IOException, InterruptedException {
    try (Kmsg kmsg = setup.kmsg();
        Server server = setup.start()) {
      HealthMetrics.awaitVerdict(server);
      try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
        List<HealthMetrics.Gpu> gpus = HealthMetrics.of(client).gpus();
        long cpu = server.account().cpuNanos();
        long start = System.nanoTime();
        for (int slice = 0; slice < seconds * SLICES; slice++) {
          sleepUntil(start + slice * 1_000_000_000L / SLICES);
          kmsg.append(lines(gpus, perSecond / SLICES));
          if (slice % SLICES == SLICES - 1) {
            scrape(server, client);
          }
        }
        double busy = (server.account().cpuNanos() - cpu) / 1e9;
        double took = (System.nanoTime() - start) / 1e9;
        double counted = await(client, kmsg.written());
        double behind = (System.nanoTime() - start) / 1e9 - took;
        HealthMetrics page = HealthMetrics.of(client);
        Collections.sort(scrapes);
        System.out.printf(
            Locale.ROOT,
            "%,d lines in %.0f s: %,.0f counted, %,.0f lost, the last %.1f s after it was written%n"
                + "CPU %.2f cores, max RSS %.1f MiB, scrape p50 %.0f ms, max %.0f ms%n"
                + "oldest success of a GPU's source %.1f s, last evaluation at most %.0f s ago%n"
                + "events %,.0f, dropped %,.0f; %,d KiB on disk in %d files%n",
            kmsg.written(),
            took,
            counted,
            page.sum("lapwing_kernel_log_lost_messages_total"),
            behind,
            busy / took,
            maxRssKib / 1024.0,
            scrapes.get(scrapes.size() / 2),
            scrapes.get(scrapes.size() - 1),
            latest,
            maxEvaluationAge,
            page.sum("lapwing_events_total"),
            page.sum("lapwing_event_log_dropped_total"),
            size() / 1024,
            files().size());
      }
    }
  }

  private double maxEvaluationAge;

  private List<String> lines(List<HealthMetrics.Gpu> gpus, int many) {
    List<String> lines = new ArrayList<>(many);
    for (int i = 0; i < many; i++) {
      String pci = gpus.get(random.nextInt(gpus.size())).pci();
      String fault = FAULTS.get(random.nextInt(FAULTS.size()));
      lines.add(
          "NVRM: Xid (PCI:"
              + pci
              + "): "
              + String.format(Locale.ROOT, fault, 7_000 + random.nextInt(PROCESSES)));
    }
    return lines;
  }

  private void scrape(Server server, ScrapeClient client) throws IOException {
    long before = System.nanoTime();
    HealthMetrics page = HealthMetrics.of(client);
    scrapes.add((System.nanoTime() - before) / 1e6);
    maxRssKib = Math.max(maxRssKib, server.account().memory().rssKib());
    double now = Instant.now().toEpochMilli() / 1e3;
    latest =
        Math.max(
            latest,
            now
                - page.min(
                        "lapwing_collector_last_success_timestamp_seconds",
                        "collector",
                        "gpu_power")
                    .orElse(now));
    maxEvaluationAge =
        Math.max(
            maxEvaluationAge,
            now - page.value("lapwing_health_evaluation_timestamp_seconds").orElse(now));
  }

  /** Waits until all are counted or lost, or times out. */
  private static double await(ScrapeClient client, long written)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    double counted = 0;
    while (System.nanoTime() - start < GIVE_UP_NANOS) {
      HealthMetrics page = HealthMetrics.of(client);
      counted = page.sum("lapwing_gpu_xid_errors_total");
      if (counted + page.sum("lapwing_kernel_log_lost_messages_total") >= written) {
        break;
      }
      Thread.sleep(100);
    }
    return counted;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(setup.state())) {
      return files.filter(file -> file.toString().contains("events")).toList();
    }
  }

  private long size() throws IOException {
    long size = 0;
    for (Path file : files()) {
      size += Files.size(file);
    }
    return size;
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    Thread.sleep(Math.max(0, (nanos - System.nanoTime()) / 1_000_000));
  }
}
