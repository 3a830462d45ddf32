package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.DcgmMetrics;
import java.util.OptionalDouble;

/**
 * The lanes that the PCIe link of a GPU could have. NVML's maximum is that of the board, but EC2
 * connects a GPU that is a PCIe card with fewer: 8 of 16 were seen on g6e.2xlarge and g4dn.xlarge,
 * both healthy. There the widest link of the node is the measure, so that a GPU without siblings is
 * not judged.
 */
public final class PcieLanes {

  private PcieLanes() {}

  public static OptionalDouble of(GpuStatus gpu, NodeSnapshot view) {
    OptionalDouble most = gpu.values().get(DcgmMetrics.PCIE_MAX_LINK_WIDTH);
    if (most.isEmpty() || Fabric.isExpected(gpu, view)) {
      return most;
    }
    return view.gpus().stream()
        .flatMapToDouble(each -> each.values().get(DcgmMetrics.PCIE_LINK_WIDTH).stream())
        .max();
  }
}
