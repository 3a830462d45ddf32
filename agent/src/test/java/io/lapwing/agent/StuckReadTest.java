package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Files of the kernel whose read does not return: FIFOs without a writer. */
@Tag("slow")
@Execution(CONCURRENT)
class StuckReadTest {

  private static final Duration LONG = Duration.ofMinutes(4);

  /** A file that was replaced by a FIFO. */
  private record Stuck(Path path, String before) {

    static Stuck at(Path path) throws Exception {
      String before = Files.readString(path);
      Files.delete(path);
      assumeThat(mkfifo(path)).as("mkfifo is missing").isTrue();
      return new Stuck(path, before);
    }

    private static boolean mkfifo(Path path) throws InterruptedException {
      try {
        return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
      } catch (IOException noSuchProgram) {
        return false;
      }
    }

    /** A waiting reader gets the earlier content, and the next one a plain file. */
    void heal() throws Exception {
      Path fifo = path.resolveSibling(path.getFileName() + ".was");
      Files.move(path, fifo);
      Files.writeString(path, before);
      Process writer =
          new ProcessBuilder("timeout", "5", "sh", "-c", "cat '" + path + "' > '" + fifo + "'")
              .start();
      writer.waitFor();
      Files.delete(fifo);
    }
  }

  private static Path first(Path root, String end) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> path.toString().endsWith(end)).sorted().findFirst().orElseThrow();
    } catch (UncheckedIOException gone) {
      throw gone.getCause();
    }
  }

  @Test
  void countersThatCannotBeReadCostWhatTheyTellAndAreFound(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path sys = faulty.node().sysfs();
    List<Stuck> stuck =
        List.of(
            Stuck.at(first(sys.resolve("devices"), "ports/1/hw_counters/tx_bytes")),
            Stuck.at(first(sys.resolve("kernel/debug/lustre"), "/stats")),
            Stuck.at(first(sys.resolve("kernel/debug/lnet"), "/stats")),
            Stuck.at(faulty.node().procfs().resolve("pressure/memory")));
    try (AgentProcess agent = AgentProcess.startShipped(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      Observed hung =
          await()
              .atMost(LONG)
              .until(
                  () -> Observed.of(agent),
                  seen ->
                      seen.hung().containsAll(List.of("lnet", "host"))
                          && seen.hung().stream().anyMatch(source -> source.startsWith("efa-"))
                          && seen.hung().stream().anyMatch(source -> source.startsWith("lustre")));

      assertThat(hung.gpusUp()).isEqualTo(8);
      assertThat(hung.page().samples("lapwing_efa_up")).hasSizeGreaterThan(1);
      Observed judged =
          await()
              .atMost(LONG)
              .until(
                  () -> Observed.of(agent),
                  seen -> seen.rules().containsAll(List.of("efa_blind", "lustre_blind")));
      judged.keep("stuck-files", "while reads of EFA, Lustre, LNet and pressure hang");
      assertThat(judged.verdict()).isEqualTo("unknown");

      for (Stuck one : stuck) {
        one.heal();
      }
      await().atMost(LONG).until(() -> Observed.of(agent).hung().isEmpty());
      await().atMost(LONG).until(() -> Observed.of(agent).verdict().equals("healthy"));
      Observed.of(agent).keep("stuck-files", "afterwards");
    }
  }

  /** The health evaluation checks in procfs whether the process of an XID still exists. */
  @Test
  void anEvaluationThatHangsMakesTheVerdictUnknown(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    Path stat = faulty.node().procfs().resolve("20003/stat");
    Stuck stuck = Stuck.at(stat);
    try (AgentProcess agent = AgentProcess.startShipped(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      faulty.kmsg().append(FaultyAgent.xid(3, 31, "pid=20003, name=python3, MMU Fault"));

      await().atMost(LONG).until(() -> Observed.of(agent).verdict().equals("unknown"));
      Observed seen = Observed.of(agent).keep("stuck-judge", "while a judgement hangs");
      assertThat(seen.gpusUp()).isEqualTo(8);
      assertThat(agent.get("/api/v1/health").body()).contains("health is not evaluated");

      stuck.heal();
      await().atMost(LONG).until(() -> Observed.of(agent).verdict().equals("healthy"));
    }
  }

  @Test
  void aRemovedKernelLogIsReportedAndReadAgain(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    List<String> words = faulty.arguments();
    try (AgentProcess agent = AgentProcess.startShipped(dir, words)) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      Files.delete(faulty.kmsg().path());

      await()
          .atMost(LONG)
          .until(() -> Observed.of(agent).value("lapwing_kernel_log_readable").orElse(1.0) == 0);
      await().atMost(LONG).until(() -> Observed.of(agent).rules().contains("xids_unheard"));
      Observed deaf = Observed.of(agent).keep("kmsg", "while there is none");
      assertThat(deaf.verdict()).isEqualTo("healthy");
      // NVML reports it nevertheless.
      faulty.node().nvmlXid(5, 95);
      FaultyAgent.awaitVerdict(agent, "failing");

      Files.createFile(faulty.kmsg().path());
      faulty.kmsg().append(FaultyAgent.xid(2, 95, "pid=7, name=x, Uncontained"));
      await().atMost(LONG).until(() -> Observed.of(agent).gpusWith("xid_95") == 2);
      Observed.of(agent).keep("kmsg", "there again");
    }
  }

  @Test
  void aSlowOrHungDiskDoesNotPreventFindings(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    FaultyLibc libc = FaultyLibc.in(dir);
    try (AgentProcess agent =
        AgentProcess.startShipped(dir, faulty.arguments(), libc.environment())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      libc.slowSync(Duration.ofSeconds(3));
      faulty.kmsg().append(FaultyAgent.xid(2, 95, "pid=7, name=x, Uncontained"));
      FaultyAgent.awaitVerdict(agent, "failing");
      Observed.of(agent).keep("disk", "while each write takes 3 s");

      libc.hang(faulty.state());
      faulty.kmsg().append(FaultyAgent.xid(5, 95, "pid=8, name=y, Uncontained"));
      await().atMost(LONG).until(() -> Observed.of(agent).gpusWith("xid_95") == 2);
      await()
          .atMost(LONG)
          .until(
              () ->
                  Observed.of(agent).value("lapwing_event_log_durable").orElse(1.0) == 0
                      && Observed.of(agent).rules().contains("event_log_broken"));
      FaultyAgent.awaitEvaluation(agent);
      Observed.of(agent).keep("disk", "while no write comes back");

      libc.heal();
      await()
          .atMost(LONG)
          .until(() -> Observed.of(agent).value("lapwing_event_log_durable").orElse(0.0) == 1);
      await().atMost(LONG).until(() -> !Observed.of(agent).rules().contains("event_log_broken"));
      Observed.of(agent).keep("disk", "well again");
      agent.terminate();
      assertThat(agent.exitCode()).isIn(0, 143);
    }
    assertThat(Files.readString(faulty.state().resolve("events.jsonl")))
        .contains("pid\":7", "pid\":8");
  }

  @Test
  void aDiskThatHangsAtTheStartDoesNotPreventTheStart(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    FaultyLibc libc = FaultyLibc.in(dir);
    Files.createDirectory(faulty.state());
    libc.hang(faulty.state());
    try (AgentProcess agent =
        AgentProcess.startShipped(dir, faulty.arguments(), libc.environment())) {
      FaultyAgent.awaitReady(agent);
      faulty.kmsg().append(FaultyAgent.xid(2, 95, "pid=7, name=x, Uncontained"));
      FaultyAgent.awaitVerdict(agent, "failing");
      await().atMost(LONG).until(() -> Observed.of(agent).rules().contains("event_log_broken"));

      Observed seen = Observed.of(agent).keep("disk-at-start", "started beside a disk that hangs");
      assertThat(seen.value("lapwing_event_log_durable")).hasValue(0.0);
      assertThat(seen.gpusUp()).isEqualTo(8);
      agent.terminate();
      assertThat(agent.exitCode()).isEqualTo(143);
    }
  }
}
