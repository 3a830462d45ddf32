package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.MetadataService;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.rules.ec2.Ec2Rule;
import io.lapwing.agent.sources.Cadences;
import io.lapwing.agent.sources.Poller;
import io.lapwing.agent.sources.SnapshotBoard;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.collect.Reading;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.linux.SysFs;
import io.lapwing.metric.Metric;
import io.lapwing.node.Identification;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.InstanceTypes;
import io.lapwing.node.Inventory;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the instance metadata service over the board to the rules. */
class ImdsViewTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  private final VirtualClock clock = new VirtualClock();
  private final SnapshotBoard board = new SnapshotBoard();
  private final Poller poller = new Poller(board, CADENCES, clock);
  private final List<HealthRule> rules = Ec2Rule.all();
  private MetadataService service;
  private NodeSource node;
  private SnapshotBuilder snapshots;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    service = new MetadataService();
    SysFs sys = new SysFs(folder);
    Identification identification =
        new Identification(NodeIdentity.read("node-1", NodeIdentity.Configured.NOTHING, sys));
    Inventory inventory =
        new Inventory(InstanceTypes.load(), OptionalInt.empty(), OptionalInt.empty());
    node = new NodeSource(sys, identification, inventory, () -> false);
    List<Metric> wanted =
        rules.stream()
            .flatMap(rule -> Stream.of(rule.spec().needs(), rule.spec().reads()))
            .flatMap(List::stream)
            .toList();
    snapshots =
        new SnapshotBuilder(
            new SnapshotBuilder.Sources(
                poller,
                CADENCES,
                new GpuRoster(),
                new NvmlDriver(() -> new Reading.Unsupported<>("NVML"))),
            () ->
                new NodeFacts(
                    "node-1",
                    node.identity().instanceType().text(),
                    "",
                    Optional.empty(),
                    node.expectation().gpus(),
                    OptionalInt.empty(),
                    OptionalInt.empty()),
            () -> AgentStatus.ALL_AVAILABLE,
            wanted);
    service.with("instance-type", "p5en.48xlarge");
    service.with("instance-life-cycle", "spot");
    poller.add(new ImdsSource(service.base(), identification, clock::nanoTime));
    poller.start();
    awaitRounds(1);
  }

  @AfterEach
  void end() {
    poller.close();
    service.close();
  }

  private void awaitRounds(int rounds) {
    await()
        .atMost(Duration.ofMinutes(3))
        .until(() -> poller.activities().stream().allMatch(state -> state.rounds() >= rounds));
  }

  private void nextRound(int rounds) {
    clock.advance(Duration.ofSeconds(60));
    awaitRounds(rounds);
  }

  private NodeSnapshot view() {
    return snapshots.build(clock.instant(), History.EMPTY, Trends.NONE);
  }

  private List<String> found() {
    NodeSnapshot view = view();
    return rules.stream()
        .flatMap(rule -> rule.evaluate(view, policy(rule)).stream())
        .map(Detection::rule)
        .toList();
  }

  private static RulePolicy policy(HealthRule rule) {
    return new RulePolicy(
        rule.spec(),
        true,
        rule.spec().aws(),
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset)));
  }

  @Test
  void whatTheServiceAnnouncesIsFoundAndClearsAgain() {
    assertThat(found()).isEmpty();

    service.with("events/maintenance/scheduled", "[{\"Code\":\"instance-retirement\"}]");
    service.with(
        "spot/instance-action", "{\"action\": \"stop\", \"time\": \"2029-01-21T09:00:43Z\"}");
    nextRound(2);
    assertThat(found()).containsExactly("maintenance_scheduled", "spot_interrupted");

    service.without("spot/instance-action");
    service.with("events/maintenance/scheduled", "[]");
    nextRound(3);
    assertThat(found()).isEmpty();
  }

  @Test
  void theInstanceTypeOfTheServiceGivesTheExpectedHardware() {
    assertThat(view().node().instanceType()).isEqualTo("p5en.48xlarge");
    assertThat(view().node().expectedGpus()).hasValue(8);
  }
}
