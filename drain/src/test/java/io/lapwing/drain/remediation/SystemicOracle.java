package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.policy.Budget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether a node is taken for a rule that has lately been on many nodes at once. */
final class SystemicOracle {

  private record Asked(NodeName node, Instant since, Instant at) {}

  private final Budget budget;
  private final Map<String, List<Asked>> asked = new HashMap<>();
  private final Map<String, Instant> until = new HashMap<>();

  SystemicOracle(Budget budget) {
    this.budget = budget;
  }

  void requested(String rule, NodeName node, Instant since, Instant now) {
    if (rule.isEmpty()) {
      return;
    }
    List<Asked> all = asked.computeIfAbsent(rule, any -> new ArrayList<>());
    all.removeIf(one -> one.node().equals(node));
    all.add(new Asked(node, since, now));
    all.removeIf(
        one -> one.at().plus(budget.systemicWithin()).plus(budget.coolDown()).isBefore(now));
    if (near(all, since) >= budget.systemicNodes()) {
      until.put(rule, now.plus(budget.coolDown()));
    }
  }

  /** The agent says that the node is healthy. */
  void withdrawn(NodeName node) {
    asked.forEach(
        (rule, all) -> {
          if (all.removeIf(one -> one.node().equals(node))
              && all.stream().noneMatch(one -> near(all, one.since()) >= budget.systemicNodes())) {
            until.remove(rule);
          }
        });
  }

  private long near(List<Asked> all, Instant since) {
    Instant first = since.minus(budget.systemicWithin());
    Instant last = since.plus(budget.systemicWithin());
    return all.stream()
        .filter(one -> !one.since().isBefore(first) && !one.since().isAfter(last))
        .count();
  }

  /** What was requested and ended before is not known to the next controller. */
  void restarted() {
    asked.clear();
    until.clear();
  }

  List<String> taken(String rule, Instant now) {
    return now.isBefore(until.getOrDefault(rule, Instant.MIN))
        ? List.of("a node is taken in a storm of " + rule)
        : List.of();
  }
}
