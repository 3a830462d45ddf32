package io.lapwing.drain.guard;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.policy.Budget;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The same rule on many nodes at once is a fault of the fleet, of a driver or of the rule itself:
 * to drain these nodes one after the other would not help. Not kept over a restart: nodes that
 * still have the finding report it again, and open requests count as new.
 */
public final class StormDetector {

  private final Budget budget;

  /** By rule and node: when it was requested last. */
  private final Map<String, Map<NodeName, Instant>> seen = new HashMap<>();

  /** By rule: until when nothing is done for it, and of how many nodes it was. */
  private final Map<String, Storm> storms = new HashMap<>();

  public StormDetector(Budget budget) {
    this.budget = budget;
  }

  private record Storm(int nodes, Instant until) {}

  /** That a rule asks for a node. Requests of people have no rule, and are no storm. */
  public void requested(String rule, NodeName node, Instant now) {
    if (rule.isEmpty()) {
      return;
    }
    Map<NodeName, Instant> nodes = seen.computeIfAbsent(rule, any -> new HashMap<>());
    nodes.put(node, now);
    nodes.values().removeIf(at -> at.isBefore(now.minus(budget.systemicWithin())));
    if (nodes.size() >= budget.systemicNodes()) {
      storms.put(rule, new Storm(nodes.size(), now.plus(budget.coolDown())));
    }
  }

  /** Empty if the rule has not been on many nodes lately. */
  public Optional<Objection> against(String rule, Instant now) {
    return Optional.ofNullable(storms.get(rule))
        .filter(storm -> now.isBefore(storm.until()))
        .map(storm -> objection(rule, storm));
  }

  /** The storms that last: a person has to look. Forgets what is over. */
  public List<Objection> lasting(Instant now) {
    seen.values()
        .forEach(
            nodes ->
                nodes.values().removeIf(at -> at.isBefore(now.minus(budget.systemicWithin()))));
    seen.values().removeIf(Map::isEmpty);
    storms.values().removeIf(storm -> !now.isBefore(storm.until()));
    return storms.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(Comparator.naturalOrder()))
        .map(storm -> objection(storm.getKey(), storm.getValue()))
        .toList();
  }

  private static Objection objection(String rule, Storm storm) {
    return new Objection(
        "budget.systemic-nodes",
        rule + " is on " + storm.nodes() + " nodes at once: a person has to look",
        storm.until() + ", unless it goes on");
  }
}
