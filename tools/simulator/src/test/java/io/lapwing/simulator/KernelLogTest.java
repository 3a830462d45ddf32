package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelLogTest {
  private static final long DAY = 86_400_000_000L;

  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
  }

  private List<String> log() throws IOException {
    return Files.readAllLines(node.kmsg(), StandardCharsets.US_ASCII);
  }

  /** The lines after the first lines of the log. */
  private List<String> after(int lines) throws IOException {
    List<String> log = log();
    return log.subList(lines, log.size());
  }

  private static List<String> texts(List<String> records) {
    return records.stream().map(record -> record.substring(record.indexOf(';') + 1)).toList();
  }

  @Test
  void aBootBeginsWithSequenceZeroAndEndsWithTheDriver() throws IOException {
    assertThat(log().get(0)).startsWith("5,0,0,-;Linux version ");
    assertThat(log())
        .anyMatch(
            line -> line.equals("6,3,0,-;nvidia 0000:53:00.0: enabling device (0000 -> 0002)"))
        .anyMatch(line -> line.equals(" DEVICE=+pci:0000:53:00.0"));
    assertThat(log().get(log().size() - 1))
        .startsWith("4,12,600000,-;NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  ");
    assertThat(log()).allMatch(line -> line.matches("\\d+,\\d+,\\d+,-;.+| [A-Z]+=.+"));
  }

  @Test
  void anXidIsLoggedWithItsProcessAndTheFirstOneAfterTheIdentityOfTheGpu() throws IOException {
    int before = log().size();
    node.xid(3, 94);
    node.xid(3, 79);
    assertThat(after(before))
        .containsExactly(
            "4,13," + DAY + ",-;NVRM: GPU at PCI:0000:86:00: " + uuid(3),
            "4,14," + DAY + ",-;NVRM: GPU Board Serial Number: 1650022000003",
            "4,15,"
                + DAY
                + ",-;NVRM: Xid (PCI:0000:86:00): 94, pid=20003, name=python3,"
                + " Contained: CE User Channel (0x9). RST: No, D-RST: No",
            "4,16,"
                + DAY
                + ",-;NVRM: Xid (PCI:0000:86:00): 79, pid='<unknown>', name=<unknown>,"
                + " GPU has fallen off the bus.");
    assertThat(node.lines())
        .containsEntry("event.1", "3 xid 94")
        .containsEntry("event.2", "3 xid 79");
  }

  private String uuid(int gpu) {
    return String.valueOf(node.lines().get("gpu." + gpu + ".uuid"));
  }

  @Test
  void anXidHasTheGivenMessageOrNoneIfUnknown() throws IOException {
    node.xid(2, 45);
    int before = log().size();
    node.set("gpu.2.processes", "");
    node.xid(2, 154, "GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)");
    node.xid(2, 45);
    node.xid(2, 161);
    assertThat(texts(after(before)))
        .containsExactly(
            "NVRM: Xid (PCI:0000:75:00): 154,"
                + " GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)",
            "NVRM: Xid (PCI:0000:75:00): 45, pid='<unknown>', name=<unknown>, Ch 00000008",
            "NVRM: Xid (PCI:0000:75:00): 161");
  }

  @Test
  void anXidCanBeInTheKernelLogOrNvmlOnly() throws IOException {
    node.xid(1, 13);
    int before = log().size();
    node.kernelXid(1, 13);
    assertThat(after(before)).hasSize(1);
    assertThat(node.lines()).doesNotContainKey("event.2");
    node.nvmlXid(1, 13);
    assertThat(after(before)).hasSize(1);
    assertThat(node.lines()).containsKey("event.2");
  }

  @Test
  void continuationLinesStartWithASpaceAndNonPrintableTextIsEscaped() throws IOException {
    int before = log().size();
    node.kernel("<12>one\ntwo\n three");
    node.kernel("back\\slash\ttab \u00e9");
    assertThat(after(before))
        .containsExactly(
            "12,13," + DAY + ",-;one",
            " two",
            "  three",
            "4,14," + DAY + ",-;back\\x5cslash\\x09tab \\xc3\\xa9");
  }

  @Test
  void placeholdersAreReplacedByValuesOfTheNode() throws IOException {
    int before = log().size();
    node.kernel("{pci:3} {uuid:3} {serial:3} {pid:3} {0x50610002, 0x10100030}");
    assertThat(texts(after(before)))
        .containsExactly("0000:86:00 " + uuid(3) + " 1650022000003 20003 {0x50610002, 0x10100030}");
  }

  @Test
  void timeInTheLogIsTimeSinceTheBootByTheNodesClock() throws IOException {
    int before = log().size();
    TestNode.letPass(node, 2.5);
    node.kernel("later");
    TestNode.letPass(node, 1);
    node.kernel("not earlier");
    assertThat(after(before))
        .containsExactly("4,13,86402500000,-;later", "4,14,86402500000,-;not earlier");
    assertThat(node.procfs().resolve("uptime")).content().startsWith("86401.00 ");
    assertThat(node.procfs().resolve("stat"))
        .content()
        .contains("btime " + (TestNode.EPOCH - 86_400) + "\n");
  }

  @Test
  void loadingAndUnloadingTheDriverIsLoggedAndGpusAreIdentifiedAgain() throws IOException {
    node.xid(0, 13);
    int before = log().size();
    node.set("driver.loaded", "0");
    node.change(Map.of("driver.loaded", "1", "driver.version", "580.105.08"), List.of());
    node.set("driver.version", "580.105.08");
    node.xid(0, 13);
    assertThat(texts(after(before)))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("nvidia-nvlink: Unregistered"),
            line -> assertThat(line).startsWith("nvidia-nvlink: Nvlink Core is being"),
            line -> assertThat(line).contains("Kernel Module  580.105.08  "),
            line -> assertThat(line).startsWith("NVRM: GPU at PCI:0000:53:00: GPU-"),
            line -> assertThat(line).startsWith("NVRM: GPU Board Serial Number: "),
            line -> assertThat(line).contains("): 13, pid=20000, "));
  }

  @Test
  void sequencesHaveNoGapHoweverMuchIsPrinted(@TempDir Path dir) throws Exception {
    SimulatedNode stormy = TestNode.p5(dir);
    ScenarioPlayer player = new ScenarioPlayer(stormy, Scenario.named("xid-storm-kernel"));
    player.begin();
    player.advanceTo(Duration.ofSeconds(20));
    List<String> records = new ArrayList<>(Files.readAllLines(stormy.kmsg()));
    records.removeIf(line -> line.startsWith(" "));
    assertThat(records).filteredOn(line -> line.contains("Xid (PCI:0000:64:00)")).hasSize(12_001);
    for (int i = 0; i < records.size(); i++) {
      assertThat(records.get(i)).matches("\\d+," + i + ",.*");
    }
  }

  @Test
  void aGpuThatTheNodeDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> node.xid(8, 79))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no GPU 8 on a p5.48xlarge");
    assertThatThrownBy(() -> node.reset(-1)).hasMessage("no GPU -1 on a p5.48xlarge");
  }
}
