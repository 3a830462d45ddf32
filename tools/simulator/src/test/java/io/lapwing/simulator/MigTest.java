package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigTest {
  private static final int SM_ACTIVE = 2;
  private static final int PCIE_TX = 20;
  private static final int INVALID_ARGUMENT = 2;
  private static final int NOT_SUPPORTED = 3;
  private static final int NOT_FOUND = 6;

  private SimulatedNode node;
  private Nvml nvml;
  private Pointer gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = TestNode.p5(dir);
    node.set("gpu.0.mig.mode", "1");
    node.set("gpu.0.mig.instances", "3:4g.40gb@0*0.5 9:1g.10gb+me@6");
    nvml = Nvml.of(node);
    gpu = nvml.device(0);
  }

  @AfterEach
  void closeLibrary() {
    nvml.close();
  }

  private Pointer device(int index) {
    PointerByReference device = new PointerByReference();
    assertThat(nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", gpu, index, device)).isZero();
    return device.getValue();
  }

  private int codeOfDevice(int index) {
    return nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", gpu, index, new PointerByReference());
  }

  private Pointer sample(int instance) {
    Pointer sample = nvml.emptySample();
    assertThat(nvml.call("nvmlGpmMigSampleGet", gpu, instance, sample)).isZero();
    return sample;
  }

  @Test
  void aMigDeviceIsNamedForItsGpuAndProfile() {
    Pointer device = device(1);
    assertThat(nvml.text("nvmlDeviceGetName", device))
        .isEqualTo("NVIDIA H100 80GB HBM3 MIG 1g.10gb+me");
    assertThat(nvml.text("nvmlDeviceGetUUID", device)).matches("MIG(-[0-9a-f]+){5}").hasSize(40);
    assertThat(nvml.number("nvmlDeviceGetGpuInstanceId", device)).isEqualTo(9);
    assertThat(nvml.number("nvmlDeviceGetComputeInstanceId", device)).isZero();
    assertThat(nvml.number("nvmlDeviceIsMigDeviceHandle", device)).isEqualTo(1);
    assertThat(nvml.number("nvmlDeviceIsMigDeviceHandle", gpu)).isZero();
    PointerByReference whole = new PointerByReference();
    nvml.call("nvmlDeviceGetDeviceHandleFromMigDeviceHandle", device, whole);
    assertThat(whole.getValue()).isEqualTo(gpu);
    assertThat(codeOfDevice(2)).isEqualTo(NOT_FOUND);
  }

  @Test
  void attributesAndPlacementAreThoseOfTheProfile() {
    Memory attributes = new Memory(40);
    nvml.call("nvmlDeviceGetAttributes_v2", device(0), attributes);
    assertThat(attributes.getInt(0)).isEqualTo(64);
    assertThat(attributes.getInt(24)).isEqualTo(4);
    assertThat(attributes.getLong(32)).isEqualTo(40448);
    PointerByReference instance = new PointerByReference();
    assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", gpu, 3, instance)).isZero();
    Memory info = new Memory(24);
    nvml.call("nvmlGpuInstanceGetInfo", instance.getValue(), info);
    assertThat(info.getPointer(0)).isEqualTo(gpu);
    assertThat(info.getIntArray(8, 4)).containsExactly(3, 5, 0, 4);
    assertThat(nvml.call("nvmlDeviceGetGpuInstanceById", gpu, 4, instance)).isEqualTo(NOT_FOUND);
  }

  @Test
  void theActivityOfTheGpuIsThatOfItsInstancesByTheirSlices() {
    node.set("gpu.0.gpm.sm_active", "70");
    Pointer whole = nvml.gpmSample(gpu);
    Pointer large = sample(3);
    Pointer small = sample(9);
    TestNode.letPass(node, 1);
    assertThat(nvml.metric(large, sample(3), SM_ACTIVE).value()).isCloseTo(35, within(1e-6));
    assertThat(nvml.metric(small, sample(9), SM_ACTIVE).value()).isCloseTo(70, within(1e-6));
    assertThat(nvml.metric(whole, nvml.gpmSample(gpu), SM_ACTIVE).value())
        .isCloseTo((4 * 35 + 1 * 70) / 7.0, within(1e-6));
    assertThat(nvml.metric(small, sample(9), PCIE_TX).code()).isEqualTo(NOT_SUPPORTED);
    assertThat(nvml.metric(whole, nvml.gpmSample(gpu), PCIE_TX).code()).isZero();
  }

  @Test
  void aProcessIsOnItsInstanceWithItsMemory() {
    node.set("gpu.0.processes", "4711:512@9 4712:64");
    IntByReference count = new IntByReference(2);
    Memory processes = new Memory(48);
    nvml.call("nvmlDeviceGetComputeRunningProcesses_v3", gpu, count, processes);
    assertThat(processes.getInt(16)).isEqualTo(9);
    assertThat(processes.getInt(24 + 16)).isEqualTo(-1);
    Memory memory = new Memory(24);
    nvml.call("nvmlDeviceGetMemoryInfo", device(1), memory);
    assertThat(memory.getLong(0)).isEqualTo(9856L << 20);
    long reserved = 617_611_264 / 8;
    assertThat(memory.getLong(16)).isEqualTo((512L << 20) + reserved);
    Memory second = new Memory(40);
    second.setInt(0, 2 << 24 | 40);
    assertThat(nvml.call("nvmlDeviceGetMemoryInfo_v2", device(1), second)).isZero();
    assertThat(second.getLong(16)).isEqualTo(reserved);
    assertThat(second.getLong(24)).isEqualTo((9344L << 20) - reserved);
    assertThat(second.getLong(32)).isEqualTo(512L << 20);
  }

  @Test
  void anInstanceThatIsGoneIsAnInvalidArgument() {
    Pointer device = device(1);
    node.set("gpu.0.mig.instances", "3:4g.40gb@0");
    assertThat(nvml.call("nvmlDeviceGetName", device, new Memory(96), 96))
        .isEqualTo(INVALID_ARGUMENT);
    assertThat(nvml.call("nvmlGpmMigSampleGet", gpu, 9, nvml.emptySample()))
        .isEqualTo(INVALID_ARGUMENT);
    node.set("gpu.0.mig.mode", "0");
    assertThat(codeOfDevice(0)).isEqualTo(NOT_FOUND);
    assertThat(nvml.call("nvmlGpmMigSampleGet", gpu, 3, nvml.emptySample()))
        .isEqualTo(NOT_SUPPORTED);
  }

  @Test
  void aProfileThatDoesNotExistIsAGarbledLine() {
    node.set("gpu.0.mig.instances", "3:5g.50gb@0");
    assertThat(codeOfDevice(0)).isEqualTo(NOT_FOUND);
  }

  @Test
  void aMigDeviceIsNoGpu() {
    assertThat(nvml.temperatureCode(device(0))).isEqualTo(INVALID_ARGUMENT);
    assertThat(nvml.call("nvmlDeviceGetUtilizationRates", gpu, new Memory(8)))
        .isEqualTo(NOT_SUPPORTED);
  }
}
