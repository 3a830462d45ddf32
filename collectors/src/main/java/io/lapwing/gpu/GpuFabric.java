package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.LabelText;
import io.lapwing.nvml.NvmlGpu.FabricInfo;
import io.lapwing.nvml.NvmlGpu.PlatformInfo;
import java.util.List;
import java.util.stream.Stream;

/**
 * The GPU's place in the NVLink fabric.
 *
 * <pre>
 * DCGM_FI_DEV_FABRIC_MANAGER_STATUS 3           nvmlDeviceGetGpuFabricInfoV; 3 is completed
 * DCGM_FI_DEV_FABRIC_MANAGER_ERROR_CODE 0       only once completed
 * DCGM_FI_DEV_FABRIC_HEALTH_MASK 426            version 2 of the call and newer
 * DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY 1           version 3
 * lapwing_gpu_fabric_info{cluster_uuid="...",clique_id="2",tray_index="5",...} 1
 *                                               nvmlDeviceGetPlatformInfo
 * </pre>
 */
final class GpuFabric extends GpuSubject {

  private static final List<String> NO_PLACE = List.of("", "", "");

  private final FabricDomain board;

  GpuFabric(FabricDomain board) {
    super("gpu_fabric", "the NVLink fabric", Cadence.SLOW, List.of());
    this.board = board;
  }

  @Override
  void collect(GpuRound round) {
    Reading<FabricInfo> fabric = round.gpu().fabric();
    round.note(fabric);
    fabric.toOptional().ifPresent(info -> put(round, info));
  }

  private void put(GpuRound round, FabricInfo info) {
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
  private void domain(GpuRound round, FabricInfo info) {
    if (info.clusterUuid().chars().anyMatch(digit -> digit != '0' && digit != '-')) {
      List<String> domain = List.of(info.clusterUuid(), Integer.toUnsignedString(info.cliqueId()));
      board.seen(round.gpu().index(), domain);
      List<String> place =
          round.gpu().platform().toOptional().map(GpuFabric::place).orElse(NO_PLACE);
      round.put(GpuMetrics.FABRIC_INFO, Stream.concat(domain.stream(), place.stream()).toList(), 1);
    }
  }

  /** Without a chassis its slot and tray have no meaning. */
  private static List<String> place(PlatformInfo platform) {
    return platform.chassis().isEmpty()
        ? NO_PLACE
        : List.of(
            LabelText.clean(platform.chassis()),
            String.valueOf(platform.slot()),
            String.valueOf(platform.tray()));
  }
}
