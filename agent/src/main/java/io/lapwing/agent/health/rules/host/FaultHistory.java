package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.agent.health.rules.xid.Remediations;
import io.lapwing.host.HostFaultKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The faults of some kinds that count now, oldest first: since the action that the rule requires
 * was last done, or an operator cleared it; if a reboot is not required, only recent ones.
 */
record FaultHistory(List<Event.HostFault> faults) {

  static final FaultHistory NONE = new FaultHistory(List.of());

  private static final int MAX_NAMED = 4;

  FaultHistory {
    faults = List.copyOf(faults);
  }

  static FaultHistory of(
      NodeSnapshot view, Set<HostFaultKind> kinds, Duration shown, RulePolicy policy) {
    Action required = policy.disposition().action();
    Instant oldest = required.covers(Action.REBOOT_NODE) ? Instant.MIN : view.now().minus(shown);
    Remediations remediations = new Remediations();
    List<Event.HostFault> faults = new ArrayList<>();
    for (Event event : view.history().events()) {
      if (event instanceof Event.HostFault fault) {
        if (HostFaultKind.of(fault.fault()).filter(kinds::contains).isPresent()
            && !fault.at().isBefore(oldest)) {
          faults.add(fault);
        }
      } else if (remediations.of(event, "").filter(done -> mends(done, required)).isPresent()
          || (event instanceof Event.OperatorCleared cleared
              && cleared.covers(policy.spec().name(), Subject.NODE.text()))) {
        faults.clear();
      }
    }
    return new FaultHistory(faults);
  }

  /** Loading NVIDIA's driver, which counts as a reset of the GPUs, mends nothing of the host. */
  private static boolean mends(Action done, Action required) {
    return done.covers(Action.REBOOT_NODE) && done.covers(required);
  }

  boolean isEmpty() {
    return faults.isEmpty();
  }

  double times() {
    return (double) total();
  }

  private long total() {
    return faults.stream().mapToLong(Event.HostFault::times).sum();
  }

  /** The different tasks; the kernel reports the same one repeatedly. */
  double tasks() {
    long known =
        faults.stream()
            .map(Event.HostFault::pid)
            .filter(OptionalLong::isPresent)
            .distinct()
            .count();
    long unknown = where(fault -> fault.pid().isEmpty()).total();
    return (double) known + unknown;
  }

  Event.HostFault last() {
    return faults.get(faults.size() - 1);
  }

  FaultHistory where(Predicate<Event.HostFault> wanted) {
    return new FaultHistory(faults.stream().filter(wanted).toList());
  }

  FaultHistory of(HostFaultKind kind) {
    return where(fault -> fault.fault().equals(kind.text()));
  }

  /** How often by device, in the order in which they were first seen. */
  Map<String, Double> byDevice() {
    Map<String, Double> counts = new LinkedHashMap<>();
    faults.forEach(fault -> counts.merge(fault.device(), (double) fault.times(), Double::sum));
    return counts;
  }

  /** {@code " of nvme1 and nvme2"}; empty where no device is named. */
  String ofDevices() {
    String names = names();
    return names.isEmpty() ? "" : " of " + names;
  }

  /** {@code nvme1 and nvme2}; empty where no device is named. */
  String names() {
    List<String> names = byDevice().keySet().stream().filter(name -> !name.isEmpty()).toList();
    List<String> shown = new ArrayList<>(names.subList(0, Math.min(MAX_NAMED, names.size())));
    if (names.size() > shown.size()) {
      shown.add(names.size() - shown.size() + " more");
    }
    return RuleText.list(shown);
  }

  /** A finding for the node about these faults, which are not empty. */
  Detection detection(RulePolicy policy, String what) {
    return policy
        .detection(Subject.NODE, what, "kernel log")
        .withTimes(faults.get(0).at(), last().at(), total());
  }

  /** As {@link #detection}; empty if there are none. */
  Optional<Detection> detectionOf(RulePolicy policy, String what) {
    return isEmpty() ? Optional.empty() : Optional.of(detection(policy, what));
  }
}
