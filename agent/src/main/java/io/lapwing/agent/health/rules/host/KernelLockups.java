package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import java.util.Optional;
import java.util.Set;

/** Processors that stay in the kernel for too long, repeatedly. */
final class KernelLockups implements HostRule {

  private static final String REPEATS = "repeats";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("kernel_lockups")
        .about("Processors were stuck in the kernel repeatedly (soft lockups, RCU stalls).")
        .why(
            "A stuck processor delays every process on it, and with it all ranks of a job; the cause is a driver, a hypervisor that takes the processor away, or hardware.")
        .document(
            "Linux, Documentation/admin-guide/lockup-watchdogs.rst, Documentation/RCU/stallwarn.rst")
        .disposition(Disposition.WATCH)
        .threshold(REPEATS, 2, 1, 1e6, "messages")
        .meaning("How many within the time in which they are shown; Lapwing's own choice.")
        .threshold(SHOWN, DAY, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.SOFT_LOCKUP, HostFaultKind.RCU_STALL);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    double soft = faults.of(HostFaultKind.SOFT_LOCKUP).times();
    double rcu = faults.of(HostFaultKind.RCU_STALL).times();
    return soft + rcu < policy.threshold(REPEATS)
        ? Optional.empty()
        : faults.detectionOf(
            policy,
            RuleText.count(soft, "soft lockup") + " and " + RuleText.count(rcu, "RCU stall"));
  }
}
