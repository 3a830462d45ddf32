package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.AgentNow;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Symptom;
import java.time.Duration;
import java.util.List;

/** XIDs that nobody would hear of: neither from the kernel log nor from NVML. */
public final class XidsUnheard implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "xids_unheard",
          "XIDs cannot be heard of, or only from one of their two sources.",
          "An XID that nobody hears of is missed for good; NVML alone tells no SXid and nothing while the driver hangs.",
          "Lapwing, --path.kmsg; nvmlEventSetWait_v2",
          Call.unknown(),
          Call.unknown(),
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          List.of());

  private static final String ONE_LEFT =
      "NVML still tells of XIDs, but of no SXid, and of nothing while the driver hangs.";

  private static final String SECOND_HAND =
      "A log file tells no sequence numbers: lines that syslog dropped are not known to be lost.";

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy policy) {
    AgentNow agent = view.agent();
    if (view.gpus().isEmpty()) {
      return List.of();
    }
    if (agent.kernelLog().isEmpty()) {
      return agent.logFile().stream()
          .map(file -> Ceiling.form(symptom(policy, file), Call.info(), SECOND_HAND))
          .toList();
    }
    String kernel = "the kernel log is not read: " + agent.kernelLog().get();
    if (agent.xidEvents().isEmpty()) {
      return List.of(Ceiling.form(symptom(policy, kernel), Call.info(), ONE_LEFT));
    }
    return List.of(
        symptom(policy, kernel + "; NVML's events are not heard: " + agent.xidEvents().get()));
  }

  private static Symptom symptom(RulePolicy policy, String what) {
    return Symptom.now(SPEC, policy, Subject.NODE, what, "kernel log", "NVML event");
  }
}
