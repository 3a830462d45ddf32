package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lapwing.collect.RecordedSink;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GpuOccupancyTest {

  private static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");
  private static final Duration VALIDITY = Duration.ofMinutes(3);
  private static final GpuProcess PYTHON =
      new GpuProcess(4711, OptionalLong.empty(), OptionalInt.empty());

  private final GpuOccupancy occupancy = new GpuOccupancy();

  @Test
  void theProcessCollectorListsTheProcesses(@TempDir Path dir) {
    NvmlGpu gpu = StillNode.gpu(StillNode.of("g6.xlarge", dir), 0);
    new Probe(occupancy.processes(), gpu).at(0);
    assertThat(
            occupancy.of(
                StillNode.present(gpu.uuid()), Instant.ofEpochSecond(StillNode.EPOCH), VALIDITY))
        .isPresent();
  }

  private List<GpuOccupancy.GpuUse> of(Path dir, String processes, String... more) {
    SimulatedNode node = StillNode.p5(dir);
    node.set("gpu.0.utilization.gpu", "80");
    for (int i = 0; i < more.length; i += 2) {
      node.set(more[i], more[i + 1]);
    }
    node.set("gpu.0.processes", processes);
    NvmlGpu gpu = StillNode.gpu(node, 0);
    RecordedSink round = new Probe(occupancy.processes(), gpu).at(0);
    assertThat(round.failures()).isEmpty();
    return occupancy
        .of(StillNode.present(gpu.uuid()), Instant.ofEpochSecond(StillNode.EPOCH), VALIDITY)
        .orElseThrow();
  }

  @Test
  void processesThatShareAGpuByTimeHaveTheUtilizationOfEach(@TempDir Path dir) {
    assertThat(of(dir, "4711:512*0.5 4712:1024*0.25 4713:1*0"))
        .extracting(GpuOccupancy.GpuUse::mpsClient, GpuOccupancy.GpuUse::smUtilization)
        .containsExactly(
            tuple(Optional.of(false), OptionalDouble.of(0.4)),
            tuple(Optional.of(false), OptionalDouble.of(0.2)),
            tuple(Optional.of(false), OptionalDouble.of(0)));
  }

  @Test
  void ofClientsOfMpsTheUtilizationIsUnknown(@TempDir Path dir) {
    assertThat(of(dir, "30:30+server 4711:512+mps 4712:1024+mps"))
        .extracting(GpuOccupancy.GpuUse::mpsClient, GpuOccupancy.GpuUse::smUtilization)
        .containsExactly(
            tuple(Optional.of(false), OptionalDouble.empty()),
            tuple(Optional.of(true), OptionalDouble.empty()),
            tuple(Optional.of(true), OptionalDouble.empty()));
  }

  @Test
  void whoSharesAGpuIsNotReadWhereOneProcessIs(@TempDir Path dir) {
    assertThat(of(dir, "4711:512+mps"))
        .extracting(GpuOccupancy.GpuUse::mpsClient)
        .containsExactly(Optional.empty());
  }

  @Test
  void onADividedGpuTheUtilizationOfProcessesIsUnknown(@TempDir Path dir) {
    assertThat(
            of(
                dir,
                "4711:512@7 4712:512@7",
                "gpu.0.mig.mode",
                "1",
                "gpu.0.mig.instances",
                "7:1g.10gb@0"))
        .extracting(GpuOccupancy.GpuUse::mpsClient, GpuOccupancy.GpuUse::smUtilization)
        .containsOnly(tuple(Optional.of(false), OptionalDouble.empty()));
  }

  @Test
  void aListIsKnownUntilItIsOld() {
    occupancy.listed("GPU-0", List.of(PYTHON), NOW);
    assertThat(occupancy.of("GPU-0", NOW.plus(VALIDITY), VALIDITY))
        .hasValue(List.of(GpuOccupancy.GpuUse.of(PYTHON)));
    assertThat(occupancy.of("GPU-0", NOW.plus(VALIDITY).plusSeconds(1), VALIDITY)).isEmpty();
    assertThat(occupancy.of("GPU-1", NOW, VALIDITY)).isEmpty();
  }

  @Test
  void aFailedListMakesTheProcessesUnknown() {
    occupancy.listed("GPU-0", List.of(PYTHON), NOW);
    occupancy.unknown("GPU-0");
    assertThat(occupancy.of("GPU-0", NOW, VALIDITY)).isEmpty();
  }

  @Test
  void noMoreGpusAreKeptThanANodeCanHave() {
    IntStream.range(0, 1000).forEach(i -> occupancy.listed("GPU-" + i, List.of(), NOW));
    assertThat(occupancy.of("GPU-0", NOW, VALIDITY)).isPresent();
    assertThat(occupancy.of("GPU-999", NOW, VALIDITY)).isEmpty();
  }
}
