package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.web.NodeReport;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators ask for a time, of the whole agent on a simulated node. */
class OperationsTest {

  static final Set<String> FAMILIES = Set.of("lapwing_maintenance_end_timestamp_seconds");

  private static SimulatedNode node(Path dir) throws Exception {
    return SimulatedNode.create(dir, InstanceType.named("g5.48xlarge"));
  }

  private static Operations ask(
      TestAgent agent, SimulatedNode node, OperatorRequest request, Predicate<Operations> done)
      throws Exception {
    new OperatorRequests(node.agentState()).ask(request);
    await()
        .atMost(TestAgent.PATIENCE)
        .until(() -> done.test(agent.wiring().health().report().operations()));
    return agent.wiring().health().report().operations();
  }

  private static void awaitEvaluated(TestAgent agent) {
    await().atMost(TestAgent.PATIENCE).until(() -> agent.wiring().evaluated());
  }

  private static List<TextPage.Sample> samples(TestAgent agent, String name) {
    return agent.page().families().stream()
        .filter(family -> family.name().equals(name))
        .flatMap(family -> family.samples().stream())
        .toList();
  }

  @Test
  void maintenanceIsOnThePageAndInTheReportAndSurvivesARestart(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    Instant until = Instant.now().plus(Duration.ofHours(2));
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitEvaluated(agent);
      assertThat(samples(agent, "lapwing_maintenance"))
          .extracting(TextPage.Sample::value)
          .containsExactly(0.0);

      ask(
          agent,
          node,
          new OperatorRequest.StartMaintenance(until, "swap PSU"),
          operations -> operations.maintenance().isPresent());
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(samples(agent, "lapwing_maintenance"))
                      .extracting(TextPage.Sample::value)
                      .containsExactly(1.0));
      assertThat(samples(agent, "lapwing_maintenance_end_timestamp_seconds")).hasSize(1);
      assertThat(((NodeReport) agent.wiring().content().node().get()).operator().maintenance())
          .map(Operations.Maintenance::note)
          .contains("swap PSU");
    }
    try (TestAgent again = TestAgent.quick(node)) {
      awaitEvaluated(again);
      assertThat(again.wiring().health().report().operations().maintenance())
          .map(Operations.Maintenance::until)
          .contains(until);

      ask(
          again,
          node,
          new OperatorRequest.EndMaintenance(),
          operations -> operations.maintenance().isEmpty());
      assertThat(again.wiring().health().events())
          .hasAtLeastOneElementOfType(Event.MaintenanceEnded.class);
    }
  }

  @Test
  void aTestFindingIsOnThePageAndNoPartOfTheVerdict(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (TestAgent agent = TestAgent.quick(node)) {
      awaitEvaluated(agent);
      Verdict before = agent.wiring().health().report().verdict();

      ask(
          agent,
          node,
          new OperatorRequest.StartTest(
              Instant.now().plus(Duration.ofMinutes(5)), "xid_79", "gpu:3", ""),
          operations -> !operations.tests().isEmpty());

      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(samples(agent, "lapwing_health_finding"))
                      .anySatisfy(
                          sample ->
                              assertThat(sample.labels())
                                  .containsEntry("test", "1")
                                  .containsEntry("rule", "xid_79")
                                  .containsEntry("gpu", "3")
                                  .containsEntry("action", "replace_node")));
      HealthReport during = agent.wiring().health().report();
      assertThat(during.verdict()).isEqualTo(before);
      assertThat(during.findings()).noneMatch(finding -> finding.rule().equals("xid_79"));
      assertThat(agent.wiring().health().events())
          .hasAtLeastOneElementOfType(Event.TestFinding.class)
          .noneMatch(
              event ->
                  event instanceof Event.FindingOpened opened && opened.rule().equals("xid_79"));
    }
  }
}
