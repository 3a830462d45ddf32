package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A GPU that has not joined the NVLink fabric of its node. */
public final class FabricState implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "fabric_state",
          "A GPU has not joined the NVLink fabric.",
          "CUDA does not start on a GPU with switches before it has joined; a reboot starts the fabric manager and the GPUs in their order.",
          "NVML, nvmlDeviceGetGpuFabricInfoV; NVIDIA Fabric Manager User Guide",
          Call.failing(Action.REBOOT_NODE, Urgency.NOW),
          Call.failing(Action.REBOOT_NODE, Urgency.NOW),
          Duration.ofMinutes(3),
          Duration.ofSeconds(30),
          List.of());

  private static final String NEWER = "What a newer driver means by it cannot be told.";

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.FABRIC_MANAGER_STATUS);
  }

  @Override
  public List<Metric> reads() {
    return List.of(DcgmMetrics.FABRIC_MANAGER_ERROR_CODE, GpuMetrics.NVSWITCH_LINKS);
  }

  @Override
  public Optional<Symptom> judge(GpuNow gpu, NodeView view, RulePolicy policy) {
    return Fabric.isExpected(gpu, view)
        ? state(gpu).map(what -> symptom(gpu, what, policy))
        : Optional.empty();
  }

  private static Optional<String> state(GpuNow gpu) {
    int state =
        (int) gpu.values().get(DcgmMetrics.FABRIC_MANAGER_STATUS).orElse(Fabric.NOT_SUPPORTED);
    return switch (state) {
      case Fabric.NOT_SUPPORTED -> Optional.empty();
      case Fabric.NOT_STARTED -> Optional.of("has not begun to join the NVLink fabric");
      case Fabric.IN_PROGRESS -> Optional.of("has not finished joining the NVLink fabric");
      case Fabric.COMPLETED -> failed(gpu);
      default -> Optional.of(UNKNOWN + state + ", which this version does not know");
    };
  }

  private static final String UNKNOWN = "is in fabric state ";

  private static Optional<String> failed(GpuNow gpu) {
    double error = gpu.values().get(DcgmMetrics.FABRIC_MANAGER_ERROR_CODE).orElse(0);
    return error == 0
        ? Optional.empty()
        : Optional.of("could not join the NVLink fabric (NVML error " + Words.number(error) + ")");
  }

  private static Symptom symptom(GpuNow gpu, String what, RulePolicy policy) {
    Symptom symptom =
        Symptom.now(SPEC, policy, gpu.subject(), what, DcgmMetrics.FABRIC_MANAGER_STATUS.name());
    return what.startsWith(UNKNOWN) ? Ceiling.form(symptom, Call.unknown(), NEWER) : symptom;
  }
}
