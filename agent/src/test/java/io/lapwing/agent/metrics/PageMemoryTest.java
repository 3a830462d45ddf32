package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.preset.Families;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.FakeSource;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.PageShare;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Samples;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page of 256 hostile ranks with the longest labels that renew themselves, asked for in every
 * form by several clients at once, in a JVM with the heap that ships.
 */
@Tag("slow")
class PageMemoryTest {

  private static final Path SHIPPED = Path.of("src/main/dist/jvm.options");

  @Test
  void hardwareStaysOnThePageAndTheHeapSuffices(@TempDir Path dir) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    try (var lines = Files.lines(SHIPPED)) {
      lines.filter(line -> line.startsWith("-Xm")).forEach(command::add);
    }
    assertThat(command).as("the heap that ships").contains("-Xmx48m");
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            HostilePage.class.getName()));
    Path out = dir.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();

    assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    assertThat(Files.readString(out)).contains("pages 240").contains("largest ");
  }

  /** Runs in the small JVM. */
  static final class HostilePage {

    private static final int RANKS = 256;
    private static final int SERIES_OF_A_RANK = 60;
    private static final int GPUS = 8;
    private static final int SERIES_OF_A_GPU = 500;
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 15;
    private static final Cadences CADENCES =
        new Cadences(
            Duration.ofMillis(200),
            Duration.ofMillis(200),
            Duration.ofMillis(200),
            Duration.ofMinutes(1));

    private HostilePage() {}

    /** Each round has new labels of the longest kind, every char of which is escaped. */
    private static FakeSource rank(int number, AtomicLong rounds) {
      return new FakeSource("training-" + number)
          .sharing(PageShare.TRAINING)
          .with(
              "training",
              Cadence.FAST,
              sink -> {
                String job = "\"".repeat(100) + number + "-" + rounds.incrementAndGet();
                Labels base =
                    Labels.of("job_id", job, "run", "\\".repeat(128), "rank", "" + number);
                for (int i = 0; i < SERIES_OF_A_RANK; i++) {
                  sink.add(FakeSource.RATIO, base.with("n", "" + i), 1);
                }
              });
    }

    private static FakeSource gpu(int number) {
      List<Labels> labels = new ArrayList<>();
      for (int i = 0; i < SERIES_OF_A_GPU; i++) {
        labels.add(Labels.of("gpu", "" + number, "n", "" + i, "UUID", "GPU-" + "0".repeat(36)));
      }
      return new FakeSource("gpu" + number)
          .with("gpu", Cadence.FAST, sink -> labels.forEach(x -> sink.add(FakeSource.RATIO, x, 2)));
    }

    public static void main(String[] args) throws Exception {
      SnapshotBoard board = new SnapshotBoard();
      AtomicLong rounds = new AtomicLong();
      try (Poller poller = new Poller(board, CADENCES, PollClock.SYSTEM)) {
        for (int i = 0; i < RANKS; i++) {
          poller.add(rank(i, rounds));
        }
        for (int i = 0; i < GPUS; i++) {
          poller.add(gpu(i));
        }
        poller.start();
        while (!poller.settled()) {
          Thread.sleep(10);
        }
        PageCache cache =
            new PageCache(
                new PageSamples(
                    poller,
                    CADENCES,
                    new SelfReport(
                        CADENCES,
                        new Build("0", "", "17"),
                        new SelfReport.ReloadReport(Instant.EPOCH)),
                    () -> Samples.EMPTY,
                    UnaryOperator.identity(),
                    new PageBudget(PageBudget.Limits.DEFAULT)),
                board::version,
                SelfRegistry.ofThisProcess(),
                () -> Set.of("gpu", "training"),
                () -> new Families(Preset.FULL, false),
                client -> {},
                PollClock.SYSTEM);
        scrape(cache);
      }
    }

    @SuppressWarnings("SystemOut")
    private static void scrape(PageCache cache) throws Exception {
      ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
      long pages = 0;
      long largest = 0;
      for (int round = 0; round < ROUNDS; round++) {
        List<Callable<Long>> asked = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
          for (PageFormat format : PageFormat.values()) {
            asked.add(() -> checked(new ByteArrayInputStream(cache.page(format))));
            asked.add(
                () ->
                    checked(
                        new GZIPInputStream(new ByteArrayInputStream(cache.gzippedPage(format)))));
          }
        }
        for (Future<Long> answer : clients.invokeAll(asked)) {
          largest = Math.max(largest, answer.get());
          pages++;
        }
      }
      clients.shutdown();
      System.out.println("pages " + pages + " largest " + largest);
      System.exit(0);
    }

    /** Line by line, so that a client holds no second copy of a page; its length in chars. */
    private static long checked(InputStream page) throws IOException {
      long hardware = 0;
      long length = 0;
      boolean leftOut = false;
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(page, StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          length += line.length() + 1;
          hardware += line.contains("{gpu=\"") ? 1 : 0;
          leftOut |=
              line.startsWith("lapwing_page_sources_left_out{kind=\"training\"}")
                  && !line.endsWith(" 0");
        }
      }
      if (hardware != GPUS * SERIES_OF_A_GPU || !leftOut || length > 3 << 20) {
        throw new IllegalStateException(hardware + " series of GPUs, " + length + " chars");
      }
      return length;
    }
  }
}
