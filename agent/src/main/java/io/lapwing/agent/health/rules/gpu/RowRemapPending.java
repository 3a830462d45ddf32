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
import java.util.stream.Stream;

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

  /** A reset since the last remap activates the row, unless the driver reported it since. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return RemapRule.super.canEvaluate(subject, view)
        || (subject instanceof Subject.Gpu gpu
            && view.gpu(gpu.uuid()).filter(GpuStatus::answers).isPresent()
            && view.history().isResetSinceRemap(gpu.uuid())
            && !wasReportedSince(view.history().lastReset(gpu.uuid()), subject.text(), view));
  }

  private boolean wasReportedSince(Optional<Instant> reset, String subject, NodeSnapshot view) {
    String rule = spec().name();
    Optional<Instant> opened =
        view.history()
            .last(
                Event.FindingOpened.class,
                one -> one.rule().equals(rule) && one.subject().equals(subject))
            .map(Event::at);
    Optional<Instant> escalated =
        view.history()
            .last(
                Event.FindingEscalated.class,
                one -> one.rule().equals(rule) && one.subject().equals(subject))
            .map(Event::at);
    return Stream.of(opened, escalated)
        .flatMap(Optional::stream)
        .anyMatch(at -> reset.filter(at::isAfter).isPresent());
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
