package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.NvmlGpu.MigMode;
import java.util.List;

/**
 * Identity and modes of the GPU.
 *
 * <pre>
 * lapwing_gpu_info{gpu="0",UUID="GPU-...",name="NVIDIA H100 80GB HBM3",serial="...",...} 1     read when it was opened
 * DCGM_FI_DEV_MIG_MODE 0              nvmlDeviceGetMigMode
 * DCGM_FI_DEV_PERSISTENCE_MODE 1      nvmlDeviceGetPersistenceMode
 * </pre>
 */
final class GpuInfo extends GpuSubject {

  GpuInfo() {
    super("gpu_info", "what each GPU is and how it is set", Cadence.SLOW);
  }

  @Override
  void collect(GpuRound round) {
    GpuIdentity gpu = round.identity();
    round.put(
        GpuMetrics.INFO,
        List.of(
            gpu.name(),
            gpu.serial(),
            gpu.pciBusId(),
            gpu.minorNumber(),
            gpu.vbiosVersion(),
            gpu.inforomImageVersion()),
        1);
    round.put(DcgmMetrics.MIG_MODE, round.gpu().migMode().map(MigMode::current));
    round.put(DcgmMetrics.PERSISTENCE_MODE, round.gpu().persistenceMode());
  }
}
