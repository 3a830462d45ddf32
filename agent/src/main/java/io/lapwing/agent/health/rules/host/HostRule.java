package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import io.lapwing.host.HostFaultKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A rule on faults of the host in the kernel log, with at most one finding for the node. */
public interface HostRule extends HealthRule {

  /** How long a fault that no action is required for is shown. */
  String SHOWN = "shown_hours";

  String SHOWN_MEANING = "How long a fault is shown; Lapwing's own choice.";

  double DAY = 24;
  double LEAST_HOURS = 0.01;
  double MOST_HOURS = 720;

  /** The kinds of faults that it evaluates. */
  Set<HostFaultKind> kinds();

  /** {@code faults} of its kinds that count; may be empty, since a rule may read metrics too. */
  Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy);

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    boolean any = view.history().has(Event.HostFault.class);
    FaultHistory faults =
        any ? FaultHistory.of(view, kinds(), shown(policy), policy) : FaultHistory.NONE;
    return evaluate(faults, view, policy).stream().toList();
  }

  /** The event log has the faults, also while the kernel log cannot be read. */
  @Override
  default boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return true;
  }

  @Override
  default String kind() {
    return "host";
  }

  private static Duration shown(RulePolicy policy) {
    Double hours = policy.thresholds().get(SHOWN);
    return Duration.ofSeconds((long) ((hours == null ? DAY : hours) * 3_600));
  }

  static Set<HostFaultKind> of(HostFaultKind first, HostFaultKind... more) {
    return Set.copyOf(EnumSet.of(first, more));
  }

  /** All rules of this package that need only events, also of a saved kernel log. */
  static List<HostRule> ofKernelLog() {
    return List.of(
        new MemoryUncorrected(),
        new MemoryCorrected(),
        new NvmeFailed(),
        new DiskErrors(),
        new FilesystemReadOnly(),
        new KernelLockups(),
        new HungTasks(),
        new OomKills(),
        new PcieErrors(),
        new NetdevTimeouts());
  }

  /** All rules of this package, in the order of the documentation. */
  static List<HealthRule> all() {
    List<HealthRule> all = new ArrayList<>(ofKernelLog());
    all.add(new FilesystemFull());
    all.add(new EnaAllowances());
    all.add(new KernelPanics());
    all.add(new UnitsNotRunning());
    all.add(new GpuVersionsDiffer());
    all.add(new PersistenceOff());
    return List.copyOf(all);
  }
}
