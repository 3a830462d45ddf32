package io.lapwing.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.stack.Alert;
import io.lapwing.stack.Alertmanager;
import io.lapwing.stack.Prometheus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * From a fault on a node to the webhook and back: agents on simulated nodes, all in one real
 * Prometheus with the shipped rules, and the shipped routes and inhibition in a real Alertmanager.
 * The nodes live at the same time; each test waits for what one of them has to show. What has to be
 * done to a node comes first.
 */
@Tag("slow")
@Tag("servers")
@TestMethodOrder(MethodOrderer.MethodName.class)
final class AlertsArriveTest {

  /** The longest scenario heals at 300 s, an alert outlives that by minutes, a machine is busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  /** GPU 5, by its UUID: an agent that starts after it fell off the bus cannot know its index. */
  private static final String LOST_GPU = "GPU-da8deb50-51a7-4ed0-8000-5eed00000005";

  private static final String HEALTHY = "healthy";
  private static final String KILLED = "killed";
  private static final String ALLOCATED =
      "instance:lapwing_node_allocated:bool{instance='killed'} == 1";

  @TempDir static Path dir = Path.of("");

  private static TriedFleet fleet;

  /** Scenarios with operator actions first, the longest last. */
  static Stream<TriedScenario> scenarios() {
    return Stream.of(
        TriedScenario.of("xid-79", "LapwingXid", "critical", "replace_node", LOST_GPU, "xid_79")
            .clearedByOperator(),
        TriedScenario.of(
            "row-remap-failure",
            "LapwingGpuRowRemapFailure",
            "critical",
            "replace_node",
            "GPU 2",
            "row_remap_failure"),
        TriedScenario.of(
            "sbe-acceleration",
            "LapwingGpuSbeAcceleration",
            "warning",
            "watch",
            "GPU 4",
            "sbe_acceleration"),
        TriedScenario.of(
            "efa-retransmits",
            "LapwingEfaRetransmits",
            "warning",
            "watch",
            "rdmap82s0",
            "efa_retransmits"),
        TriedScenario.of(
            "lustre-evicted",
            "LapwingLustreEvicted",
            "warning",
            "watch",
            "scratch-OST0002",
            "lustre_evicted"),
        TriedScenario.of(
            "straggler",
            "LapwingTrainingStraggler",
            "warning",
            "watch",
            "GPU 3",
            "training_straggler"));
  }

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(Prometheus.program().isPresent(), "this machine has no prometheus");
    assumeTrue(Alertmanager.program().isPresent(), "this machine has no prometheus-alertmanager");
    fleet = new TriedFleet(dir);
    fleet.add(KILLED, HEALTHY);
    fleet.add(HEALTHY, HEALTHY);
    await().atMost(PATIENCE).until(() -> !fleet.prometheus().query(ALLOCATED).isEmpty());
    fleet.node(KILLED).killAgent();
    List<TriedScenario> longestFirst = new ArrayList<>(scenarios().toList());
    Collections.reverse(longestFirst);
    // One after the other: each start takes a core for seconds.
    for (TriedScenario tried : longestFirst) {
      fleet.add(tried.scenario(), tried.scenario());
    }
  }

  @AfterAll
  static void end() {
    if (fleet != null) {
      fleet.close();
    }
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void alert_arrives_names_the_action_and_resolves(TriedScenario tried) throws Exception {
    String node = tried.scenario();

    Alert alert = awaitFirst(node);

    assertThat(alert.name()).isEqualTo(tried.alert());
    assertThat(alert.label("cluster")).isEqualTo("tried");
    assertThat(alert.label("severity")).isEqualTo(tried.severity());
    assertThat(alert.label("action")).isEqualTo(tried.action());
    assertThat(alert.annotation("description")).contains(node, tried.device(), tried.action());
    assertThat(alert.annotation("runbook_url"))
        .isEqualTo("https://runbooks.test/" + tried.alert() + ".md");
    // By the clocks of the servers: what a busy machine delays is not the rules'.
    Instant seen = fleet.firstSeen(node, tried.rule());
    Duration allowed = fleet.holds(tried.alert()).plus(TriedFleet.EVERY.multipliedBy(2));
    assertThat(alert.since()).isBetween(seen, seen.plus(allowed));

    if (tried.clears()) {
      awaitHealed(node);
    }
    awaitNoFiringAlert(node);
    assertThat(names(received(node))).as("%s", fleet.arrived(node)).isEqualTo(tried.alerts());
  }

  private static void awaitNoFiringAlert(String node) {
    try {
      await("no alert of " + node).atMost(PATIENCE).until(() -> fleet.standing(node).isEmpty());
    } catch (ConditionTimeoutException late) {
      throw new AssertionError(fleet.standing(node) + "\n" + fleet.story(node), late);
    }
  }

  private static Alert awaitFirst(String node) {
    await("an alert of " + node).atMost(PATIENCE).until(() -> !received(node).isEmpty());
    return received(node).get(0);
  }

  /**
   * Those that said that something is wrong. A message also has, as resolved, what gave way to a
   * more severe alert before a notification was sent.
   */
  private static List<Alert> received(String node) {
    return fleet.arrived(node).stream().filter(alert -> alert.state().equals("firing")).toList();
  }

  /**
   * Waits until the GPU is back; then only an operator can confirm that the machine was replaced.
   */
  private static void awaitHealed(String node) throws Exception {
    await("a GPU that is back on " + node)
        .atMost(PATIENCE)
        .until(
            () ->
                fleet
                        .prometheus()
                        .query("count(lapwing_gpu_up{instance='%s'} == 1) == 8".formatted(node))
                        .size()
                    == 1);
    fleet.clear(node);
  }

  private static Set<String> names(List<Alert> alerts) {
    return alerts.stream().map(Alert::name).collect(Collectors.toSet());
  }

  @Test
  void node_with_a_killed_agent_fires_node_gone_only() {
    Alert alert = awaitFirst(KILLED);

    assertThat(alert.name()).isEqualTo("LapwingNodeGone");
    assertThat(alert.label("severity")).isEqualTo("critical");
    assertThat(alert.annotation("description")).contains(KILLED);
    assertThat(names(fleet.arrived(KILLED))).containsExactly("LapwingNodeGone");
  }

  @Test
  void healthy_node_fires_no_alert_and_the_watchdog_fires() {
    await().atMost(PATIENCE).until(() -> names(fleet.arrived("")).contains("LapwingWatchdog"));
    awaitFirst(KILLED);

    assertThat(fleet.arrived(HEALTHY)).isEmpty();
    assertThat(names(fleet.arrived(""))).containsExactly("LapwingWatchdog");
  }

  @Test
  void no_rule_fails() {
    awaitFirst("xid-79");

    assertThat(fleet.prometheus().rules().stream().flatMap(group -> group.rules().stream()))
        .allSatisfy(rule -> assertThat(rule.error()).as(rule.name()).isEmpty());
  }
}
