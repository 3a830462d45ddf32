package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EfaScenariosTest {
  /** A scenario on a node with a clock that only the test advances. */
  private record Played(EfaNode node, ScenarioPlayer player) {
    static Played begun(Path dir, String scenario) {
      EfaNode node = EfaNode.of("p6-b200.48xlarge", dir);
      ScenarioPlayer player = new ScenarioPlayer(node.node(), Scenario.named(scenario));
      player.begin();
      return new Played(node, player);
    }

    EfaNode to(int second) {
      node.letPass(second);
      player.advanceTo(Duration.ofSeconds(second));
      return node;
    }
  }

  @Test
  void aLostDeviceIsBackAfterTheReboot(@TempDir Path dir) {
    Played played = Played.begun(dir, "efa-device-lost");
    EfaNode node = played.node();
    played.to(9);
    assertThat(node.names()).contains("rdmap164s0").hasSize(10);
    played.to(10);
    assertThat(node.names()).doesNotContain("rdmap164s0").hasSize(9);
    played.to(120);
    assertThat(node.names()).contains("rdmap164s0").hasSize(10);
    assertThat(played.player().finished()).isTrue();
  }

  @Test
  void retransmissionsOfOneDeviceEndWithTheRepair(@TempDir Path dir) {
    Played played = Played.begun(dir, "efa-retransmits");
    EfaNode node = played.node();
    String ill = "rdmap130s0";
    played.to(9);
    assertThat(node.port(ill, "retrans_pkts")).isZero();
    played.to(10);
    played.to(110);
    assertThat(node.port(ill, "retrans_pkts")).isGreaterThan(node.port(ill, "tx_pkts") / 100);
    assertThat(node.port(ill, "retrans_timeout_events")).isEqualTo(50);
    assertThat(node.port("rdmap113s0", "retrans_pkts")).isZero();
    played.to(120);
    long after = node.port(ill, "retrans_pkts");
    played.to(300);
    assertThat(node.port(ill, "retrans_pkts")).isEqualTo(after);
  }

  @Test
  void aMissingGpuIsNeitherOnTheBusNorKnownToTheDriverUntilTheReboot(@TempDir Path dir)
      throws Exception {
    Played played = Played.begun(dir, "gpu-missing");
    EfaNode node = played.node();
    assertThat(gpusOnBus(dir)).isEqualTo(7);
    assertThat(dir.resolve("proc/driver/nvidia/gpus/0000:97:00.0")).doesNotExist();
    try (Nvml nvml = Nvml.of(node.node())) {
      assertThat(nvml.deviceCount()).isEqualTo(7);
    }
    played.to(60);
    assertThat(gpusOnBus(dir)).isEqualTo(8);
    try (Nvml nvml = Nvml.of(node.node())) {
      assertThat(nvml.deviceCount()).isEqualTo(8);
    }
  }

  private static long gpusOnBus(Path dir) throws Exception {
    try (Stream<Path> devices = Files.list(dir.resolve("sys/bus/pci/devices"))) {
      return devices
          .filter(device -> device.resolve("vendor").toFile().exists())
          .filter(device -> text(device.resolve("vendor")).equals("0x10de"))
          .count();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
