package io.lapwing.agent.cli;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Urgency;
import java.util.Optional;

/** What to do, and when. */
public final class VerdictText {

  private VerdictText() {}

  /** Of the node: {@code replace_node, now}. */
  public static String due(HealthReport report) {
    return due(report, report.action(), report.urgency());
  }

  /** Of a part of it. A training job may have findings on a node that needs nothing. */
  static String due(HealthReport report, Action action, Optional<Urgency> urgency) {
    if (action == Action.NONE && !report.findings().isEmpty()) {
      return "nothing to do on this node";
    }
    return due(action, urgency);
  }

  /** {@code reset_gpu, when the job has ended}. */
  public static String due(Action action, Optional<Urgency> urgency) {
    if (action == Action.NONE) {
      return "nothing to do";
    }
    return action == Action.WATCH
        ? action.text()
        : action.text() + urgency.map(when -> ", " + when(when)).orElse("");
  }

  private static String when(Urgency urgency) {
    return urgency == Urgency.NOW ? "now" : "when the job has ended";
  }
}
