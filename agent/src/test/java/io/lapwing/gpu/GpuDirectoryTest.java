package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.agent.sources.GpuDirectory;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Labels;
import io.lapwing.nvml.MigDevice;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.training.TrainingGpus.RankGpu;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which GPU or MIG instance a rank is on. */
class GpuDirectoryTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_800_000_000);
  private static final String UUID = "GPU-1";

  private final GpuRoster roster = new GpuRoster();
  private final GpuOccupancy occupancy = new GpuOccupancy();
  private final GpuDirectory directory =
      new GpuDirectory(
          roster, occupancy, () -> Duration.ofMinutes(3), Clock.fixed(NOW, ZoneOffset.UTC));

  @BeforeEach
  void aGpu() {
    GpuIdentity gpu = new GpuIdentity(0, UUID, "H100", "", "00000000:53:00.0", "0", "", "");
    roster.present(new GpuRoster.Known(gpu, Labels.NONE, Labels.NONE, 1));
  }

  private static MigDevice device(int instance, String profile, int slices) {
    return new MigDevice(
        "MIG-" + instance,
        instance,
        0,
        profile,
        Optional.of(new MigDevice.Attributes(16 * slices, slices, slices, 9728L * slices)),
        Optional.empty(),
        new Reading.Missing<>("memory"));
  }

  private void divide() {
    List<MigDevice> devices = List.of(device(3, "4g.40gb", 4), device(9, "1g.10gb", 1));
    occupancy.mig().put(UUID, MigInstance.of(devices), OptionalInt.of(7));
  }

  private void process(int pid, OptionalInt... instances) {
    occupancy.listed(
        UUID,
        List.of(instances).stream()
            .map(instance -> new GpuProcess(pid, OptionalLong.empty(), instance))
            .toList(),
        NOW);
  }

  private static RankGpu on(int instance, double share) {
    return new RankGpu(0, UUID, OptionalInt.of(instance), OptionalDouble.of(share));
  }

  private static RankGpu onUnknownInstance() {
    return new RankGpu(0, UUID, OptionalInt.empty(), OptionalDouble.empty());
  }

  @Test
  void aWholeGpuIsFoundByUuidByIndexAndByItsProcess() {
    process(4711, OptionalInt.empty());
    RankGpu whole = new RankGpu(0, UUID, OptionalInt.empty(), OptionalDouble.of(1));

    assertThat(directory.byUuid(UUID)).contains(whole);
    assertThat(directory.byIndex(0)).contains(whole);
    assertThat(directory.byPid(4711)).contains(whole);
    assertThat(directory.byUuid("GPU-other")).isEmpty();
    assertThat(directory.byIndex(1)).isEmpty();
    assertThat(directory.byPid(4712)).isEmpty();
    assertThat(directory.share()).hasValue(1);
  }

  @Test
  void aMigInstanceIsFoundByItsOwnUuidWithItsShare() {
    divide();

    assertThat(directory.byUuid("MIG-9")).contains(on(9, 1.0 / 7));
    assertThat(directory.share()).as("of a GPU that is not known").isEmpty();
  }

  @Test
  void theInstanceIsNotGuessedFromADividedGpu() {
    divide();

    assertThat(directory.byUuid(UUID)).contains(onUnknownInstance());
    assertThat(directory.byIndex(0)).contains(onUnknownInstance());
  }

  @Test
  void aProcessIsOnTheInstanceThatTheDriverNames() {
    divide();
    process(4711, OptionalInt.of(9));

    assertThat(directory.byPid(4711)).contains(on(9, 1.0 / 7));
  }

  @Test
  void aProcessOnTwoInstancesHasTheSumOfTheirShares() {
    divide();
    process(4711, OptionalInt.of(3), OptionalInt.of(9));

    RankGpu found = directory.byPid(4711).orElseThrow();
    assertThat(found.instance()).isEmpty();
    assertThat(found.share().orElseThrow()).isCloseTo(5.0 / 7, within(1e-9));
  }
}
