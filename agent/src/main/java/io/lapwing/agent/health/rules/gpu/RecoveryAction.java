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
import java.time.Duration;
import java.util.Optional;

/** The recovery that the driver requests: {@code nvmlDeviceGpuRecoveryAction_t}. */
final class RecoveryAction implements GpuRule {

  private record Form(String what, Disposition disposition, String why) {}

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("recovery_action")
        .about("The driver requests a reset, a reboot or a drain.")
        .why(
            "The driver has the best information on the state of the GPU, and withdraws the request itself; until then the GPU does no more work.")
        .document("NVML, nvmlDeviceGpuRecoveryAction_t; NVIDIA XID catalogue, 154")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .escalates()
        .closeAfter(Duration.ofSeconds(30))
        .needs(DcgmMetrics.GET_GPU_RECOVERY_ACTION)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    int value = (int) gpu.values().get(DcgmMetrics.GET_GPU_RECOVERY_ACTION).orElse(0);
    return value == 0 ? Optional.empty() : Optional.of(detection(gpu, form(value), policy));
  }

  private static Detection detection(GpuStatus gpu, Form form, RulePolicy policy) {
    Detection detection =
        policy.detection(gpu.subject(), form.what(), DcgmMetrics.GET_GPU_RECOVERY_ACTION);
    return detection.withForm(form.disposition(), form.why());
  }

  private static Form form(int value) {
    return switch (value) {
      case 1 ->
          new Form(
              "the driver requests a reset of the GPU",
              Disposition.failing(Action.RESET_GPU, Urgency.NOW),
              "The GPU does no more work until it is reset.");
      case 2 ->
          new Form(
              "the driver requests a reboot of the node",
              Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
              "The fault left the operating system in a state that only a reboot fixes.");
      case 3 ->
          new Form(
              "the driver requests an end of all peer-to-peer traffic",
              Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
              "Stop work that communicates with other GPUs; the driver then withdraws the request or asks for a reset.");
      case 4 ->
          new Form(
              "the driver requests a drain, then a reset",
              Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END),
              "A part of the GPU is out of use; running work may finish, but nothing new should start before the reset.");
      case 5 ->
          new Form(
              "the driver requests the recovery of the IMEX domain",
              Disposition.WATCH,
              "The fault is in the domain that spans several nodes; neither a reset nor a reboot of this node fixes it.");
      default ->
          new Form(
              "the driver requests recovery action "
                  + value
                  + ", which this version does not recognise",
              Disposition.unknown(),
              "The meaning of this value of a newer driver is unknown.");
    };
  }
}
