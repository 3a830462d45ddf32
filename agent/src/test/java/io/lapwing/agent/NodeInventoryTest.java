package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.SourceActivity;
import io.lapwing.agent.web.NodeReport;
import io.lapwing.node.Origin;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identity of the node, its expected and its present hardware, by a complete agent. */
class NodeInventoryTest {

  private static NodeReport report(GoldenNode node) {
    return (NodeReport) node.agent().wiring().content().node().get();
  }

  private static List<String> rules(GoldenNode node) {
    return node.agent().wiring().health().report().findings().stream().map(Finding::rule).toList();
  }

  @Test
  void expectedAndPresentCountsAreExposed(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.typical(dir, 2)) {
      node.anotherRound();
      NodeReport report = report(node);

      assertThat(report.node().instanceType()).isEqualTo("p5.48xlarge");
      assertThat(report.node().instanceTypeFrom()).isEqualTo(Origin.DMI);
      assertThat(report.expected().gpus()).hasValue(8);
      assertThat(report.expected().efaDevices()).hasValue(32);
      assertThat(report.expected().instanceType().orElseThrow().efaGbps()).hasValue(100);
      assertThat(report.present().gpus()).contains(2);
      assertThat(report.maintenance().scheduled()).isEmpty();
      assertThat(rules(node)).contains("gpu_count");
      assertThat(node.agent().page().value("lapwing_node_expected_gpus")).hasValue(8.0);
      assertThat(node.agent().page().value("lapwing_node_expected_efa_devices")).hasValue(32.0);
    }
  }

  @Test
  void theConfiguredHardwareIsExpected(@TempDir Path dir) throws Exception {
    try (GoldenNode node =
        GoldenNode.healthy(
            dir,
            2,
            "--node.instance-type=ml.g7e.12xlarge",
            "--node.instance-id=i-7",
            "--health.expected-efa-devices=0")) {
      node.anotherRound();
      NodeReport report = report(node);

      assertThat(report.node().instanceType()).isEqualTo("g7e.12xlarge");
      assertThat(report.node().instanceTypeFrom()).isEqualTo(Origin.CONFIGURATION);
      assertThat(report.node().instanceId()).isEqualTo("i-7");
      assertThat(report.expected().gpus()).hasValue(2);
      assertThat(report.expected().efaDevices()).hasValue(0);
      assertThat(report.expected().instanceType().orElseThrow().efaDevices()).isEqualTo(1);
      assertThat(rules(node)).doesNotContain("gpu_count");
    }
  }

  @Test
  void anUnknownMachineHasNoExpectedHardware(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
    Files.writeString(node.sysfs().resolve("class/dmi/id/sys_vendor"), "QEMU\n");
    try (TestAgent agent = TestAgent.quick(node)) {
      NodeReport report = (NodeReport) agent.wiring().content().node().get();

      assertThat(report.node().instanceTypeFrom()).isEqualTo(Origin.UNKNOWN);
      assertThat(report.expected())
          .isEqualTo(
              new NodeReport.Expected(OptionalInt.empty(), OptionalInt.empty(), Optional.empty()));
    }
  }

  @Test
  void whatFirmwareDoesNotSayTheMetadataServiceDoes(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
    Files.writeString(node.sysfs().resolve("class/dmi/id/sys_vendor"), "QEMU\n");
    try (MetadataService service =
            new MetadataService()
                .with("instance-type", "p5.48xlarge")
                .with("placement/region", "us-east-1")
                .with("events/maintenance/scheduled", "[{\"Code\": \"instance-retirement\"}]");
        TestAgent agent = TestAgent.quick(node, "--imds.url=" + service.base())) {
      await()
          .atMost(TestAgent.PATIENCE)
          .until(
              () ->
                  agent.wiring().health().report().findings().stream()
                      .anyMatch(finding -> finding.rule().equals("maintenance_scheduled")));
      NodeReport report = (NodeReport) agent.wiring().content().node().get();

      assertThat(report.node().instanceTypeFrom()).isEqualTo(Origin.IMDS);
      assertThat(report.node().region()).isEqualTo("us-east-1");
      assertThat(report.expected().gpus()).hasValue(8);
      assertThat(report.maintenance().scheduled().orElseThrow()).hasSize(1);
    }
  }

  @Test
  void aSimulatedNodeReadsNoMetadataUnlessAUrlIsConfigured(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
    List<String> flags = new ArrayList<>(node.agentArguments());
    flags.remove("--imds.url=off");
    Settings settings =
        ((Invocation.Run) SettingsReader.read(flags, Map.of(), CollectorGroup.collectors()))
            .settings();
    try (TestAgent agent = TestAgent.started(settings, PollClock.SYSTEM, nvml -> nvml)) {
      assertThat(settings.node().imds()).isPresent();
      agent.awaitRounds(Map.of("node", 1));
      assertThat(agent.wiring().poller().activities())
          .extracting(SourceActivity::source)
          .doesNotContain("imds");
    }
  }
}
