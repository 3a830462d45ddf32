package io.lapwing.agent.health.rules;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.DriverNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Symptom;
import java.time.Duration;
import java.util.List;

/** A node of which nobody says whether it should have GPUs, and which shows none. */
public final class GpusExpected implements HealthRule {

  private static final RuleSpec SPEC =
      new RuleSpec(
          "gpus_expected",
          "It cannot be told whether the machine should have GPUs.",
          "A node whose GPUs cannot be seen looks like one that has none; only its operator can tell the two apart.",
          "Lapwing",
          Call.unknown(),
          Call.unknown(),
          Duration.ofSeconds(10),
          Duration.ZERO,
          List.of());

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Symptom> judge(NodeView view, RulePolicy policy) {
    return view.driver() instanceof DriverNow.Absent absent
            && GpuCount.expected(view.node()).isEmpty()
        ? List.of(Symptom.now(SPEC, policy, Subject.NODE, what(absent)))
        : List.of();
  }

  private static String what(DriverNow.Absent absent) {
    return "cannot tell whether this machine should have GPUs ("
        + absent.why()
        + ", and the PCI bus cannot be read): say --health.expected-gpus=0 if it should have none";
  }
}
