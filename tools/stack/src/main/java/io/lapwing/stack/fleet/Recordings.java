package io.lapwing.stack.fleet;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Recorded responses in a folder: two of each scenario, {@code SCENARIO.1.prom} and {@code
 * SCENARIO.2.prom}, a minute apart.
 */
record Recordings(Path folder) {

  private static final String INSTANCE_TYPE = "p5.48xlarge";

  /** The faults are present after this time; some scenarios heal them in the second minute. */
  private static final List<Duration> MOMENTS =
      List.of(Duration.ofSeconds(50), Duration.ofSeconds(112));

  /** Nodes that are recorded in parallel, with two JVMs each. */
  private static final int AT_ONCE = 4;

  /** The age of a response: the agent updates it about once a second. */
  private static final String CLOCK = "lapwing_health_evaluation_timestamp_seconds";

  boolean has(String scenario) {
    return Files.exists(page(scenario, 2));
  }

  private Path page(String scenario, int which) {
    return folder.resolve(scenario + "." + which + ".prom");
  }

  /** Records the missing ones. */
  void complete(Commands commands, List<String> scenarios, Path scratch)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Future<Object>> all =
          scenarios.stream()
              .filter(scenario -> !has(scenario))
              .map(
                  scenario ->
                      threads.submit(
                          () -> {
                            record(commands, scenario, scratch.resolve(scenario));
                            return (Object) scenario;
                          }))
              .toList();
      for (Future<Object> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a recording failed", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private void record(Commands commands, String scenario, Path scratch)
      throws IOException, InterruptedException {
    try (RecordedNode node = RecordedNode.start(commands, scratch, INSTANCE_TYPE, scenario)) {
      long start = System.nanoTime();
      URI address = node.watch("agent", "--metrics=full");
      for (int which = 1; which <= 2; which++) {
        long passed = System.nanoTime() - start;
        TimeUnit.NANOSECONDS.sleep(MOMENTS.get(which - 1).toNanos() - passed);
        Files.writeString(page(scenario, which), RecordedNode.page(address));
      }
    }
  }

  /**
   * @param kept filter of metric names
   */
  PageTemplate template(String scenario, Predicate<String> kept) throws IOException {
    RecordedPage first = RecordedPage.parse(Files.readString(page(scenario, 1)));
    RecordedPage second = RecordedPage.parse(Files.readString(page(scenario, 2)));
    Duration between = Duration.ofMillis((long) (clock(second) - clock(first)));
    return PageTemplate.of(first, second.keeping(kept), between);
  }

  private static double clock(RecordedPage page) throws IOException {
    Double seconds = page.values().get(CLOCK);
    if (seconds == null) {
      throw new IOException("a recorded page has no " + CLOCK);
    }
    return 1e3 * seconds;
  }
}
