package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SimulatedNodeTest {
  static Stream<InstanceType> types() {
    return InstanceType.all().stream();
  }

  @ParameterizedTest
  @MethodSource("types")
  void theKernelAndTheLibraryAgreeOnTheGpus(InstanceType type, @TempDir Path dir)
      throws IOException {
    SimulatedNode node = SimulatedNode.create(dir, type);
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(nvml.deviceCount()).isEqualTo(type.gpuCount());
      assertThat(nvml.call("lapwing_ignored_lines")).isZero();
      for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
        Memory pci = new Memory(68);
        nvml.call("nvmlDeviceGetPciInfo_v3", nvml.device(gpu), pci);
        String busId = type.busIds().get(gpu);
        assertThat(pci.getString(36)).isEqualToIgnoringCase("0000" + busId);
        Path device = node.sysfs().resolve("bus/pci/devices").resolve(busId);
        assertThat(device.resolve("vendor")).hasContent("0x10de");
        assertThat(device.resolve("device")).hasContent("0x%04x".formatted(pci.getInt(28) >>> 16));
        assertThat(
                Files.readString(
                    node.procfs().resolve("driver/nvidia/gpus/" + busId + "/information")))
            .contains(nvml.text("nvmlDeviceGetUUID", nvml.device(gpu)))
            .contains(nvml.text("nvmlDeviceGetName", nvml.device(gpu)));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "p5.48xlarge, NVIDIA H100 80GB HBM3, 700000, 85520809984",
    "p5e.48xlarge, NVIDIA H200, 700000, 150754820096",
    "p5en.48xlarge, NVIDIA H200, 700000, 150754820096",
    "p6-b200.48xlarge, NVIDIA B200, 1000000, 192265846784",
    "p6-b300.48xlarge, NVIDIA B300 SXM6 AC, 1100000, 288400343040",
    "p6e-gb200.36xlarge, NVIDIA GB200, 1200000, 198674743296",
    "g6e.xlarge, NVIDIA L40S, 350000, 48305799168",
    "p4de.24xlarge, NVIDIA A100-SXM4-80GB, 400000, 85899345920",
    "g6.xlarge, NVIDIA L4, 72000, 24152899584"
  })
  void everyTypeHasItsGpus(
      String type, String name, int milliwatts, long memory, @TempDir Path dir) {
    try (Nvml nvml = Nvml.of(SimulatedNode.create(dir, InstanceType.named(type)))) {
      Memory info = new Memory(40);
      info.setInt(0, 0x02000028);
      nvml.call("nvmlDeviceGetMemoryInfo_v2", nvml.device(0), info);
      assertThat(nvml.text("nvmlDeviceGetName", nvml.device(0))).isEqualTo(name);
      assertThat(nvml.number("nvmlDeviceGetEnforcedPowerLimit", nvml.device(0)))
          .isEqualTo(milliwatts);
      assertThat(info.getLong(8)).isEqualTo(memory);
      assertThat(info.getLong(16) + info.getLong(24) + info.getLong(32)).isEqualTo(memory);
    }
  }

  @Test
  void theNodeLooksLikeAnEc2Instance(@TempDir Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
    Path dmi = node.sysfs().resolve("class/dmi/id");
    assertThat(dmi.resolve("sys_vendor")).hasContent("Amazon EC2");
    assertThat(dmi.resolve("product_name")).hasContent("p5.48xlarge");
    assertThat(dmi.resolve("board_asset_tag")).content().startsWith("i-0");
    assertThat(node.procfs().resolve("stat")).content().startsWith("cpu  ").contains("cpu191 ");
  }

  @Test
  void theNodeIsMarkedAsSimulated(@TempDir Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
    new ScenarioPlayer(node, Scenario.named("idle")).begin();
    assertThat(node.sysfs().resolve("lapwing_simulated"))
        .hasContent("instance type g6.xlarge, scenario idle");
    assertThat(dir.resolve("README")).content().contains("Nothing in it is a measurement");
  }

  @Test
  void onlyTheNewestEventsStayInTheState(@TempDir Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
    for (int i = 0; i < 300; i++) {
      node.xid(0, 94);
    }
    assertThat(node.lines()).containsKey("event.300").doesNotContainKey("event.1");
  }

  @Test
  void twoFrozenNodesReadTheSameDownToTheLastCounter(@TempDir Path dir) {
    List<Long> energies = new ArrayList<>();
    for (String name : List.of("one", "other")) {
      SimulatedNode node = SimulatedNode.create(dir.resolve(name), InstanceType.named("g6.xlarge"));
      node.freeze(Instant.parse("2026-01-01T01:00:00Z"));
      try (Nvml nvml = Nvml.of(node)) {
        energies.add(nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", nvml.device(0)));
      }
    }
    assertThat(energies.get(0)).isPositive().isEqualTo(energies.get(1));
  }

  @Test
  void aLineThatWouldBeTwoIsRefused(@TempDir Path dir) {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
    assertThatThrownBy(() -> node.set("gpu.0.name", "one\ntwo"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
