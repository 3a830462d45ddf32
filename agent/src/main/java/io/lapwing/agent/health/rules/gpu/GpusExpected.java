package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import java.util.List;

/** A node without visible GPUs for which the expected number is unknown. */
final class GpusExpected implements HealthRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpus_expected")
        .about("It is unknown whether the machine should have GPUs.")
        .why(
            "A node whose GPUs cannot be read looks like one that has none; only its operator can tell the two apart.")
        .document("Lapwing")
        .disposition(Disposition.unknown())
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.driver() instanceof DriverStatus.Absent absent
            && GpuCount.expected(view.node()).isEmpty()
        ? List.of(policy.detection(Subject.NODE, what(absent)))
        : List.of();
  }

  private static String what(DriverStatus.Absent absent) {
    return "it is unknown whether this machine should have GPUs ("
        + absent.why()
        + ", and the PCI bus cannot be read): set --health.expected-gpus=0 if it should have none";
  }
}
