package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.MigDevice.Attributes;
import io.lapwing.nvml.MigDevice.Placement;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MigDevicesTest {

  private static final List<GpmMetric> SM_ACTIVE = List.of(GpmMetric.SM_ACTIVE);

  /** Of an instance with one of 8 slices of memory. */
  private static final long RESERVED = 617_611_264 / 8;

  private SimulatedNode node;
  private ScriptedLibrary library;
  private NvmlGpu gpu;
  private double seconds;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
    node.set("gpu.1.mig.mode", "1");
    instances("3:4g.40gb@0 9:1g.10gb@6");
    library = ScriptedLibrary.over(StillNode.library(node, Variant.NEW));
    Nvml nvml =
        StillNode.initialised(new JnaNvml(library.library(), () -> Math.round(seconds * 1e9)));
    gpu = StillNode.present(nvml.gpu(1));
  }

  private void instances(String those) {
    node.set("gpu.1.mig.instances", those);
  }

  private List<Integer> ids() {
    return StillNode.present(gpu.migDevices()).stream().map(MigDevice::gpuInstance).toList();
  }

  private Reading<GpmValues> activityAt(double at, int instance) {
    seconds = at;
    StillNode.letPass(node, at);
    return gpu.gpm(instance, SM_ACTIVE);
  }

  private double smActiveAt(double at, int instance) {
    return StillNode.present(StillNode.present(activityAt(at, instance)).get(GpmMetric.SM_ACTIVE));
  }

  @Test
  void eachDeviceIsReadThroughItsOwnHandle() {
    node.set("gpu.1.processes", "4711:512@9");
    String uuid = StillNode.present(gpu.uuid());
    List<MigDevice> devices = StillNode.present(gpu.migDevices());
    assertThat(devices).hasSize(2);
    assertThat(devices.get(1))
        .isEqualTo(
            new MigDevice(
                devices.get(1).uuid(),
                9,
                0,
                "1g.10gb",
                Optional.of(new Attributes(16, 1, 1, 9856)),
                Optional.of(new Placement(6, 1)),
                Reading.of(
                    new NvmlGpu.Memory(
                        9856L << 20,
                        OptionalLong.of(RESERVED),
                        (9344L << 20) - RESERVED,
                        512L << 20))));
    assertThat(devices.get(1).uuid())
        .startsWith("MIG-" + uuid.substring(4, 12))
        .isNotEqualTo(devices.get(0).uuid());
    assertThat(gpu.maxMigDevices()).isEqualTo(Reading.of(7));
  }

  @Test
  void aLibraryWithoutVersion2CountsReservedMemoryAsUsed() {
    node.set("gpu.1.processes", "4711:512@9");
    library.with(
        "nvmlDeviceGetMemoryInfo_v2",
        arguments -> {
          throw new UnsatisfiedLinkError("nvmlDeviceGetMemoryInfo_v2");
        });
    assertThat(StillNode.present(gpu.migDevices()).get(1).memory())
        .isEqualTo(
            Reading.of(
                new NvmlGpu.Memory(
                    9856L << 20,
                    OptionalLong.empty(),
                    (9344L << 20) - RESERVED,
                    (512L << 20) + RESERVED)));
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3 MIG 1g.10gb, 1g.10gb",
    "NVIDIA H100 80GB HBM3 MIG 1g.10gb+me, 1g.10gb+me",
    "NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb, 3g.20gb",
    "NVIDIA H100 80GB HBM3, ''",
  })
  void theProfileIsTheGpuInstancesInTheName(String name, String profile) {
    assertThat(MigDevice.profile(name)).isEqualTo(profile);
  }

  @Test
  void withoutPermissionThereIsNoPlacement() {
    node.set("gpu.1.return.nvmlDeviceGetGpuInstanceById", "4");
    assertThat(StillNode.present(gpu.migDevices()))
        .hasSize(2)
        .allSatisfy(device -> assertThat(device.placement()).isEmpty())
        .allSatisfy(device -> assertThat(device.attributes()).isPresent());
  }

  @Test
  void aLibraryWithoutAttributesHasTheDevices() {
    library.with(
        "nvmlDeviceGetAttributes_v2",
        arguments -> {
          throw new UnsatisfiedLinkError("nvmlDeviceGetAttributes_v2");
        });
    assertThat(StillNode.present(gpu.migDevices()))
        .hasSize(2)
        .allSatisfy(device -> assertThat(device.attributes()).isEmpty());
    assertThat(gpu.absences())
        .containsExactly("MIG: nvmlDeviceGetAttributes_v2: not in this library");
  }

  /** Between its handle and its name. */
  @Test
  void aDeviceThatVanishesWhileItIsReadIsLeftOut() {
    NvmlLibrary real = StillNode.library(node, Variant.NEW);
    library.with(
        "nvmlDeviceGetComputeInstanceId",
        arguments -> {
          instances("3:4g.40gb@0");
          return real.nvmlDeviceGetComputeInstanceId(
              (com.sun.jna.Pointer) arguments[0], (com.sun.jna.Pointer) arguments[1]);
        });
    instances("9:1g.10gb@6 3:4g.40gb@0");
    assertThat(ids()).isEmpty();
    assertThat(ids()).containsExactly(3);
  }

  @Test
  void aLostGpuIsAFailureAndNotAnEmptyList() {
    node.set("gpu.1.return.nvmlDeviceGetGpuInstanceId", "15");
    assertThat(gpu.migDevices())
        .isEqualTo(new Reading.Failed<>("nvmlDeviceGetGpuInstanceId", "gpu_is_lost"));
  }

  @Test
  void anInstanceHasAnAverageOfItsOwn() {
    node.set("gpu.1.gpm.sm_active", "60");
    instances("3:4g.40gb@0*0.5 9:1g.10gb@6");
    ids();
    activityAt(0, 3);
    activityAt(0, 9);
    assertThat(smActiveAt(1, 3)).isCloseTo(0.3, within(1e-6));
    assertThat(smActiveAt(1, 9)).isCloseTo(0.6, within(1e-6));
    assertThat(library.calls()).doesNotContain("nvmlGpmSampleGet");
  }

  @Test
  void anInstanceThatVanishedIsGoneAndItsSamplesAreFreed() {
    ids();
    activityAt(0, 9);
    instances("3:4g.40gb@0");
    assertThat(MigDevice.isGone(activityAt(1, 9))).isTrue();
    assertThat(ids()).containsExactly(3);
    assertThat(library.count("nvmlGpmSampleFree")).isEqualTo(2);
  }

  @Test
  void noAverageSpansTwoInstancesOfOneId() {
    ids();
    activityAt(0, 9);
    instances("3:4g.40gb@0 9:1g.20gb@6");
    ids();
    assertThat(activityAt(5, 9)).isEqualTo(Reading.of(GpmValues.NONE));
  }

  /** Its neighbour may have been recreated with the same id, profile and placement. */
  @Test
  void afterAChangeEveryInstancesAveragesStartAnew() {
    ids();
    activityAt(0, 3);
    instances("3:4g.40gb@0");
    ids();
    assertThat(activityAt(5, 3)).isEqualTo(Reading.of(GpmValues.NONE));
    assertThat(smActiveAt(6, 3)).isNotNegative();
  }

  /** Samples that were taken while no list had the instance. */
  @Test
  void noAverageBeginsBeforeTheListThatHasTheInstance() {
    instances("3:4g.40gb@0");
    ids();
    instances("3:4g.40gb@0 9:1g.10gb@6");
    activityAt(0, 9);
    ids();
    assertThat(activityAt(5, 9)).isEqualTo(Reading.of(GpmValues.NONE));
  }

  @Test
  void aSampleThatWasRefusedIsTakenAgainAfterTheNextList() {
    ids();
    node.set("gpu.1.return.nvmlGpmMigSampleGet", "3");
    assertThat(activityAt(0, 3)).isInstanceOf(Reading.Unsupported.class);
    node.set("gpu.1.return.nvmlGpmMigSampleGet", "0");
    ids();
    assertThat(activityAt(5, 3)).isInstanceOf(Reading.Present.class);
  }

  @Test
  void fieldsThatWereUnsupportedAreReadAgainOnceTheLastInstanceIsGone() {
    FieldKey rows = NvmlField.REMAPPED_CORRECTABLE.whole();
    ids();
    node.set("gpu.1.fieldreturn." + rows.field().id(), "3");
    assertThat(gpu.fields(List.of(rows)).get(rows)).isInstanceOf(Reading.Unsupported.class);
    instances("");
    node.set("gpu.1.fieldreturn." + rows.field().id(), "0");
    ids();
    assertThat(gpu.fields(List.of(rows)).get(rows)).isInstanceOf(Reading.Present.class);
  }

  @Test
  void whatWasUnsupportedIsReadAgainWhenMigIsSwitched() {
    gpu.migMode();
    assertThat(gpu.utilization()).isInstanceOf(Reading.Unsupported.class);
    node.set("gpu.1.mig.mode", "0");
    assertThat(gpu.utilization()).isInstanceOf(Reading.Unsupported.class);
    gpu.migMode();
    assertThat(gpu.utilization()).isInstanceOf(Reading.Present.class);
    assertThat(ids()).isEmpty();
  }

  @Test
  void closingFreesTheSamplesOfInstances() {
    activityAt(0, 3);
    activityAt(0, 9);
    gpu.close();
    assertThat(library.count("nvmlGpmSampleAlloc")).isEqualTo(4);
    assertThat(library.count("nvmlGpmSampleFree")).isEqualTo(4);
  }
}
