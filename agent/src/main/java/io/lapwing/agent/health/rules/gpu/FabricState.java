package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.FabricStatus;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.Optional;

/** A GPU that has not joined the NVLink fabric of its node. */
final class FabricState implements GpuRule {

  private static final String NO_MANAGER =
      "The unit nvidia-fabricmanager is not running, and no GPU joins the fabric without it. A reboot does not start a service that failed. It refuses a driver of another version: install the driver's version, then systemctl restart nvidia-fabricmanager; journalctl -u nvidia-fabricmanager has its reason.";
  private static final Disposition RESTART =
      Disposition.failing(Action.RESTART_SERVICE, Urgency.NOW);
  private static final String NEWER = "The meaning of this state of a newer driver is unknown.";

  private static final String UNKNOWN =
      "is in a state of the NVLink fabric that this version does not recognise";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("fabric_state")
        .about("A GPU has not joined the NVLink fabric.")
        .why(
            "On a node with NVSwitches CUDA does not start on a GPU before it has joined; a reboot starts the fabric manager and the GPUs in the right order.")
        .document("NVML, nvmlDeviceGetGpuFabricInfoV; NVIDIA Fabric Manager User Guide")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .form("while nvidia-fabricmanager is not running, except on GB200 and GB300", RESTART)
        .form("in a state of a newer driver that Lapwing does not know", Disposition.unknown())
        .escalates()
        .openAfter(Duration.ofMinutes(3))
        .closeAfter(Duration.ofSeconds(30))
        .needs(DcgmMetrics.FABRIC_MANAGER_STATUS)
        .reads(DcgmMetrics.FABRIC_MANAGER_ERROR_CODE, GpuMetrics.NVSWITCH_LINKS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    return Fabric.isExpected(gpu, view)
        ? state(gpu).map(what -> detection(gpu, what, view, policy))
        : Optional.empty();
  }

  private static Optional<String> state(GpuStatus gpu) {
    int state =
        (int)
            gpu.values().get(DcgmMetrics.FABRIC_MANAGER_STATUS).orElse(FabricStatus.NOT_SUPPORTED);
    return switch (state) {
      case FabricStatus.NOT_SUPPORTED -> Optional.empty();
      case FabricStatus.NOT_STARTED -> Optional.of("has not started to join the NVLink fabric");
      case FabricStatus.IN_PROGRESS -> Optional.of("has not finished joining the NVLink fabric");
      case FabricStatus.COMPLETED ->
          error(gpu).isEmpty() ? Optional.empty() : Optional.of(failed(gpu));
      case FabricStatus.FAILED -> Optional.of(failed(gpu));
      default -> Optional.of(UNKNOWN);
    };
  }

  private static String failed(GpuStatus gpu) {
    return "could not join the NVLink fabric" + error(gpu);
  }

  private static String error(GpuStatus gpu) {
    double error = gpu.values().get(DcgmMetrics.FABRIC_MANAGER_ERROR_CODE).orElse(0);
    return error == 0 ? "" : " (NVML error " + RuleText.number(error) + ")";
  }

  private static Detection detection(
      GpuStatus gpu, String what, NodeSnapshot view, RulePolicy policy) {
    Detection detection = policy.detection(gpu.subject(), what, DcgmMetrics.FABRIC_MANAGER_STATUS);
    if (what.equals(UNKNOWN)) {
      return detection.withForm(Disposition.unknown(), NEWER);
    }
    return Fabric.hasManager(gpu)
            && view.node().fabricManagerRunning().filter(running -> !running).isPresent()
        ? policy
            .detection(
                gpu.subject(),
                what + "; nvidia-fabricmanager is not running",
                DcgmMetrics.FABRIC_MANAGER_STATUS)
            .withForm(RESTART, NO_MANAGER)
        : detection;
  }
}
