package io.lapwing.gpu;

import io.lapwing.dcgm.DcgmHealthSystem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of DCGM's health watches of a GPU, where {@code --dcgm.engine} has them.
 *
 * <pre>
 * DCGM_EXP_GPU_HEALTH_STATUS{...,health_error_code="DCGM_FR_NVLINK_DOWN",health_watch="NVLINK"} 20     dcgmHealthCheck
 * lapwing_gpu_dcgm_health_info{source="none",reason="module_not_loaded"} 1
 * </pre>
 */
final class GpuDcgmHealth {

  private GpuDcgmHealth() {}

  static void put(GpuRound round, DcgmHealthBoard board) {
    String uuid = round.identity().uuid();
    Optional<Map<DcgmHealthSystem, DcgmHealthBoard.Status>> health =
        board.health(uuid, round.now());
    if (health.isPresent()) {
      info(round, "dcgm", "");
      for (DcgmHealthSystem system : DcgmHealthSystem.values()) {
        DcgmHealthBoard.Status status = health.get().get(system);
        if (status != null) {
          round.put(
              DcgmMetrics.EXP_GPU_HEALTH_STATUS,
              List.of(DcgmErrors.name(status.code()), system.name()),
              status.result().value());
        }
      }
    } else if (!board.why(uuid).equals(ActivityBoard.OFF)) {
      info(round, "none", board.why(uuid));
    }
  }

  private static void info(GpuRound round, String source, String reason) {
    round.put(HostEngineMetrics.HEALTH_INFO, List.of(source, reason), 1);
  }
}
