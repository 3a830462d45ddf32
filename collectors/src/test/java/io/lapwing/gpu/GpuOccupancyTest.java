package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import io.lapwing.nvml.StillNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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

  @Test
  void aListIsKnownUntilItIsOld() {
    occupancy.listed("GPU-0", List.of(PYTHON), NOW);
    assertThat(occupancy.of("GPU-0", NOW.plus(VALIDITY), VALIDITY)).hasValue(List.of(PYTHON));
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
