package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import java.util.Optional;
import java.util.Set;

/** Tasks that wait in the kernel for minutes; those in NVIDIA's driver count. */
final class HungTasks implements HostRule {

  private static final String NOT_SHOWN =
      "The log has no complete call trace of the task, so it does not show what the task waits for.";

  private static final String ELSEWHERE =
      "The task does not wait for a GPU. What it waits for, a disk or a file server, has rules of its own.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("hung_tasks")
        .about(
            "A task waited in the kernel for minutes; one outside NVIDIA's driver does not change the verdict.")
        .why(
            "A task that waits in NVIDIA's driver cannot be killed, so its job cannot end; the states of the GPUs decide about the action.")
        .document("Linux, kernel/hung_task.c")
        .disposition(Disposition.WATCH)
        .threshold(SHOWN, 1, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.HUNG_TASK);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    FaultHistory inDriver = faults.where(fault -> fault.component().startsWith("nvidia"));
    return inDriver
        .detectionOf(policy, what(inDriver))
        .or(
            () ->
                faults
                    .detectionOf(policy, what(faults))
                    .map(detection -> detection.withForm(Disposition.info(), waitsFor(faults))));
  }

  private static String waitsFor(FaultHistory faults) {
    boolean shown = faults.where(fault -> fault.component().isEmpty()).isEmpty();
    return shown ? ELSEWHERE : NOT_SHOWN;
  }

  private static String what(FaultHistory faults) {
    if (faults.isEmpty()) {
      return "";
    }
    Event.HostFault last = faults.last();
    return RuleText.count(faults.tasks(), "hung task")
        + ", last "
        + OomKills.process(last)
        + (last.component().isEmpty() || last.component().equals(Event.HostFault.OTHER)
            ? ""
            : " in " + last.component());
  }
}
