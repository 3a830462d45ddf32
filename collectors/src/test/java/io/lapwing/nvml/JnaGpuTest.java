package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.jna.NativeLibrary;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.Bar1;
import io.lapwing.nvml.NvmlGpu.Clock;
import io.lapwing.nvml.NvmlGpu.EccCounter;
import io.lapwing.nvml.NvmlGpu.EccError;
import io.lapwing.nvml.NvmlGpu.FabricInfo;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.NvmlGpu.InforomObject;
import io.lapwing.nvml.NvmlGpu.MemoryLocation;
import io.lapwing.nvml.NvmlGpu.MigMode;
import io.lapwing.nvml.NvmlGpu.PowerRange;
import io.lapwing.nvml.NvmlGpu.RowRemapHistogram;
import io.lapwing.nvml.NvmlGpu.SramEccStatus;
import io.lapwing.nvml.NvmlGpu.TemperatureThreshold;
import io.lapwing.nvml.NvmlGpu.Utilization;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each value of one GPU through the real calls; distinct values show that none is swapped. */
class JnaGpuTest {

  private SimulatedNode node;
  private NvmlGpu gpu;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
    gpu = StillNode.gpu(node, 1);
  }

  private void state(String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      node.set("gpu.1." + keysAndValues[i], keysAndValues[i + 1]);
    }
  }

  @Test
  void identityIsReadFromTheBoard() {
    state("name", "NVIDIA Test 1", "uuid", "GPU-1", "serial", "165", "vbios", "96.1");
    state("inforom.image", "G520", "inforom.oem", "2.1", "inforom.ecc", "7.16");
    state("bus_id", "0000:64:00.0", "minor", "5", "brand", "14", "persistence", "1");
    assertThat(gpu.name()).isEqualTo(Reading.of("NVIDIA Test 1"));
    assertThat(gpu.uuid()).isEqualTo(Reading.of("GPU-1"));
    assertThat(gpu.serial()).isEqualTo(Reading.of("165"));
    assertThat(gpu.pciBusId()).isEqualTo(Reading.of("00000000:64:00.0"));
    assertThat(gpu.minorNumber()).isEqualTo(Reading.of(5));
    assertThat(gpu.vbiosVersion()).isEqualTo(Reading.of("96.1"));
    assertThat(gpu.brand()).isEqualTo(Reading.of(14));
    assertThat(gpu.persistenceMode()).isEqualTo(Reading.of(1));
    assertThat(gpu.inforomImageVersion()).isEqualTo(Reading.of("G520"));
    assertThat(gpu.inforomVersion(InforomObject.OEM)).isEqualTo(Reading.of("2.1"));
    assertThat(gpu.inforomVersion(InforomObject.ECC)).isEqualTo(Reading.of("7.16"));
    assertThat(gpu.inforomVersion(InforomObject.POWER)).isInstanceOf(Reading.Unsupported.class);
  }

  @Test
  void aCorruptedInforomIsAValueNotAFailure() {
    state("inforom.checksum", "0xfeedbeef");
    assertThat(gpu.inforomValid()).isEqualTo(Reading.of(true));
    assertThat(gpu.inforomChecksum()).isEqualTo(Reading.of(0xfeedbeefL));
    state("inforom.valid", "0");
    assertThat(gpu.inforomValid()).isEqualTo(Reading.of(false));
    state("inforom.valid", "1", "return.nvmlDeviceValidateInforom", "999");
    assertThat(gpu.inforomValid())
        .isEqualTo(new Reading.Failed<>("nvmlDeviceValidateInforom", "unknown"));
    state("return.nvmlDeviceValidateInforom", "3");
    assertThat(gpu.inforomValid()).isInstanceOf(Reading.Unsupported.class);
  }

  @Test
  void temperaturesAreDegreesAndMayBeNegative() {
    state("temperature", "-3", "temperature.margin", "-7");
    state("temperature.threshold.shutdown", "92", "temperature.threshold.slowdown", "89");
    state("temperature.threshold.memory_max", "95", "temperature.threshold.gpu_max", "87");
    assertThat(gpu.temperature()).isEqualTo(Reading.of(-3));
    assertThat(gpu.marginTemperature()).isEqualTo(Reading.of(-7));
    assertThat(gpu.temperatureThreshold(TemperatureThreshold.SHUTDOWN)).isEqualTo(Reading.of(92));
    assertThat(gpu.temperatureThreshold(TemperatureThreshold.SLOWDOWN)).isEqualTo(Reading.of(89));
    assertThat(gpu.temperatureThreshold(TemperatureThreshold.MEMORY_MAX)).isEqualTo(Reading.of(95));
    assertThat(gpu.temperatureThreshold(TemperatureThreshold.GPU_MAX)).isEqualTo(Reading.of(87));
  }

  @Test
  void powerIsInMilliwatts() {
    state("power", "612.5", "power.limit", "690", "power.limit.requested", "695");
    state("power.limit.default", "700", "power.limit.min", "200", "power.limit.max", "705");
    assertThat(gpu.powerUsage()).isEqualTo(Reading.of(612_500));
    assertThat(gpu.enforcedPowerLimit()).isEqualTo(Reading.of(690_000));
    assertThat(gpu.powerManagementLimit()).isEqualTo(Reading.of(695_000));
    assertThat(gpu.powerManagementDefaultLimit()).isEqualTo(Reading.of(700_000));
    assertThat(gpu.powerManagementLimitConstraints())
        .isEqualTo(Reading.of(new PowerRange(200_000, 705_000)));
  }

  @Test
  void eachClockIsInMegahertz() {
    state("clocks.graphics", "1755", "clocks.sm", "1980", "clocks.memory", "2619");
    state("clocks.video", "1545", "clocks.sm.max", "1981", "clocks.memory.max", "2620");
    state("clocks.video.max", "1546", "clocks.sm.application", "1500");
    state("clocks.memory.application", "1600", "pstate", "2");
    assertThat(gpu.clock(Clock.GRAPHICS)).isEqualTo(Reading.of(1755));
    assertThat(gpu.clock(Clock.SM)).isEqualTo(Reading.of(1980));
    assertThat(gpu.clock(Clock.MEMORY)).isEqualTo(Reading.of(2619));
    assertThat(gpu.clock(Clock.VIDEO)).isEqualTo(Reading.of(1545));
    assertThat(gpu.maxClock(Clock.SM)).isEqualTo(Reading.of(1981));
    assertThat(gpu.maxClock(Clock.MEMORY)).isEqualTo(Reading.of(2620));
    assertThat(gpu.maxClock(Clock.VIDEO)).isEqualTo(Reading.of(1546));
    assertThat(gpu.applicationsClock(Clock.GRAPHICS)).isEqualTo(Reading.of(1500));
    assertThat(gpu.applicationsClock(Clock.MEMORY)).isEqualTo(Reading.of(1600));
    assertThat(gpu.performanceState()).isEqualTo(Reading.of(2));
  }

  @Test
  void utilisationIsInPercent() {
    state("utilization.gpu", "98", "utilization.memory", "37");
    state("utilization.encoder", "5", "utilization.decoder", "6");
    assertThat(gpu.utilization()).isEqualTo(Reading.of(new Utilization(98, 37)));
    assertThat(gpu.encoderUtilization()).isEqualTo(Reading.of(5));
    assertThat(gpu.decoderUtilization()).isEqualTo(Reading.of(6));
  }

  @Test
  void memoryIsInBytes() {
    state(
        "memory.total", "85520809984", "memory.reserved", "617611264", "memory.used", "5000000000");
    state("bar1.total", "137438953472", "bar1.used", "1048576");
    assertThat(gpu.memory())
        .isEqualTo(
            Reading.of(
                new NvmlGpu.Memory(
                    85_520_809_984L,
                    OptionalLong.of(617_611_264),
                    79_903_198_720L,
                    5_000_000_000L)));
    assertThat(gpu.bar1())
        .isEqualTo(Reading.of(new Bar1(137_438_953_472L, 137_437_904_896L, 1_048_576)));
  }

  @Test
  void everyEccCounterIsDistinct() {
    List<Reading<Long>> expected = new ArrayList<>();
    List<Reading<Long>> read = new ArrayList<>();
    long count = 4_000_000_000L;
    for (EccError error : EccError.values()) {
      for (EccCounter counter : EccCounter.values()) {
        for (MemoryLocation location : MemoryLocation.values()) {
          count++;
          String key = "ecc." + error + "." + counter + "." + location;
          state(key.toLowerCase(Locale.ROOT), String.valueOf(count));
          expected.add(Reading.of(count));
          read.add(gpu.memoryErrors(error, counter, location));
        }
      }
    }
    assertThat(read).isEqualTo(expected).hasSize(32);
  }

  @Test
  void sramErrorsHaveAKind() {
    state(
        "sram.aggregate.parity",
        "1",
        "sram.aggregate.secded",
        "2",
        "sram.aggregate.corrected",
        "3");
    state("sram.volatile.parity", "4", "sram.volatile.secded", "5", "sram.volatile.corrected", "6");
    state("sram.threshold_exceeded", "1");
    assertThat(gpu.sramEccStatus())
        .isEqualTo(Reading.of(new SramEccStatus(1, 2, 3, 4, 5, 6, true)));
    state("sram.threshold_exceeded", "0");
    assertThat(StillNode.present(gpu.sramEccStatus()).thresholdExceeded()).isFalse();
  }

  @Test
  void memoryBanksAreCountedByTheirSpareRows() {
    state(
        "rows.histogram.max", "2500", "rows.histogram.high", "30", "rows.histogram.partial", "20");
    state("rows.histogram.low", "9", "rows.histogram.none", "1");
    assertThat(gpu.rowRemapHistogram())
        .isEqualTo(Reading.of(new RowRemapHistogram(2500, 30, 20, 9, 1)));
  }

  @Test
  void memoryBeyondRepairIsAFlag() {
    assertThat(gpu.memoryUnrepairable()).isEqualTo(Reading.of(false));
    state("memory.unrepairable", "1");
    assertThat(gpu.memoryUnrepairable()).isEqualTo(Reading.of(true));
    state("memory.unrepairable", "unsupported");
    assertThat(gpu.memoryUnrepairable()).isInstanceOf(Reading.Unsupported.class);
  }

  @Test
  void thePcieLinkHasCurrentAndMaximumValues() {
    state("pcie.generation", "4", "pcie.width", "8", "pcie.generation.max", "5");
    state("pcie.width.max", "16");
    assertThat(gpu.pcieLinkGeneration()).isEqualTo(Reading.of(4));
    assertThat(gpu.pcieLinkWidth()).isEqualTo(Reading.of(8));
    assertThat(gpu.maxPcieLinkGeneration()).isEqualTo(Reading.of(5));
    assertThat(gpu.maxPcieLinkWidth()).isEqualTo(Reading.of(16));
  }

  private void fabricState() {
    state("fabric.uuid", "00112233-4455-6677-8899-aabbccddeeff", "fabric.state", "3");
    state("fabric.status", "15", "fabric.clique", "7", "fabric.health", "0x1aa");
    state("fabric.summary", "2");
  }

  @Test
  void theNewestLibraryHasMaskAndSummaryOfTheFabric() {
    fabricState();
    assertThat(gpu.fabric())
        .isEqualTo(Reading.of(fabric(OptionalInt.of(0x1aa), OptionalInt.of(2))));
  }

  @Test
  void theFabricHasNoSummaryInAnOlderLibraryAndNoMaskInTheOldest() {
    fabricState();
    assertThat(StillNode.gpu(node, Variant.MID, 1).fabric())
        .isEqualTo(Reading.of(fabric(OptionalInt.of(0x1aa), OptionalInt.empty())));
    assertThat(StillNode.gpu(node, Variant.OLD, 1).fabric())
        .isEqualTo(Reading.of(fabric(OptionalInt.empty(), OptionalInt.empty())));
  }

  private static FabricInfo fabric(OptionalInt mask, OptionalInt summary) {
    return new FabricInfo("00112233-4455-6677-8899-aabbccddeeff", 15, 7, 3, mask, summary);
  }

  @Test
  void aGpuWithoutAFabricIsUnsupportedInEveryVersion() {
    state("fabric.state", "unsupported");
    for (Variant variant : List.of(Variant.NEW, Variant.MID, Variant.OLD)) {
      assertThat(StillNode.gpu(node, variant, 1).fabric()).isInstanceOf(Reading.Unsupported.class);
    }
  }

  @Test
  void migIsOffWithAPendingChange() {
    state("mig.mode", "0", "mig.mode.pending", "1");
    assertThat(gpu.migMode()).isEqualTo(Reading.of(new MigMode(0, 1)));
  }

  @Test
  void processesHaveTheirMemory() {
    state("processes", "4711:70000 4712:1");
    assertThat(gpu.computeProcesses())
        .isEqualTo(
            Reading.of(
                List.of(
                    new GpuProcess(4711, OptionalLong.of(70_000L << 20), OptionalInt.empty()),
                    new GpuProcess(4712, OptionalLong.of(1L << 20), OptionalInt.empty()))));
  }

  @Test
  void anIdleGpuHasNoProcess() {
    state("processes", "");
    assertThat(gpu.computeProcesses()).isEqualTo(Reading.of(List.of()));
  }

  @Test
  void peersAreReachableUnlessReportedOtherwise() {
    NvmlGpu peer = StillNode.present(StillNode.nvml(node).gpu(2));
    assertThat(gpu.p2pStatus(peer)).isEqualTo(Reading.of(0));
    state("return.nvmlDeviceGetP2PStatus", "3");
    NvmlGpu reopened = StillNode.gpu(node, 1);
    assertThat(reopened.p2pStatus(peer))
        .isEqualTo(new Reading.Unsupported<>("nvmlDeviceGetP2PStatus 2"));
  }

  @ParameterizedTest
  @EnumSource(names = {"NEW", "MID", "OLD"})
  void everyDriverGivesTheSameValueUnderWhateverNameItHasTheCall(Variant variant) {
    state("temperature", "61", "clocks.reasons", "0x44", "power", "500");
    NvmlGpu other = StillNode.gpu(node, variant, 1);
    assertThat(other.temperature()).isEqualTo(Reading.of(61));
    assertThat(other.clockEventReasons()).isEqualTo(Reading.of(0x44L));
    assertThat(other.powerUsage()).isEqualTo(Reading.of(500_000));
  }

  /** Version 1 of the struct counts what the driver keeps as used. */
  @Test
  void anOldDriverHasMemoryWithoutReserved() {
    state("memory.total", "1000", "memory.reserved", "100", "memory.used", "300");
    assertThat(StillNode.gpu(node, Variant.OLD, 1).memory())
        .isEqualTo(Reading.of(new NvmlGpu.Memory(1000, OptionalLong.empty(), 600, 400)));
    assertThat(StillNode.gpu(node, Variant.MID, 1).memory())
        .isEqualTo(Reading.of(new NvmlGpu.Memory(1000, OptionalLong.of(100), 600, 300)));
  }

  @Test
  void anOlderStructIsUsedFromThenOn() {
    ScriptedLibrary library = ScriptedLibrary.over(StillNode.library(node, Variant.OLD));
    Nvml nvml = StillNode.initialised(new JnaNvml(library.library(), System::nanoTime));
    NvmlGpu old = StillNode.present(nvml.gpu(1));
    for (int round = 0; round < 3; round++) {
      assertThat(old.memory()).isInstanceOf(Reading.Present.class);
      assertThat(old.fabric()).isInstanceOf(Reading.Present.class);
    }
    assertThat(library.count("nvmlDeviceGetMemoryInfo_v2")).isEqualTo(1);
    assertThat(library.count("nvmlDeviceGetMemoryInfo")).isEqualTo(3);
    assertThat(library.count("nvmlDeviceGetGpuFabricInfoV")).isEqualTo(2);
    assertThat(library.count("nvmlDeviceGetGpuFabricInfo")).isEqualTo(3);
  }

  @Test
  void aFailureOfTheNewerCallIsNotHiddenByTheOlderOne() {
    state("return.nvmlDeviceGetTemperatureV", "15");
    assertThat(gpu.temperature())
        .isEqualTo(new Reading.Failed<>("nvmlDeviceGetTemperatureV", "gpu_is_lost"));
  }

  @Test
  void aLostGpuFailsEveryCallUntilItReturns() {
    state("lost", "1");
    assertThat(gpu.temperature().failure()).contains("gpu_is_lost");
    assertThat(gpu.fields(List.of(NvmlField.ECC_CURRENT.whole())).failure())
        .contains("gpu_is_lost");
    state("lost", "0");
    assertThat(gpu.temperature()).isInstanceOf(Reading.Present.class);
  }

  /** The C library of this platform has every function that the binding names. */
  @Test
  void noFunctionIsMissingInTheNewestLibrary() {
    NativeLibrary library = NativeLibrary.getInstance(node.library().toString());
    assertThat(NvmlLibrary.class.getDeclaredMethods())
        .isNotEmpty()
        .allSatisfy(method -> assertThat(library.getFunction(method.getName())).isNotNull());
  }

  @Test
  void aGpuOfAnotherBindingIsRejected() {
    NvmlGpu foreign = new FakeNvml(1).handle(0);
    assertThatIllegalArgumentException().isThrownBy(() -> gpu.p2pStatus(foreign));
  }
}
