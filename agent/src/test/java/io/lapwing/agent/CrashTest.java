package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.Variant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Abrupt ends of the process, and its state after a restart. */
@Tag("slow")
@Execution(CONCURRENT)
class CrashTest {

  /** SIGABRT, with which a JVM ends that a library has crashed. */
  private static final int ABORTED = 134;

  /** What {@code -XX:+ExitOnOutOfMemoryError} returns. */
  private static final int NO_MEMORY = 3;

  /** A driver that is gone for a minute is a finding. */
  private static final Duration LONG = Duration.ofMinutes(4);

  private static void append(FaultyAgent faulty, String text) {
    try {
      faulty.kmsg().append(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aLibraryThatCrashesCostsSecondsAndNoEvent(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (Supervised agent = Supervised.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent.process());
      faulty.kmsg().append(FaultyAgent.xid(2, 79, "pid=7, name=x, GPU has fallen off the bus."));
      FaultyAgent.awaitVerdict(agent.process(), "failing");
      FaultyAgent.awaitEvaluation(agent.process());
      Map<String, Double> since = FaultyAgent.findings(FaultyAgent.page(agent.process()));
      assertThat(since).hasSize(1);
      for (int crash = 1; crash <= 2; crash++) {
        String whileDown = FaultyAgent.xid(4 + crash, 95, "pid=8, name=y, Uncontained");
        agent.between(
            () -> {
              faulty.node().clear("gpu.3.crash.*");
              append(faulty, whileDown);
            });
        faulty.kmsg().append(FaultyAgent.xid(2, 31, "pid=9, name=z, MMU Fault " + crash));
        faulty.node().set("gpu.3.crash.*", "1");
        long began = System.nanoTime();
        int times = crash;
        await().atMost(LONG).until(() -> agent.exits().size() == times);
        long died = System.nanoTime();
        agent.awaitRestart(crash);
        Figures.keep(
            "sigsegv",
            "crash to its end",
            Duration.ofNanos(died - began),
            "end to ready",
            Duration.ofNanos(System.nanoTime() - died));
        double told95 = crash;
        await()
            .atMost(LONG)
            .until(
                () ->
                    byNumber(FaultyAgent.page(agent.process())).getOrDefault("95", 0.0) == told95);
      }

      FaultyAgent.awaitEvaluation(agent.process());
      Observed seen = Observed.of(agent.process()).keep("sigsegv", "after two crashes");
      assertThat(agent.exits()).containsExactly(ABORTED, ABORTED);
      assertThat(byNumber(seen.page())).isEqualTo(Map.of("79", 1.0, "31", 2.0, "95", 2.0));
      assertThat(FaultyAgent.findings(seen.page())).containsAllEntriesOf(since);
      assertThat(seen.gpusUp()).isEqualTo(8);
    }
    assertThat(toldInTheLog(faulty)).doesNotHaveDuplicates();
  }

  /** Of all GPUs: one that has not answered yet has its PCI address for a name. */
  private static Map<String, Double> byNumber(TextPage page) {
    return page.samples("lapwing_gpu_xid_errors_total").stream()
        .filter(sample -> sample.value() > 0)
        .collect(
            Collectors.toMap(sample -> sample.label("xid"), TextPage.Sample::value, Double::sum));
  }

  private static List<String> toldInTheLog(FaultyAgent faulty) throws IOException {
    try (Stream<String> lines = Files.lines(faulty.state().resolve("events.jsonl"))) {
      return lines
          .filter(line -> line.contains("\"kind\":\"xid\""))
          .map(line -> line.replaceAll(",\"(more|carried|complete)\":true", ""))
          .toList();
    }
  }

  /** Copied over in place, which pulls the code from under who runs it. */
  @Test
  void aLibraryThatIsOverwrittenInPlaceIsReadAgainAfterARestart(@TempDir Path dir)
      throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (Supervised agent = Supervised.start(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent.process());
      Path library = faulty.node().library();
      byte[] other = Files.readAllBytes(faulty.node().library(Variant.MID));

      Files.write(library, new byte[0]);
      Files.write(library, other);

      agent.awaitRestart(1);
      await().atMost(LONG).until(() -> Observed.of(agent.process()).gpusUp() == 8);
      FaultyAgent.awaitVerdict(agent.process(), "healthy");
      Observed.of(agent.process()).keep("library-overwritten", "after its restart");
      assertThat(agent.exits()).allMatch(code -> code != 0);
    }
  }

  /**
   * As a package manager does it: a new file takes the name, the old one exists while it is used.
   */
  @Test
  void aReplacedLibraryIsUsedUntilTheDriverChanges(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.startShipped(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      Path library = faulty.node().library();
      Path next = library.resolveSibling("next.so");
      Files.copy(faulty.node().library(Variant.MID), next);
      Files.move(next, library, StandardCopyOption.ATOMIC_MOVE);

      FaultyAgent.awaitEvaluation(agent);
      assertThat(Observed.of(agent).gpusUp()).isEqualTo(8);

      faulty.node().set("driver.mismatch", "1");
      await()
          .atMost(LONG)
          .until(() -> Observed.of(agent).value("lapwing_gpu_driver_up").orElse(1.0) == 0);
      await().atMost(LONG).until(() -> Observed.of(agent).rules().contains("driver_down"));
      Observed.of(agent).keep("library-replaced", "while the driver is of another version");
      FaultyAgent.awaitVerdict(agent, "failing");

      faulty
          .node()
          .change(
              Map.of("driver.generation", "2", "driver.version", "590.10.01"),
              List.of("driver.mismatch"));
      // What stays down is asked at the slow cadence only.
      await().atMost(LONG).until(() -> Observed.of(agent).gpusUp() == 8);
      await().atMost(LONG).until(() -> Observed.of(agent).verdict().equals("healthy"));
      Observed.of(agent).keep("library-replaced", "with the new driver");
      assertThat(agent.isAlive()).isTrue();
    }
  }

  @Test
  void anUnloadedDriverIsReportedAndReadAgainWhenLoaded(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.startShipped(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");

      faulty.node().set("driver.loaded", "0");
      await()
          .atMost(LONG)
          .until(
              () ->
                  Observed.of(agent).value("lapwing_gpu_driver_up").orElse(1.0) == 0
                      && Observed.of(agent).gpusUp() == 0);
      await().atMost(LONG).until(() -> Observed.of(agent).verdict().equals("failing"));
      Observed gone = Observed.of(agent).keep("driver-unloaded", "while it is unloaded");
      assertThat(gone.rules()).contains("driver_down").doesNotContain("gpu_lost");
      assertThat(gone.page().samples("DCGM_FI_DEV_GPU_TEMP")).isEmpty();

      faulty.node().change(Map.of("driver.generation", "2"), List.of("driver.loaded"));
      // What stays down is asked at the slow cadence only.
      await().atMost(LONG).until(() -> Observed.of(agent).gpusUp() == 8);
      await().atMost(LONG).until(() -> Observed.of(agent).verdict().equals("healthy"));
      Observed.of(agent).keep("driver-unloaded", "loaded again");
    }
  }

  @Test
  void aHeapThatIsTooSmallEndsTheProcessAtOnce(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    List<String> command = AgentProcess.shipped(faulty.arguments());
    command.addAll(2, List.of("-Xms5m", "-Xmx5m", "-Xmn1m"));
    try (AgentProcess agent = AgentProcess.run(dir, command)) {
      assertThat(agent.exitCode()).isEqualTo(NO_MEMORY);
      assertThat(agent.out() + agent.err()).contains("OutOfMemoryError");
    }
  }
}
