package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.util.Optional;
import java.util.Set;

/** Processes that the kernel killed for memory, with the rank of a job where its pid is known. */
final class OomKills implements HostRule {

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("oom_kill")
        .about("The kernel killed a process because the node, or its cgroup, was out of memory.")
        .why(
            "The node works. If the process was part of a job, the job fails: give it more memory, or let it use less.")
        .document("Linux, mm/oom_kill.c")
        .disposition(Disposition.info())
        .threshold(SHOWN, 1, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .reads(TrainingMetrics.INFO, TrainingMetrics.VERIFIED)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(HostFaultKind.OOM_KILL);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    if (faults.isEmpty()) {
      return Optional.empty();
    }
    Event.HostFault last = faults.last();
    return faults.detectionOf(
        policy,
        RuleText.count(faults.times(), "kill")
            + " for memory, last "
            + process(last)
            + rank(last, view).map(rank -> " (" + rank + ")").orElse("")
            + (last.device().equals("cgroup") ? ", by the limit of its cgroup" : ""));
  }

  /** {@code python (pid 1234)}. */
  static String process(Event.HostFault fault) {
    String name = fault.process().isEmpty() ? "a process" : fault.process();
    return fault.pid().isPresent() ? name + " (pid " + fault.pid().getAsLong() + ")" : name;
  }

  /** The rank with that pid, while its step file is there. */
  private static Optional<String> rank(Event.HostFault fault, NodeSnapshot view) {
    if (fault.pid().isEmpty()) {
      return Optional.empty();
    }
    String pid = String.valueOf(fault.pid().getAsLong());
    int at = TrainingMetrics.INFO.labels().indexOf("pid") - TrainingMetrics.STEPS.labels().size();
    return view.parts(TrainingSource.KIND).stream()
        .filter(PartStatus::answers)
        .filter(part -> part.values().get(TrainingMetrics.VERIFIED).orElse(0) == 1)
        .filter(
            part ->
                part.values().all(TrainingMetrics.INFO).keySet().stream()
                    .anyMatch(info -> at < info.size() && info.get(at).equals(pid)))
        .map(part -> part.subject())
        .filter(Subject.Part.class::isInstance)
        .map(subject -> ((Subject.Part) subject).words())
        .findFirst();
  }
}
