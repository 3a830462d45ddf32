package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.rules.efa.EfaRule;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.sources.SourceActivity;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.collect.Reading;
import io.lapwing.efa.CounterDemand;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.linux.SysFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An EFA device whose read does not come back: a FIFO in place of a counter. */
class EfaHangTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PERIOD = Duration.ofSeconds(10);
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private final VirtualClock clock = new VirtualClock();
  private final Cadences cadences = new Cadences(PERIOD, PERIOD, PERIOD, DEADLINE);
  private final Poller poller = new Poller(new SnapshotBoard(), cadences, clock);
  private final HealthRule blind =
      EfaRule.all().stream()
          .filter(rule -> rule.spec().name().equals("efa_blind"))
          .findFirst()
          .orElseThrow();
  private final SnapshotBuilder snapshots =
      new SnapshotBuilder(
          new SnapshotBuilder.Sources(
              poller,
              cadences,
              new GpuRoster(),
              new NvmlDriver(() -> new Reading.Missing<>("nvml"))),
          () ->
              new NodeFacts(
                  "node",
                  "",
                  "",
                  Optional.empty(),
                  OptionalInt.empty(),
                  OptionalInt.empty(),
                  OptionalInt.empty()),
          () -> AgentStatus.ALL_AVAILABLE,
          List.of(EfaMetrics.TX_BYTES, EfaMetrics.DEVICES));

  @AfterEach
  void close() {
    poller.close();
  }

  private static Path device(Path sys, String name) throws IOException {
    Path device = sys.resolve("class/infiniband/" + name);
    Path ofPort = Files.createDirectories(device.resolve("ports/1/hw_counters"));
    Files.createDirectories(device.resolve("device"));
    Files.writeString(device.resolve("device/vendor"), "0x1d0f\n");
    Files.createDirectories(device.resolve("hw_counters"));
    Files.writeString(device.resolve("hw_counters/submitted_cmds"), "1\n");
    Files.writeString(ofPort.resolve("tx_bytes"), "1000\n");
    return ofPort.resolve("tx_bytes");
  }

  private SourceActivity state(String source) {
    return poller.activities().stream()
        .filter(state -> state.source().equals(source))
        .findFirst()
        .orElseThrow();
  }

  private boolean isRead(String source, long rounds) {
    return poller.activities().stream()
        .anyMatch(state -> state.source().equals(source) && state.rounds() >= rounds);
  }

  private NodeSnapshot view() {
    return snapshots.build(clock.instant(), History.EMPTY, Trends.NONE);
  }

  private List<Detection> blind() {
    return blind.evaluate(view(), new RulePolicy(blind.spec(), true, blind.spec().aws(), Map.of()));
  }

  @Test
  void costsItsOwnCountersOnlyAndIsFoundUntilItReturns(@TempDir Path sys)
      throws IOException, InterruptedException {
    Path fifo = device(sys, "efa_0");
    device(sys, "efa_1");
    Files.delete(fifo);
    assumeTrue(mkfifo(fifo), "no mkfifo here");

    poller.add(new EfaSource(new SysFs(sys), poller, CounterDemand.all()));
    await().atMost(PATIENCE).until(() -> isRead("efa-efa_1", 1));
    await().atMost(PATIENCE).until(() -> state("efa-efa_0").busy().isPresent());
    clock.advance(DEADLINE.plusNanos(1));

    assertThat(view().part("efa", "efa_1"))
        .hasValueSatisfying(
            other -> {
              assertThat(other.state()).isEqualTo(PartStatus.State.ANSWERS);
              assertThat(other.values().get(EfaMetrics.TX_BYTES, "1")).hasValue(1000);
            });
    assertThat(view().whole("efa"))
        .hasValueSatisfying(
            whole -> assertThat(whole.values().get(EfaMetrics.DEVICES)).hasValue(2));
    assertThat(blind())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.subject()).isEqualTo(new Subject.Part("efa", "efa_0"));
              assertThat(found.disposition().severity()).isEqualTo(Severity.UNKNOWN);
              assertThat(found.what())
                  .isEqualTo("cannot be read: a read has not come back for 5 s");
            });

    Files.newOutputStream(fifo).close();
    await().atMost(PATIENCE).until(() -> isRead("efa-efa_0", 1));
    Files.delete(fifo);
    Files.writeString(fifo, "2000\n");
    clock.advance(PERIOD);
    await().atMost(PATIENCE).until(() -> isRead("efa-efa_0", 2) && isRead("efa-efa_1", 2));
    assertThat(blind()).isEmpty();
  }

  private static boolean mkfifo(Path path) throws InterruptedException {
    try {
      return new ProcessBuilder("mkfifo", path.toString()).start().waitFor() == 0;
    } catch (IOException missing) {
      return false;
    }
  }
}
