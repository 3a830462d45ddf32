package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.util.List;

/** XIDs that would be missed: neither the kernel log nor NVML's events can be read. */
final class XidEventsUnavailable implements HealthRule {

  private static final String ONE_LEFT =
      "NVML still reports XIDs, but no SXid, and nothing while the driver hangs.";

  private static final String SECOND_HAND =
      "A log file has no sequence numbers: lines that syslog dropped go unnoticed.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("xids_unheard")
        .about("XIDs cannot be read, or only from one of their two sources.")
        .why(
            "An XID that is not read is missed for good; NVML alone reports no SXid, and nothing while the driver hangs.")
        .document("Lapwing, --path.kmsg; nvmlEventSetWait_v2")
        .disposition(Disposition.unknown())
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    AgentStatus agent = view.agent();
    if (view.gpus().isEmpty()) {
      return List.of();
    }
    if (agent.kernelLog().isEmpty()) {
      return agent.logFile().stream()
          .map(file -> detection(policy, file).withForm(Disposition.info(), SECOND_HAND))
          .toList();
    }
    String kernel = "the kernel log is not read: " + agent.kernelLog().get();
    if (agent.xidEvents().isEmpty()) {
      return List.of(detection(policy, kernel).withForm(Disposition.info(), ONE_LEFT));
    }
    return List.of(
        detection(policy, kernel + "; NVML's events are unavailable: " + agent.xidEvents().get()));
  }

  private static Detection detection(RulePolicy policy, String what) {
    return policy.detection(Subject.NODE, what, "kernel log", "NVML event");
  }
}
