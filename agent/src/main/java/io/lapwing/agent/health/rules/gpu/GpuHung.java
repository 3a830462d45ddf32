package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.DriverStatus.SilentGpu;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A call to a GPU that does not return. */
final class GpuHung implements HealthRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_hung")
        .about("A call to a GPU does not return.")
        .why(
            "A driver that waits for a GPU cannot be interrupted; a reset needs the same driver, so a reboot is required.")
        .document("Lapwing, --poll.deadline; NVIDIA XID catalogue, 79 and 119")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .startsAs(Disposition.unknown(), DriverHung.STALLED)
        .escalates()
        .openAfter(Duration.ofSeconds(2))
        .closeAfter(Duration.ofSeconds(30))
        .build();
  }

  /** Does not evaluate GPUs while the driver itself hangs. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.driver() instanceof DriverStatus.Hung
        || HealthRule.super.canEvaluate(subject, view);
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    if (view.driver() instanceof DriverStatus.Hung) {
      return List.of(); // The driver is the finding then.
    }
    return Stream.concat(
            view.gpus().stream()
                .filter(gpu -> gpu.state() == PartStatus.State.HUNG)
                .map(
                    gpu ->
                        policy
                            .detection(gpu.subject(), "a call to it does not return", GpuMetrics.UP)
                            .withGrace(policy.spec(), DriverHung.MAY_RETURN, gpu.hung())),
            neverAnswered(view, policy).stream())
        .toList();
  }

  /** GPUs that hang since before the agent's start are the node's: their UUIDs are not known. */
  private static Optional<Detection> neverAnswered(NodeSnapshot view, RulePolicy policy) {
    List<SilentGpu> hung = SilentGpus.of(view, SilentGpu::hangs);
    return hung.stream()
        .map(SilentGpu::hung)
        .max(Comparator.naturalOrder())
        .map(
            longest ->
                policy
                    .detection(
                        Subject.NODE,
                        "a call to "
                            + SilentGpus.text(hung)
                            + " does not return, the first since the agent started",
                        "lapwing_source_hung")
                    .withGrace(policy.spec(), DriverHung.MAY_RETURN, longest));
  }
}
