package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import java.time.Duration;
import java.util.List;

/** The event log cannot be written to disk, or could not be read at the start. */
final class EventLogBroken implements HealthRule {

  private static final Disposition WATCH =
      new Disposition(Severity.INFO, Action.WATCH, Urgency.JOB_END);

  private static final String NOT_RESTORED =
      "Findings that only the event log has, such as XIDs from before the start, are not known. A restart of the agent reads it again.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("event_log_broken")
        .about("The agent cannot write its event log, or could not read it at the start.")
        .why(
            "Faults are still found, but a restart of the agent loses the findings that are based on events alone. If the directory did not answer at the agent's start, those from before are not known: the verdict is unknown until a restart.")
        .document("Lapwing, --path.state")
        .disposition(WATCH)
        .closeAfter(Duration.ofSeconds(30))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.agent().eventLog().stream().map(why -> detection(why, policy)).toList();
  }

  private static Detection detection(String why, RulePolicy policy) {
    boolean restored = !why.endsWith(AgentStatus.NOT_RESTORED);
    Detection detection =
        policy.detection(
            Subject.NODE,
            (restored ? "events are not kept on disk: " : "the event log could not be read: ")
                + why,
            "event log");
    return restored ? detection : detection.withDisposition(Disposition.unknown(), NOT_RESTORED);
  }
}
