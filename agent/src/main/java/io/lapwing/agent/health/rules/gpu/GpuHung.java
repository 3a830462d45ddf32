package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;

/** A GPU whose call does not come back. */
public final class GpuHung implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "gpu_hung",
          "A call to a GPU does not come back.",
          "A driver that waits for a GPU cannot be made to let go; a reset needs the same driver, so it takes a reboot.",
          "Lapwing, --poll.deadline; NVIDIA XID catalogue, 79 and 119",
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          // Longer than the driver is read after its GPUs: where all hang, it is the finding.
          Duration.ofSeconds(20),
          Duration.ofSeconds(30),
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  /** Where the driver hangs it is not the GPU that does. */
  @Override
  public boolean sees(Subject subject, NodeSnapshot view) {
    return view.driver() instanceof DriverStatus.Hung || HealthRule.super.sees(subject, view);
  }

  @Override
  public List<Detection> judge(NodeSnapshot view, RulePolicy policy) {
    if (view.driver() instanceof DriverStatus.Hung) {
      return List.of(); // Then the driver is the finding.
    }
    return view.gpus().stream()
        .filter(gpu -> gpu.state() == PartStatus.State.HUNG)
        .map(
            gpu ->
                Detection.now(
                    SPEC,
                    policy,
                    gpu.subject(),
                    "a call to it does not come back",
                    GpuMetrics.UP.name()))
        .toList();
  }
}
