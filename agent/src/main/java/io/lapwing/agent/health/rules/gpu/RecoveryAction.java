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
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the driver itself asks for: {@code nvmlDeviceGpuRecoveryAction_t}. */
public final class RecoveryAction implements GpuRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "recovery_action",
          "The driver asks for a reset, a reboot or a drain.",
          "The driver knows the state of the GPU best, and clears the wish itself; a GPU in this state does no more work until then.",
          "NVML, nvmlDeviceGpuRecoveryAction_t; NVIDIA XID catalogue, 154",
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Duration.ZERO,
          Duration.ofSeconds(30),
          List.of());

  /** What one value means. */
  private record Wish(String what, Disposition call, String why) {}

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return List.of(DcgmMetrics.GET_GPU_RECOVERY_ACTION);
  }

  @Override
  public Optional<Detection> judge(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    int value = (int) gpu.values().get(DcgmMetrics.GET_GPU_RECOVERY_ACTION).orElse(0);
    return value == 0 ? Optional.empty() : Optional.of(symptom(gpu, wish(value), policy));
  }

  private static Detection symptom(GpuStatus gpu, Wish wish, RulePolicy policy) {
    Detection symptom =
        Detection.now(
            SPEC, policy, gpu.subject(), wish.what(), DcgmMetrics.GET_GPU_RECOVERY_ACTION.name());
    return SeverityCap.form(symptom, wish.call(), wish.why());
  }

  private static Wish wish(int value) {
    return switch (value) {
      case 1 ->
          new Wish(
              "the driver asks for a reset of the GPU",
              Disposition.failing(Action.RESET_GPU, Urgency.NOW),
              "The GPU does no more work until it is reset.");
      case 2 ->
          new Wish(
              "the driver asks for a reboot of the node",
              Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
              "The fault left the operating system in a state that only a reboot mends.");
      case 3 ->
          new Wish(
              "the driver asks for an end of all peer-to-peer traffic",
              Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
              "Work that talks to other GPUs has to leave; the driver then withdraws the wish or asks for a reset.");
      case 4 ->
          new Wish(
              "the driver asks for a reset once the work has left",
              Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
              "A part of the GPU is out of use; what runs may end, nothing new should start before the reset.");
      case 5 ->
          new Wish(
              "the driver asks for the recovery of the IMEX domain",
              SeverityCap.WATCH,
              "The fault is one of the domain over several nodes, and neither a reset nor a reboot of this one mends it.");
      default ->
          new Wish(
              "the driver asks for recovery action " + value + ", which this version does not know",
              Disposition.unknown(),
              "What a newer driver means by it cannot be told.");
    };
  }
}
