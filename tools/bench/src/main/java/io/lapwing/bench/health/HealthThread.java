package io.lapwing.bench.health;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.ScratchFolder;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** The cost of health evaluation on an idle node: CPU time of its thread. */
final class HealthThread {

  private static final Duration WARM_UP = Duration.ofSeconds(60);

  private HealthThread() {}

  static void run(List<String> agent, Duration window) throws IOException, InterruptedException {
    ScratchFolder folder = ScratchFolder.create("lapwing-health-thread");
    AgentSetup setup = AgentSetup.of(agent, folder.path());
    try (Kmsg silent = setup.kmsg();
        Server server = setup.start()) {
      Objects.requireNonNull(silent, "the log that the agent follows");
      HealthMetrics.awaitVerdict(server);
      Thread.sleep(WARM_UP.toMillis());
      long whole = server.account().cpuNanos();
      long before = nanos(server.account().pid());
      int evaluations = evaluations(server, window);
      double spent = (nanos(server.account().pid()) - before) / 1e6;
      System.out.printf(
          Locale.ROOT,
          "the health thread took %.1f ms in %d s, %d evaluations: %.2f ms each; %.1f ms of all"
              + " threads%n",
          spent,
          window.toSeconds(),
          evaluations,
          spent / evaluations,
          (server.account().cpuNanos() - whole) / 1e6);
    }
    folder.delete();
  }

  private static int evaluations(Server server, Duration window)
      throws IOException, InterruptedException {
    Set<Double> times = new TreeSet<>();
    long end = System.nanoTime() + window.toNanos();
    try (ScrapeClient client = server.connect(Encoding.PLAIN)) {
      while (System.nanoTime() < end) {
        HealthMetrics.of(client)
            .value("lapwing_health_evaluation_timestamp_seconds")
            .ifPresent(times::add);
        Thread.sleep(500);
      }
    }
    return times.size();
  }

  private static long nanos(long pid) throws IOException {
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "task"))) {
      for (Path thread : threads) {
        if (Files.readString(thread.resolve("comm")).strip().equals("health")) {
          return Long.parseLong(
              Files.readString(thread.resolve("schedstat")).split(" ", 2)[0].strip());
        }
      }
    }
    throw new IOException("process " + pid + " has no thread named health");
  }
}
