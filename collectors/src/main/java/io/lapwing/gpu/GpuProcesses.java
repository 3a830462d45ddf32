package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.GpuProcess;
import java.util.List;
import java.util.Optional;

/**
 * Number of compute processes on the GPU.
 *
 * <pre>
 * lapwing_gpu_compute_processes 1     nvmlDeviceGetComputeRunningProcesses_v3
 * </pre>
 *
 * <p>The call takes milliseconds, hence the slow cadence.
 */
final class GpuProcesses extends GpuSubject {

  private final GpuOccupancy occupancy;

  /**
   * The processes of one GPU.
   *
   * @param occupancy receives the list
   */
  GpuProcesses(GpuOccupancy occupancy) {
    super("gpu_processes", "how many processes compute", Cadence.SLOW);
    this.occupancy = occupancy;
  }

  @Override
  void collect(GpuRound round) {
    Reading<List<GpuProcess>> processes = round.gpu().computeProcesses();
    String uuid = round.identity().uuid();
    Optional<List<GpuProcess>> listed = processes.toOptional();
    listed.ifPresentOrElse(
        list -> occupancy.listed(uuid, list, round.now()), () -> occupancy.unknown(uuid));
    round.put(GpuMetrics.PROCESSES, processes.map(List::size));
  }
}
