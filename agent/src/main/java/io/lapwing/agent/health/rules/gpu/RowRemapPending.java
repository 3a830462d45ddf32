package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.StateEscalation;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A remapped row that becomes active with the next reset. */
final class RowRemapPending implements RemapRule {

  private static final Disposition REPLACE =
      Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);

  private static final String NOT_ACTIVATED =
      "The GPU was reset, and the spare row is still not in use: the remap does not work.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("row_remap_pending")
        .about("A remapped row of memory waits for a reset of the GPU.")
        .why(
            "The driver already keeps work off the bad row, so the job may finish first; the reset activates the spare row. Profile aws asks for a replacement when the remap itself is reported (XID 63), not while it is pending.")
        .document("NVIDIA GPU Memory Error Management, row remapping")
        .disposition(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
        .closeAfter(Duration.ofSeconds(30))
        .needs(DcgmMetrics.ROW_REMAP_PENDING)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    if (!gpu.values().isSet(DcgmMetrics.ROW_REMAP_PENDING)) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            gpu.subject(),
            "a remapped row of memory waits for a reset",
            DcgmMetrics.ROW_REMAP_PENDING);
    return Optional.of(
        hadItsReset(detection, gpu.uuid(), view)
            ? detection.withDisposition(REPLACE, NOT_ACTIVATED)
            : detection);
  }

  /**
   * Where the driver does not report rows: a reset since the last remap has activated the row,
   * unless the driver reported it after that.
   */
  @Override
  public boolean canEvaluate(
      Subject subject, NodeSnapshot view, Instant detected, RulePolicy policy) {
    return canEvaluate(subject, view)
        || (subject instanceof Subject.Gpu gpu
            && view.gpu(gpu.uuid()).filter(GpuStatus::answers).isPresent()
            && view.history().isResetSinceRemap(gpu.uuid())
            && view.history()
                .lastReset(gpu.uuid())
                .filter(reset -> detected.isBefore(reset.plus(StateEscalation.READ_AGAIN)))
                .isPresent());
  }

  /** Whether a reset or a reboot did not activate the row, and none was remapped since. */
  private static boolean hadItsReset(Detection detection, String gpu, NodeSnapshot view) {
    return detection.disposition().action().covers(Action.RESET_GPU)
        && new StateEscalation(view.history(), view.now())
            .lastRemediation(detection)
            .filter(
                done ->
                    view.history()
                        .last(
                            Event.RowsRemapped.class,
                            rows -> rows.gpu().equals(gpu) && rows.at().isAfter(done))
                        .isEmpty())
            .isPresent();
  }
}
