package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HardwareHistory;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;

/** A GPU that fails again although it was repaired several times in the last weeks. */
final class RepeatOffender implements HealthRule {

  private static final String SCORE = "score";

  private final HardwareHistory.Cache history = new HardwareHistory.Cache();

  @Override
  public RuleSpec spec() {
    return RuleSpec.named(HardwareHistory.RULE)
        .about("A GPU that had several hardware faults within 90 days has another one.")
        .why(
            "Resets and reboots did not repair it for long, and each fault ends a job; acknowledge it with lapwing clear after a repair.")
        .document("Lapwing; the findings in the event log")
        .aws(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.WATCH)
        .balanced(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .threshold(SCORE, 6, 1, 1_000, "points")
        .meaning(
            "Score of the episodes within 90 days, before the last one, from which the next one counts: 1 for each that asked for a reset, 2 for a reboot, 4 for a replacement, one an hour at most. Lapwing's own choice.")
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    HardwareHistory known = history.of(view.history());
    return view.gpus().stream()
        .flatMap(gpu -> known.tally(gpu.subject().text(), view.now()).stream())
        .filter(tally -> tally.earlier() >= policy.threshold(SCORE))
        .map(tally -> detection(tally, policy))
        .toList();
  }

  private static Detection detection(HardwareHistory.Tally tally, RulePolicy policy) {
    Instant last = tally.last();
    Detection detection =
        policy.detection(
            Subject.parse(tally.subject()),
            "had %s episodes of hardware faults within 90 days (score %s), the last on %s"
                .formatted(
                    tally.count(), tally.score(), last.atOffset(ZoneOffset.UTC).toLocalDate()),
            "event log");
    return detection.withTimes(last, last, tally.count());
  }
}
