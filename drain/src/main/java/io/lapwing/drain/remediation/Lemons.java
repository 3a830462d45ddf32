package io.lapwing.drain.remediation;

import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.LadderPolicy;
import io.lapwing.drain.remediation.Attempt.Outcome;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which hardware was repaired before: the serial numbers of host and GPUs where they are known, and
 * else the instance, and else the node. From the journal; a later entry of a remediation replaces
 * an earlier one.
 */
final class Lemons {

  private final LadderPolicy policy;

  /** By hardware and remediation, the last state of the latter. */
  private final Map<String, Map<String, Remediation>> byHardware = new HashMap<>();

  /** By remediation, where it is in the other map. */
  private final Map<String, Set<String>> parts = new HashMap<>();

  Lemons(LadderPolicy policy) {
    this.policy = policy;
  }

  /** The identity of a node's hardware. */
  static Set<String> hardware(NodeState node, Optional<NodeHealth> health) {
    Set<String> serials = new HashSet<>(health.map(NodeHealth::serials).orElse(Set.of()));
    serials.add(node.more().serial());
    serials.remove("");
    if (!serials.isEmpty()) {
      return serials;
    }
    return Set.of(node.instanceId().isEmpty() ? node.name().text() : node.instanceId());
  }

  void remember(Remediation state) {
    // Removes attempts that were not carried out.
    for (String part : parts.getOrDefault(state.id(), Set.of())) {
      byHardware.getOrDefault(part, Map.of()).remove(state.id());
    }
    parts.remove(state.id());
    for (Attempt attempt : state.attempts()) {
      for (String part : attempt.hardware()) {
        byHardware.computeIfAbsent(part, any -> new HashMap<>()).put(state.id(), state);
        parts.computeIfAbsent(state.id(), any -> new HashSet<>()).add(part);
      }
    }
  }

  /**
   * How often it was rebooted or replaced recently, without this remediation; in words if that is
   * too often. Resets do not count: two GPUs of a host may need one each, and for one GPU the agent
   * escalates by itself.
   */
  Optional<String> tooOften(Remediation now, Set<String> hardware, Instant at) {
    return tooOften("repaired", now, hardware, at, Remedy.REBOOT_NODE);
  }

  /** The same of replacements: a new one would be the same hardware again. */
  Optional<String> replacedTooOften(Remediation now, Set<String> hardware, Instant at) {
    return tooOften("replaced", now, hardware, at, Remedy.REPLACE_NODE);
  }

  private Optional<String> tooOften(
      String what, Remediation now, Set<String> hardware, Instant at, Remedy atLeast) {
    long times =
        hardware.stream()
            .mapToLong(part -> times(part, now, at.minus(policy.lemonWithin()), atLeast))
            .max()
            .orElse(0);
    return times < policy.lemonRepairs()
        ? Optional.empty()
        : Optional.of(
            what
                + " "
                + PlainText.count(times, "time")
                + " within "
                + TimeText.exact(policy.lemonWithin()));
  }

  private long times(String part, Remediation now, Instant after, Remedy atLeast) {
    return byHardware.getOrDefault(part, Map.of()).values().stream()
        .filter(other -> !other.id().equals(now.id()))
        .flatMap(other -> other.attempts().stream())
        .filter(attempt -> attempt.hardware().contains(part))
        .filter(attempt -> attempt.outcome().filter(Outcome.REFUSED::equals).isEmpty())
        .filter(attempt -> attempt.at().isAfter(after))
        .filter(attempt -> attempt.remedy().compareTo(atLeast) >= 0)
        .count();
  }
}
