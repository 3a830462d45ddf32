package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class EfaTreeTest {
  private static final String FIRST = "rdmap79s0";

  @ParameterizedTest
  @CsvSource({
    "p5.48xlarge, 32, rdmap79s0, 0xefa1, 100 Gb/sec (4X EDR)",
    "p5en.48xlarge, 16, rdmap85s0, 0xefa2, 200 Gb/sec (4X HDR)",
    "p6-b200.48xlarge, 8, rdmap79s0, 0xefa3, 400 Gb/sec (8X HDR)",
    "p4d.24xlarge, 4, rdmap16s27, 0xefa0, 100 Gb/sec (4X EDR)",
    "g5.48xlarge, 1, rdmap0s21, 0xefa0, 100 Gb/sec (4X EDR)"
  })
  void everyTypeHasItsDevices(
      String type, int count, String first, String id, String rate, @TempDir Path dir) {
    EfaNode node = EfaNode.of(type, dir);
    assertThat(node.names()).filteredOn(name -> name.startsWith("rdmap")).hasSize(count);
    assertThat(node.text(first, "device/vendor")).isEqualTo("0x1d0f");
    assertThat(node.text(first, "device/device")).isEqualTo(id);
    assertThat(node.text(first, "ports/1/rate")).isEqualTo(rate);
    assertThat(node.file(first, "device/driver"))
        .isSymbolicLink()
        .satisfies(link -> assertThat(link.toRealPath().getFileName()).hasToString("efa"));
  }

  @Test
  void aTypeWithoutEfaHasNoSuchFolder(@TempDir Path dir) {
    assertThat(EfaNode.of("g6.xlarge", dir).folder()).doesNotExist();
    assertThat(dir.resolve("sys/module/efa")).doesNotExist();
  }

  @Test
  void fourDevicesOfAP5AreBelowTheSwitchOfEachGpu(@TempDir Path dir) throws IOException {
    EfaNode node = EfaNode.of("p5.48xlarge", dir);
    Path gpu = dir.resolve("sys/bus/pci/devices/0000:53:00.0").toRealPath();
    assertThat(gpu)
        .endsWith(
            Path.of("devices/pci0000:44/0000:44:00.0/0000:45:00.0/0000:46:01.4/0000:53:00.0"));
    Path upstream = gpu.resolve("../..").normalize();
    List<String> near = new ArrayList<>();
    for (String name : node.names()) {
      if (node.file(name, "device").toRealPath().startsWith(upstream)) {
        near.add(name);
      }
    }
    assertThat(near).containsExactly("rdmap79s0", "rdmap80s0", "rdmap81s0", "rdmap82s0");
    assertThat(node.text("rdmap79s0", "device/numa_node")).isEqualTo("0");
    assertThat(node.text("rdmap201s0", "device/numa_node")).isEqualTo("1");
    assertThat(node.text("rdmap201s0", "device/uevent")).contains("PCI_SLOT_NAME=0000:c9:00.0");
  }

  @Test
  void theTwoConnectXDevicesOfAP6AreNotOfEfa(@TempDir Path dir) throws IOException {
    EfaNode node = EfaNode.of("p6-b200.48xlarge", dir);
    assertThat(node.names()).hasSize(10).contains("ibp115s0f0", "ibp116s0f0");
    assertThat(node.text("ibp115s0f0", "device/vendor")).isEqualTo("0x15b3");
    assertThat(node.file("ibp115s0f0", "device/driver").toRealPath().getFileName())
        .hasToString("mlx5_core");
  }

  @Test
  void theGidIsMadeOfTheMacAddress(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    assertThat(node.text("rdmap16s27", "ports/1/gids/0"))
        .matches("fe80:0000:0000:0000:0c5a:17ff:fe40:[0-9a-f]{4}")
        .isNotEqualTo(node.text("rdmap32s27", "ports/1/gids/0"));
  }

  @ParameterizedTest
  @CsvSource({
    "2.17.3g, 23, 15, true",
    "2.5.0, 18, 13, false",
    "1.14.1, 14, 13, false",
    // The device's counters are among the port's.
    "1.9.0, 18, 0, false"
  })
  void anOlderDriverHasFewerFiles(
      String driver, int ofPort, int ofDevice, boolean peerToPeer, @TempDir Path dir)
      throws IOException {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    node.node().set("efa.driver", driver);
    assertThat(dir.resolve("sys/module/efa/version")).hasContent(driver);
    assertThat(count(node.file("rdmap16s27", "ports/1/hw_counters"))).isEqualTo(ofPort);
    assertThat(count(node.file("rdmap16s27", "hw_counters"))).isEqualTo(ofDevice);
    assertThat(Files.exists(node.file("rdmap16s27", "device/p2p"))).isEqualTo(peerToPeer);
  }

  private static int count(Path folder) {
    String[] files = folder.toFile().list();
    return files == null ? 0 : files.length;
  }

  @Test
  void theCountersOfADeviceTellOneStory(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p5.48xlarge", dir);
    node.letPass(100);
    long sent = node.port(FIRST, "tx_bytes");
    assertThat(sent).isBetween(500_000_000_000L, 620_000_000_000L);
    assertThat(node.port(FIRST, "tx_pkts")).isEqualTo(sent / 8192);
    assertThat(
            node.port(FIRST, "rdma_write_bytes")
                + node.port(FIRST, "rdma_read_resp_bytes")
                + node.port(FIRST, "send_bytes"))
        .isBetween((long) (sent * 0.96), sent);
    assertThat(node.port(FIRST, "rdma_write_recv_bytes"))
        .isLessThan(node.port(FIRST, "rx_bytes"))
        .isPositive();
    assertThat(node.own(FIRST, "submitted_cmds"))
        .isPositive()
        .isEqualTo(node.own(FIRST, "completed_cmds"));
    assertThat(node.own(FIRST, "keep_alive_rcvd")).isBetween(30L, 36L);
    for (String quiet : List.of("rx_drops", "retrans_pkts", "rdma_write_wr_err")) {
      assertThat(node.port(FIRST, quiet)).isZero();
    }
  }

  @Test
  void railsAreSimilarButNotIdentical(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p5.48xlarge", dir);
    node.letPass(100);
    long[] sent = node.names().stream().mapToLong(name -> node.port(name, "tx_bytes")).toArray();
    assertThat(Arrays.stream(sent).distinct().count()).isGreaterThan(8);
    double mean = Arrays.stream(sent).average().orElseThrow();
    assertThat(Arrays.stream(sent).mapToObj(one -> one / mean))
        .allSatisfy(share -> assertThat(share).isBetween(0.99, 1.01));
  }

  @Test
  void whereNothingIsWrittenOneSidedlyOtherVerbsCarryThePayload(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    node.letPass(100);
    assertThat(node.port("rdmap16s27", "rdma_write_bytes")).isZero();
    assertThat(node.port("rdmap16s27", "rdma_read_bytes"))
        .isGreaterThan(node.port("rdmap16s27", "send_bytes"))
        .isGreaterThan(100_000_000_000L);
  }

  @Test
  void noCounterEverGoesBackWhenTheTrafficChanges(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    long before = 0;
    for (int second = 0; second < 60; second++) {
      node.letPass(second);
      node.node().set("efa.0.load", second % 2 == 0 ? "0.9" : "0");
      long now = node.port("rdmap16s27", "tx_bytes");
      assertThat(now).as("at %d s", second).isGreaterThanOrEqualTo(before);
      before = now;
    }
  }

  @Test
  void aDeviceThatVanishesTakesItsPciDeviceAlongAndComesBackAtZero(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    Path onBus = dir.resolve("sys/bus/pci/devices/0000:20:1b.0");
    node.letPass(100);
    node.node().set("efa.1.missing", "1");
    assertThat(node.names()).containsExactly("rdmap144s27", "rdmap160s27", "rdmap16s27");
    assertThat(Files.exists(onBus, LinkOption.NOFOLLOW_LINKS)).isFalse();
    node.letPass(200);
    node.node().clear("efa.1.missing");
    assertThat(onBus).exists();
    assertThat(node.port("rdmap32s27", "tx_bytes")).isZero();
    assertThat(node.port("rdmap16s27", "tx_bytes")).isPositive();
    node.letPass(300);
    assertThat(node.port("rdmap32s27", "tx_bytes")).isPositive();
  }

  @Test
  void aRenamedDeviceIsTheSameOneUnderAnotherName(@TempDir Path dir) throws IOException {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    node.letPass(100);
    Object file = Files.getAttribute(node.file("rdmap32s27", "hw_counters/mmap_err"), "unix:ino");
    node.node().set("efa.1.name", "efa_1");
    assertThat(node.names()).contains("efa_1").doesNotContain("rdmap32s27").hasSize(4);
    assertThat(Files.getAttribute(node.file("efa_1", "hw_counters/mmap_err"), "unix:ino"))
        .isEqualTo(file);
    long before = node.port("efa_1", "tx_bytes");
    node.letPass(200);
    assertThat(node.port("efa_1", "tx_bytes")).isGreaterThan(before);
    node.node().clear("efa.1.name");
    assertThat(node.names()).contains("rdmap32s27").hasSize(4);
  }

  @Test
  void faultsOfADeviceAreCountsBesideItsTraffic(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    node.node().set("efa.2.retransmits", "0.02");
    node.node().set("efa.2.unresponsive_remote_events", "0 + 2/s since now max 7");
    node.node().set("efa.2.no_completion_cmds", "3");
    node.node().set("efa.2.keep_alive", "0");
    node.node().set("efa.1.load", "0.1");
    node.letPass(100);
    String ill = "rdmap144s27";
    assertThat(node.port(ill, "retrans_pkts")).isEqualTo(node.port(ill, "tx_pkts") / 50);
    assertThat(node.port(ill, "unresponsive_remote_events")).isEqualTo(7);
    assertThat(node.own(ill, "submitted_cmds") - node.own(ill, "completed_cmds")).isEqualTo(3);
    assertThat(node.own(ill, "keep_alive_rcvd")).isZero();
    assertThat(node.port("rdmap32s27", "tx_bytes"))
        .isLessThan(node.port("rdmap16s27", "tx_bytes") / 4);
    node.node().clear("efa.2.unresponsive_remote_events");
    assertThat(node.port(ill, "unresponsive_remote_events")).isEqualTo(7);
  }

  @Test
  void filesCanBeReplacedByErrorsAndFifos(@TempDir Path dir) throws IOException {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    String counters = "efa.0.file.ports/1/hw_counters/";
    String device = "rdmap16s27";
    node.node().set(counters + "tx_bytes", "directory");
    node.node().set(counters + "rx_bytes", "18446744073709551615");
    node.node().set(counters + "rx_pkts", "missing");
    node.node().set(counters + "rx_drops", "");
    node.node().set(counters + "tx_pkts", "fifo");
    node.node().set("efa.0.file.device/numa_node", "none");
    node.node().set("efa.1.file.ports/1/hw_counters", "missing");
    node.letPass(10);
    assertThat(node.file(device, "ports/1/hw_counters/tx_bytes")).isDirectory();
    assertThat(node.text(device, "ports/1/hw_counters/rx_bytes")).endsWith("551615");
    assertThat(node.file(device, "ports/1/hw_counters/rx_pkts")).doesNotExist();
    assertThat(node.file(device, "ports/1/hw_counters/rx_drops")).isEmptyFile();
    assertThat(Files.isRegularFile(node.file(device, "ports/1/hw_counters/tx_pkts"))).isFalse();
    assertThat(node.text(device, "device/numa_node")).isEqualTo("none");
    assertThat(node.text("rdmap144s27", "device/numa_node")).isEqualTo("1");
    assertThat(node.file("rdmap32s27", "ports/1/hw_counters")).doesNotExist();
    assertThat(node.own("rdmap32s27", "keep_alive_rcvd")).isPositive();
    node.node()
        .clear(counters + "tx_bytes", counters + "tx_pkts", "efa.1.file.ports/1/hw_counters");
    assertThat(node.port(device, "tx_bytes")).isPositive();
    assertThat(node.port(device, "tx_pkts")).isPositive();
    assertThat(node.port("rdmap32s27", "tx_bytes")).isPositive();
  }

  @Test
  void aBootRestartsCountersAndAMissingDeviceStaysMissing(@TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    node.letPass(100);
    node.node().set("efa.1.missing", "1");
    node.node().set("efa.2.retransmits", "0.5");
    String gid = node.text("rdmap16s27", "ports/1/gids/0");
    node.node().reboot();
    assertThat(node.port("rdmap16s27", "tx_bytes")).isZero();
    assertThat(node.names()).hasSize(3);
    assertThat(node.text("rdmap16s27", "ports/1/gids/0")).isEqualTo(gid);
    node.letPass(200);
    assertThat(node.port("rdmap144s27", "tx_bytes")).as("no job").isZero();
    assertThat(node.own("rdmap144s27", "keep_alive_rcvd")).isPositive();
    node.node().replace();
    assertThat(node.names()).hasSize(4);
    assertThat(node.text("rdmap16s27", "ports/1/gids/0")).isNotEqualTo(gid);
  }

  @Test
  void timeThatPassesMovesTheCounters(@TempDir Path dir) throws InterruptedException {
    SimulatedNode live = SimulatedNode.create(dir, InstanceType.named("g5.48xlarge"));
    EfaNode node = new EfaNode(live);
    try (PassingTime time = live.letTimePass()) {
      assertThat(time).isNotNull();
      while (node.port("rdmap0s21", "tx_bytes") == 0) {
        Thread.sleep(10);
      }
    }
    assertThat(node.port("rdmap0s21", "rx_bytes")).isPositive();
  }

  @ParameterizedTest
  @CsvSource({
    "efa.4.missing, 1, this node has 4 EFA devices",
    "efa.0.tx_octets, 1, an EFA device has no tx_octets",
    "efa.0.load, 2, is not a share from 0 to 1",
    "efa.driver, newest, is not a version such as 2.17.3g",
    "efa.all, 1, not a line of a state"
  })
  void aMistakeIsNamed(String key, String value, String message, @TempDir Path dir) {
    EfaNode node = EfaNode.of("p4d.24xlarge", dir);
    assertThatThrownBy(() -> node.node().set(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
