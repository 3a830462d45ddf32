package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.gpu.GpuMetrics;
import java.util.ArrayList;
import java.util.List;

/** The NVLink fabric in NVML's {@code nvmlGpuFabricInfo_v3_t}. */
final class Fabric {

  /** Their switches are in trays of their own, and the fabric manager runs there. */
  private static final List<String> WITHOUT_MANAGER = List.of("GB200", "GB300");

  private static final int TRUE = 1;

  private static final int TWO_BITS = 0x3;
  private static final int DEGRADED_BANDWIDTH = 0;
  private static final int ROUTE_RECOVERY = 2;
  private static final int ROUTE_UNHEALTHY = 4;
  private static final int TIMEOUT_RECOVERY = 6;

  private static final int FOUR_BITS = 0xf;
  private static final int CONFIGURATION = 8;
  private static final int CORRECT = 1;

  private Fabric() {}

  /** Whether a fabric manager has to run on the node of this GPU. */
  static boolean hasManager(GpuStatus gpu) {
    return WITHOUT_MANAGER.stream().noneMatch(gpu.model()::contains);
  }

  /** Whether switches connect the GPUs of this node: without them there is no fabric to join. */
  static boolean isExpected(GpuStatus gpu, NodeSnapshot view) {
    return view.node()
        .expected()
        .map(hardware -> hardware.nvlinksPerGpu() > 0)
        .orElseGet(() -> gpu.values().isSet(GpuMetrics.NVSWITCH_LINKS));
  }

  /**
   * The faults in {@code NVML_GPU_FABRIC_HEALTH_MASK_*}; in each field 0 is not supported, 2
   * healthy.
   */
  static List<String> faults(long mask) {
    List<String> faults = new ArrayList<>();
    if (field(mask, DEGRADED_BANDWIDTH, TWO_BITS) == TRUE) {
      faults.add("its bandwidth is degraded");
    }
    if (field(mask, ROUTE_UNHEALTHY, TWO_BITS) == TRUE) {
      faults.add("a route is unhealthy");
    }
    int configuration = field(mask, CONFIGURATION, FOUR_BITS);
    if (configuration > CORRECT) {
      faults.add("it is not configured correctly: " + configuration(configuration));
    }
    return faults;
  }

  static List<String> recoveries(long mask) {
    List<String> recoveries = new ArrayList<>();
    if (field(mask, ROUTE_RECOVERY, TWO_BITS) == TRUE) {
      recoveries.add("a route is recovering");
    }
    if (field(mask, TIMEOUT_RECOVERY, TWO_BITS) == TRUE) {
      recoveries.add("it is recovering from an access timeout");
    }
    return recoveries;
  }

  private static int field(long mask, int shift, int width) {
    return (int) (mask >> shift) & width;
  }

  private static String configuration(int value) {
    return switch (value) {
      case 2 -> "the system GUID is wrong";
      case 3 -> "the chassis serial number is wrong";
      case 4 -> "there is no partition";
      case 5 -> "there are too few NVLinks";
      case 6 -> "the GPU's firmware is incompatible";
      case 7 -> "the GPU is in the wrong place";
      case 8 -> "the state of the GPU is not valid";
      default -> "reason " + value;
    };
  }
}
