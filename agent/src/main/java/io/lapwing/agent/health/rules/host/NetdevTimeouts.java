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

/** A network device that did not send within the kernel's watchdog time. */
final class NetdevTimeouts implements HostRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("netdev_timeouts")
        .about("A network device did not send for seconds, and its driver reset it.")
        .why(
            "Connections over the device stall while it is reset: Slurm, the kubelet, NCCL's bootstrap and file servers use it.")
        .document("Linux, net/sched/sch_generic.c; ENA driver, README, reset")
        .disposition(Disposition.WATCH)
        .threshold(SHOWN, DAY, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.NETDEV_TIMEOUT);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    return faults.detectionOf(
        policy, RuleText.count(faults.times(), "transmit timeout") + faults.ofDevices());
  }
}
