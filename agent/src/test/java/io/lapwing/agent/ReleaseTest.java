package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.ClearRequests;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import io.lapwing.agent.sources.SourceStatus;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent lets go of the GPUs of a simulated node and takes them back. */
class ReleaseTest {

  private static final Duration TIME = Duration.ofHours(1);

  private static void release(TestAgent agent, SimulatedNode node) throws Exception {
    new OperatorRequests(node.agentState())
        .ask(new OperatorRequest.ReleaseGpus(Instant.now().plus(TIME)));
    await().atMost(TestAgent.PATIENCE).until(() -> agent.openNvml() == 0);
  }

  private static HealthReport report(TestAgent agent) {
    return agent.wiring().health().report();
  }

  private static void awaitVerdict(TestAgent agent, boolean released) {
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                agent.wiring().evaluated()
                    && report(agent).findings().stream()
                            .anyMatch(finding -> finding.rule().equals("gpus_released"))
                        == released);
  }

  @Test
  void allOfNvmlIsClosedAndOpenedAgain(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g5.48xlarge"));
    try (TestAgent agent = TestAgent.quick(node)) {
      agent.awaitListening();
      awaitVerdict(agent, false);
      Verdict before = report(agent).verdict();
      assertThat(agent.openNvml()).isPositive();
      assertThat(agent.openGpus()).isPositive();
      assertThat(agent.openEventSets()).isEqualTo(1);

      release(agent, node);
      awaitVerdict(agent, true);
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> report(agent).operations().released().orElseThrow().closed());

      assertThat(agent.openNvml()).isZero();
      assertThat(agent.openGpus()).isZero();
      assertThat(agent.openEventSets()).isZero();
      assertThat(report(agent).verdict()).isEqualTo(Verdict.UNKNOWN);
      assertThat(report(agent).gpus())
          .as("an operator needs their indexes")
          .extracting(HealthReport.GpuVerdict::index, HealthReport.GpuVerdict::verdict)
          .hasSize(8)
          .contains(tuple(3, Verdict.UNKNOWN));
      assertThat(report(agent).summary()).contains("the GPUs are released for maintenance until");
      assertThat(report(agent).findings())
          .extracting(Finding::rule)
          .doesNotContain("gpu_lost", "driver_down", "gpu_count", "gpu_hung", "driver_unwatched");
      assertThat(agent.wiring().poller().sources())
          .filteredOn(source -> source.name().startsWith("gpu0"))
          .allSatisfy(
              source ->
                  assertThat(source.status())
                      .isInstanceOfSatisfying(
                          SourceStatus.Down.class,
                          down -> assertThat(down.reason()).isEqualTo("released")));

      findingsOfAReleasedGpuAreClearedAndTested(agent, node);
      new OperatorRequests(node.agentState()).ask(new OperatorRequest.ReopenGpus());
      awaitVerdict(agent, false);

      await().atMost(TestAgent.PATIENCE).until(() -> report(agent).verdict() == before);
      assertThat(agent.openNvml()).isPositive();
      assertThat(report(agent).gpus()).hasSize(8);
      assertThat(agent.wiring().health().events())
          .noneMatch(Event.GpuLost.class::isInstance)
          .filteredOn(Event.DriverLoaded.class::isInstance)
          .hasSizeLessThanOrEqualTo(1);
    }
  }

  /** By their index, which operators know. */
  private static void findingsOfAReleasedGpuAreClearedAndTested(TestAgent agent, SimulatedNode node)
      throws Exception {
    new ClearRequests(node.agentState(), InstantSource.system()).ask("", "gpu:3", "");
    new OperatorRequests(node.agentState())
        .ask(new OperatorRequest.StartTest(Instant.now().plus(TIME), "gpu_lost", "gpu:3", ""));
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                report(agent).operations().tests().size() == 1
                    && agent.wiring().health().events().stream()
                        .filter(Event.OperatorCleared.class::isInstance)
                        .map(Event.OperatorCleared.class::cast)
                        .anyMatch(cleared -> cleared.subject().startsWith("gpu:GPU-")));
    new OperatorRequests(node.agentState()).ask(new OperatorRequest.EndTests());
  }

  @Test
  void anAgentThatStartsMeanwhileOpensNothing(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g5.48xlarge"));
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitVerdict(agent, false);
      release(agent, node);
    }
    try (TestAgent again = TestAgent.quick(node)) {
      awaitVerdict(again, true);

      assertThat(again.inits()).isZero();
      assertThat(report(again).verdict()).isEqualTo(Verdict.UNKNOWN);
    }
  }
}
