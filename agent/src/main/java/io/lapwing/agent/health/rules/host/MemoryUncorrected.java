package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.EdacSource;
import io.lapwing.host.HostFaultKind;
import io.lapwing.host.HostMetrics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An uncorrected error of the node's memory or processors. */
final class MemoryUncorrected implements HostRule {

  private static final int TYPE = HostMetrics.MEMORY_ERRORS.labels().indexOf("type");

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("host_memory_uncorrected")
        .about("The kernel reported an uncorrected error of the node's memory or of a processor.")
        .why(
            "Memory or a processor of the node has lost data: the kernel stopped what used it, and the same part is likely to fail again.")
        .document("Linux, Documentation/admin-guide/RAS; Intel SDM volume 3, 17.3.2.2")
        .aws(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END))
        .nvidia(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END))
        .reads(HostMetrics.MEMORY_ERRORS)
        .build();
  }

  /** Errors that EDAC counted still count while its files cannot be read. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.whole(EdacSource.MEMORY).map(PartStatus::isRead).orElse(true);
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.MEMORY_UNCORRECTED, HostFaultKind.MACHINE_CHECK_UNCORRECTED);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    String what = RuleText.count(faults.times(), "uncorrected hardware error") + faults.ofDevices();
    return faults.detectionOf(policy, what).or(() -> counted(view, policy));
  }

  /** What EDAC counted since the boot, where the kernel log was lost or is not read. */
  private static Optional<Detection> counted(NodeSnapshot view, RulePolicy policy) {
    double errors =
        HostPartRule.values(EdacSource.MEMORY, view)
            .map(values -> values.all(HostMetrics.MEMORY_ERRORS))
            .orElse(Map.of())
            .entrySet()
            .stream()
            .filter(one -> one.getKey().get(TYPE).equals("uncorrected"))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return errors > 0
        ? Optional.of(
            policy.detection(
                Subject.NODE,
                RuleText.count(errors, "uncorrected memory error") + " since the boot",
                HostMetrics.MEMORY_ERRORS))
        : Optional.empty();
  }
}
