package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {
  private static final int CORRECTED = 0;
  private static final int UNCORRECTED = 1;
  private static final int VOLATILE = 0;
  private static final int AGGREGATE = 1;
  private static final int DRAM = 2;
  private static final int RECOVERY_ACTION = 230;

  private SimulatedNode node;
  private Nvml nvml;
  private Pointer gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
    nvml = Nvml.of(node);
    gpu = nvml.device(2);
  }

  @AfterEach
  void closeLibrary() {
    nvml.close();
  }

  private long errors(Pointer device, int type, int counter) {
    return nvml.wideNumber("nvmlDeviceGetMemoryErrorCounter", device, type, counter, DRAM);
  }

  private long energy(Pointer device) {
    return nvml.wideNumber("nvmlDeviceGetTotalEnergyConsumption", device);
  }

  /** Correctable, uncorrectable, pending and failed. */
  private int[] rows(Pointer device) {
    Memory rows = new Memory(16);
    nvml.call(
        "nvmlDeviceGetRemappedRows", device, rows, rows.share(4), rows.share(8), rows.share(12));
    return rows.getIntArray(0, 4);
  }

  @Test
  void aResetRestartsOnlyTheTotalsOfThatGpu() {
    Pointer other = nvml.device(3);
    TestNode.letPass(node, 600);
    long before = energy(gpu);
    long others = energy(other);
    node.reset(2);
    assertThat(energy(gpu)).isZero();
    assertThat(energy(other)).isEqualTo(others);
    TestNode.letPass(node, 660);
    assertThat(energy(gpu)).isBetween(1L, before / 5);
    assertThat(energy(other)).isGreaterThan(others);
  }

  @Test
  void aResetForgetsVolatileErrorsAndKeepsTheInfoRoms() {
    node.set("gpu.2.ecc.corrected.volatile.dram", "5 + 2/s since " + TestNode.EPOCH + " max 25");
    node.set("gpu.2.ecc.uncorrected.volatile.dram", "3");
    TestNode.letPass(node, 60);
    assertThat(errors(gpu, CORRECTED, VOLATILE)).isEqualTo(25);
    node.reset(2);
    assertThat(errors(gpu, CORRECTED, VOLATILE)).isZero();
    assertThat(errors(gpu, CORRECTED, AGGREGATE)).isEqualTo(25);
    assertThat(errors(gpu, UNCORRECTED, VOLATILE)).isZero();
    assertThat(errors(gpu, UNCORRECTED, AGGREGATE)).isEqualTo(3);
    node.set("gpu.2.ecc.uncorrected.volatile.dram", "2");
    node.reset(2);
    assertThat(errors(gpu, UNCORRECTED, AGGREGATE)).isEqualTo(5);
  }

  @Test
  void aResetActivatesRemapsAndCompletesTheRequestedAction() {
    node.setAll(
        Map.of(
            "gpu.2.rows.uncorrectable", "4",
            "gpu.2.rows.pending", "1",
            "gpu.2.rows.failure", "1",
            "gpu.2.recovery.action", "1",
            "gpu.2.nvlink.inactive", "3",
            "gpu.2.temperature", "91"));
    assertThat(rows(gpu)).containsExactly(0, 4, 1, 1);
    assertThat(nvml.field(gpu, RECOVERY_ACTION).bits()).isEqualTo(1);
    node.reset(2);
    assertThat(rows(gpu)).containsExactly(0, 4, 0, 1);
    assertThat(nvml.field(gpu, RECOVERY_ACTION).bits()).isZero();
    assertThat(nvml.number("nvmlDeviceGetNvLinkState", gpu, 3)).isEqualTo(1);
    assertThat(nvml.temperature(gpu)).isEqualTo(91);
  }

  @Test
  void aResetBringsALostGpuBackAndOfAHangOfAllOnlyOne() {
    Pointer other = nvml.device(3);
    node.set("gpu.2.lost", "1");
    node.set("gpu.*.return.*", "999");
    assertThat(nvml.temperatureCode(gpu)).isEqualTo(15);
    node.reset(2);
    assertThat(nvml.temperatureCode(gpu)).isZero();
    assertThat(nvml.temperatureCode(other)).isEqualTo(999);
    assertThat(nvml.call("lapwing_ignored_lines")).isZero();
  }

  @Test
  void aRebootIsAnotherBootOfTheSameMachine() throws IOException {
    String bootId = Files.readString(node.procfs().resolve("sys/kernel/random/boot_id"));
    String instance = Files.readString(node.sysfs().resolve("class/dmi/id/board_asset_tag"));
    String uuid = nvml.text("nvmlDeviceGetUUID", gpu);
    node.set("gpu.2.ecc.uncorrected.volatile.dram", "3");
    node.set("gpu.*.block.nvmlDeviceGetName", "forever");
    node.set("system.return.nvmlDeviceGetCount_v2", "999");
    node.xid(2, 79);
    TestNode.letPass(node, 600.5);
    node.reboot();
    assertThat(node.procfs().resolve("sys/kernel/random/boot_id"))
        .content()
        .isNotEqualTo(bootId)
        .matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\n");
    assertThat(node.procfs().resolve("stat"))
        .content()
        .contains("\nbtime " + (TestNode.EPOCH + 601) + "\n");
    assertThat(node.procfs().resolve("uptime")).content().startsWith("0.00 ");
    assertThat(node.sysfs().resolve("class/dmi/id/board_asset_tag")).hasContent(instance.strip());
    assertThat(Files.readAllLines(node.kmsg()))
        .noneMatch(line -> line.contains("Xid"))
        .first()
        .asString()
        .startsWith("5,0,0,-;");
    assertThat(nvml.temperatureCode(gpu)).as("an old handle").isEqualTo(1);
    nvml.call("nvmlShutdown");
    nvml.call("nvmlInit_v2");
    assertThat(nvml.deviceCount()).isEqualTo(8);
    assertThat(nvml.text("nvmlDeviceGetUUID", nvml.device(2))).isEqualTo(uuid);
    assertThat(energy(nvml.device(2))).isZero();
    assertThat(errors(nvml.device(2), UNCORRECTED, AGGREGATE)).isEqualTo(3);
    assertThat(node.procfs().resolve("20002")).doesNotExist();
    assertThat(nvml.call("lapwing_ignored_lines")).isZero();
    TestNode.letPass(node, 611);
    node.xid(2, 13);
    assertThat(Files.readString(node.kmsg()))
        .contains(",10000000,-;NVRM: Xid (PCI:0000:75:00): 13,");
  }

  @Test
  void theBootIdChangesAfterAllOtherFilesOfTheMachine() throws Exception {
    Path id = node.procfs().resolve("sys/kernel/random/boot_id");
    String before = Files.readString(id);
    CountDownLatch looking = new CountDownLatch(1);
    CompletableFuture<String> atBoot =
        CompletableFuture.supplyAsync(
            () -> {
              looking.countDown();
              String now = before;
              while (now.isEmpty() || now.equals(before)) {
                now = read(id);
              }
              return read(node.state());
            });
    looking.await();
    node.replace();
    assertThat(atBoot.get(3, TimeUnit.MINUTES)).isEqualTo(Files.readString(node.state()));
  }

  /** Empty where it is not there, as the boot's id while the machine is down. */
  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException notThere) {
      return "";
    }
  }

  @Test
  void twoRebootsInOneMomentAreTwoBoots() throws IOException {
    node.reboot();
    String first = Files.readString(node.procfs().resolve("sys/kernel/random/boot_id"));
    node.reboot();
    assertThat(node.procfs().resolve("sys/kernel/random/boot_id")).content().isNotEqualTo(first);
  }

  @Test
  void aReplacementIsAnotherMachineThatNothingHappenedTo() throws IOException {
    String instance = Files.readString(node.sysfs().resolve("class/dmi/id/board_asset_tag"));
    String uuid = nvml.text("nvmlDeviceGetUUID", gpu);
    node.set("gpu.2.rows.failure", "1");
    node.set("gpu.2.ecc.uncorrected.volatile.dram", "3");
    node.set("gpu.2.pcie.width", "8");
    node.replace();
    nvml.call("nvmlShutdown");
    nvml.call("nvmlInit_v2");
    Pointer other = nvml.device(2);
    assertThat(node.sysfs().resolve("class/dmi/id/board_asset_tag"))
        .content()
        .isNotEqualTo(instance)
        .startsWith("i-0");
    assertThat(nvml.text("nvmlDeviceGetUUID", other)).startsWith("GPU-").isNotEqualTo(uuid);
    assertThat(node.procfs().resolve("driver/nvidia/gpus/0000:75:00.0/information"))
        .content()
        .contains(nvml.text("nvmlDeviceGetUUID", other));
    assertThat(rows(other)).containsExactly(0, 0, 0, 0);
    assertThat(errors(other, UNCORRECTED, AGGREGATE)).isZero();
    assertThat(node.sysfs().resolve("bus/pci/devices/0000:75:00.0/current_link_width"))
        .hasContent("16");
    assertThat(nvml.call("lapwing_ignored_lines")).isZero();
  }

  @Test
  void aProcessThatEndsLeavesTheGpuAndProc() {
    Path proc = node.procfs().resolve("20003");
    assertThat(proc.resolve("comm")).hasContent("python3");
    assertThat(proc.resolve("stat"))
        .content()
        .startsWith("20003 (python3) S ")
        .hasSizeLessThan(200);
    node.exit(20003);
    assertThat(proc).doesNotExist();
    assertThat(node.lines()).containsEntry("gpu.3.processes", "");
    assertThat(node.procfs().resolve("20002")).isDirectory();
    assertThatThrownBy(() -> node.exit(20003)).hasMessage("no process 20003 on a GPU of this node");
    node.set("gpu.3.processes", "21003:100 21004:7");
    node.exit(21003);
    assertThat(node.lines()).containsEntry("gpu.3.processes", "21004:7");
    assertThat(node.procfs().resolve("21004")).isDirectory();
  }

  @Test
  void theKernelSeesThePcieLinkThatTheLibrarySees() {
    node.set("gpu.1.pcie.width", "8");
    node.set("gpu.1.pcie.generation", "4");
    Path device = node.sysfs().resolve("bus/pci/devices/0000:64:00.0");
    assertThat(device.resolve("current_link_width")).hasContent("8");
    assertThat(device.resolve("current_link_speed")).hasContent("16.0 GT/s PCIe");
    assertThat(device.resolve("max_link_width")).hasContent("16");
    node.clear("gpu.1.pcie.width", "gpu.1.pcie.generation");
    assertThat(device.resolve("current_link_width")).hasContent("16");
    assertThat(device.resolve("current_link_speed")).hasContent("32.0 GT/s PCIe");
  }
}
