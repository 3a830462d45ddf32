package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.replay.Finding.Demand;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** A node in virtual time: its record, and what the controller has done to it. */
final class ReplayedNode {

  private final RecordedNode recorded;
  private final int gpus;
  private final Set<Finding> cured = new HashSet<>();
  private String reason = "";
  private int boots;
  private int instance;
  private Optional<Remedy> repair = Optional.empty();
  private Instant done = Instant.MIN;

  ReplayedNode(RecordedNode recorded, int gpus) {
    this.recorded = recorded;
    this.gpus = recorded.gpus().orElse(gpus);
  }

  NodeName name() {
    return recorded.name();
  }

  int gpus() {
    return gpus;
  }

  boolean inService() {
    return reason.isEmpty();
  }

  boolean answers() {
    return repair.isEmpty();
  }

  String reason() {
    return reason;
  }

  void take(String why) {
    reason = why;
  }

  void giveBack() {
    reason = "";
  }

  void begin(Remedy remedy, Instant until) {
    repair = Optional.of(remedy);
    done = until;
  }

  /**
   * Whether a repair has just ended. It ends a fault that the record shows as closed, if it is at
   * least as strong as the repair that closed it.
   */
  boolean ends(Instant now) {
    if (repair.isEmpty() || now.isBefore(done)) {
      return false;
    }
    Remedy remedy = repair.get();
    repair = Optional.empty();
    boots += remedy.compareTo(Remedy.REBOOT_NODE) >= 0 ? 1 : 0;
    instance += remedy == Remedy.REPLACE_NODE ? 1 : 0;
    recorded.findings().stream()
        .filter(finding -> finding.openAt(now))
        .filter(finding -> finding.cure().filter(cure -> cure.compareTo(remedy) <= 0).isPresent())
        .forEach(cured::add);
    return true;
  }

  /** Whether the finding or alert would still be open after the repairs. */
  boolean asks(Finding finding, Instant now) {
    boolean repaired = !finding.from().isAfter(done) && answers();
    return finding.openAt(now)
        && finding.demand(now).remedy().takesNode()
        && !(repaired && health(now).verdict() == Verdict.HEALTHY);
  }

  NodeState state() {
    return new NodeState(
        name(),
        inService() ? Service.IN_SERVICE : Service.DRAINED,
        reason,
        "",
        Set.of(),
        answers(),
        name() + "-" + instance,
        Optional.empty(),
        gpus);
  }

  NodeHealth health(Instant now) {
    List<Finding> open =
        recorded.findings().stream()
            .filter(finding -> finding.openAt(now) && !cured.contains(finding))
            .toList();
    Optional<Finding> worst =
        open.stream()
            .max((one, other) -> one.demand(now).remedy().compareTo(other.demand(now).remedy()));
    return new NodeHealth(
        verdict(open, now),
        worst.map(finding -> finding.demand(now).remedy()).orElse(Remedy.NONE),
        now,
        false,
        "boot " + boots,
        name() + "-" + instance,
        worst.map(finding -> finding.rule() + ": " + finding.what()).orElse(""),
        OptionalInt.of(gpus),
        open.stream()
            .filter(finding -> finding.demand(now).remedy().takesNode())
            .map(Finding::rule)
            .collect(Collectors.toSet()),
        open.stream()
            .filter(finding -> finding.demand(now).remedy().takesNode())
            .flatMap(finding -> finding.urgency().stream())
            .max(Comparator.naturalOrder())
            .orElse(Urgency.JOB_END),
        Set.of());
  }

  private Verdict verdict(List<Finding> open, Instant now) {
    if (recorded.maintenance().stream().anyMatch(span -> span.contains(now))) {
      return Verdict.MAINTENANCE;
    }
    List<Demand> demands = open.stream().map(finding -> finding.demand(now)).toList();
    if (demands.stream().allMatch(demand -> demand.remedy() == Remedy.NONE)) {
      return Verdict.HEALTHY;
    }
    return demands.stream().anyMatch(Demand::failing) ? Verdict.FAILING : Verdict.DEGRADED;
  }
}
