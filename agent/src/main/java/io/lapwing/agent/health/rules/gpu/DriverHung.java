package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;

/** A call into the driver that does not return. */
final class DriverHung implements HealthRule {

  /**
   * The driver initialises eight GPUs, collects a bug report or retries a request to the GSP for up
   * to half a minute, and answers again.
   */
  static final Duration STALLED = Duration.ofMinutes(2);

  static final String MAY_RETURN =
      "Calls of up to half a minute are ordinary while the driver initialises a GPU or retries; until it returns the state is unknown.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("driver_hung")
        .about("A call into the driver does not return.")
        .why(
            "Whatever starts on this node calls the same driver and blocks too; only a reboot unloads a hung driver.")
        .document("Lapwing, --poll.deadline")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .startsAs(Disposition.unknown(), STALLED)
        .escalates()
        .closeAfter(Duration.ofSeconds(30))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.driver() instanceof DriverStatus.Hung hung
        ? List.of(detection(hung.since(), policy))
        : List.of();
  }

  private static Detection detection(Duration since, RulePolicy policy) {
    return policy
        .detection(
            Subject.NODE,
            "a call into the driver has not returned for " + RuleText.duration(since),
            GpuMetrics.DRIVER_UP)
        .withGrace(policy.spec(), MAY_RETURN, since);
  }
}
