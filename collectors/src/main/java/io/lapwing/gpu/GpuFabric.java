package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlGpu.FabricInfo;
import java.util.List;

/**
 * The GPU's place in the NVLink fabric.
 *
 * <pre>
 * DCGM_FI_DEV_FABRIC_MANAGER_STATUS 3           nvmlDeviceGetGpuFabricInfoV; 3 is completed
 * DCGM_FI_DEV_FABRIC_MANAGER_ERROR_CODE 0       only once completed
 * DCGM_FI_DEV_FABRIC_HEALTH_MASK 426            version 2 of the call and newer
 * DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY 1           version 3
 * lapwing_gpu_fabric_info{cluster_uuid="...",clique_id="0"} 1
 * </pre>
 */
final class GpuFabric extends GpuSubject {

  GpuFabric() {
    super("gpu_fabric", "the NVLink fabric", Cadence.SLOW, List.of());
  }

  @Override
  void collect(GpuRound round) {
    Reading<FabricInfo> fabric = round.gpu().fabric();
    round.note(fabric);
    fabric.toOptional().ifPresent(info -> put(round, info));
  }

  private static void put(GpuRound round, FabricInfo info) {
    round.put(DcgmMetrics.FABRIC_MANAGER_STATUS, status(info));
    if (info.state() == FabricStatus.COMPLETED) {
      round.put(DcgmMetrics.FABRIC_MANAGER_ERROR_CODE, info.status());
      domain(round, info);
    }
    info.healthMask()
        .ifPresent(
            mask ->
                round.put(DcgmMetrics.FABRIC_HEALTH_MASK, (double) Integer.toUnsignedLong(mask)));
    info.healthSummary()
        .ifPresent(summary -> round.put(DcgmMetrics.FABRIC_HEALTH_SUMMARY, summary));
  }

  private static int status(FabricInfo info) {
    if (info.state() > FabricStatus.COMPLETED) {
      return FabricStatus.UNRECOGNIZED;
    }
    return info.state() == FabricStatus.COMPLETED && info.status() != 0
        ? FabricStatus.FAILED
        : info.state();
  }

  /** Outside a multi-node NVLink domain the cluster UUID is all zeros. */
  private static void domain(GpuRound round, FabricInfo info) {
    if (info.clusterUuid().chars().anyMatch(digit -> digit != '0' && digit != '-')) {
      round.put(
          GpuMetrics.FABRIC_INFO,
          List.of(info.clusterUuid(), Integer.toUnsignedString(info.cliqueId())),
          1);
    }
  }
}
