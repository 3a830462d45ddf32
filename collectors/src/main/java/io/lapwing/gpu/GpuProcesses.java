package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import java.util.List;

/**
 * How many processes compute on the GPU.
 *
 * <pre>
 * lapwing_gpu_compute_processes 1     nvmlDeviceGetComputeRunningProcesses_v3
 * </pre>
 *
 * <p>The call costs milliseconds, so it belongs to the slow cadence only.
 */
public final class GpuProcesses implements GpuSubject {

  @Override
  public String name() {
    return "gpu_processes";
  }

  @Override
  public String about() {
    return "how many processes compute";
  }

  @Override
  public Cadence cadence() {
    return Cadence.SLOW;
  }

  @Override
  public void collect(GpuRound round) {
    round.put(GpuMetrics.PROCESSES, round.gpu().computeProcesses().map(List::size));
  }
}
