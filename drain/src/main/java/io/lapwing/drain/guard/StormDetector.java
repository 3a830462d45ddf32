package io.lapwing.drain.guard;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.policy.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The same rule on many nodes at once is a fault of the fleet, of a driver or of the rule itself:
 * to drain these nodes one after the other would not help. What counts is when their findings
 * began: nodes that failed one after the other, and all wait for the budget, are no storm, however
 * often they are reported. Not kept over a restart: open requests are counted again.
 */
public final class StormDetector {

  private final Budget budget;

  private final Map<String, Map<NodeName, Seen>> seen = new HashMap<>();

  /** By rule: until when nothing is done for it, and of how many nodes it was. */
  private final Map<String, Storm> storms = new HashMap<>();

  public StormDetector(Budget budget) {
    this.budget = budget;
  }

  /** Continues the counts of another one; only the limits are new. */
  public void after(StormDetector before) {
    before.seen.forEach((rule, nodes) -> seen.put(rule, new HashMap<>(nodes)));
    storms.putAll(before.storms);
  }

  private record Storm(int nodes, Instant until) {}

  /** When the finding of a node began, and when it was requested last. */
  private record Seen(Instant since, Instant at) {}

  /**
   * Counts a request of a rule for a node. Requests of people have no rule and do not count.
   *
   * @param since when its finding began
   */
  public void requested(String rule, NodeName node, Instant since, Instant now) {
    if (rule.isEmpty()) {
      return;
    }
    Map<NodeName, Seen> nodes = seen.computeIfAbsent(rule, any -> new HashMap<>());
    nodes.put(node, new Seen(since, now));
    forgetOld(nodes, now);
    int together = together(nodes, since);
    if (together >= budget.systemicNodes()) {
      storms.put(rule, new Storm(together, now.plus(budget.coolDown())));
    }
  }

  /** The agent reports the node as healthy: the fault was not confirmed, or has ended. */
  public void withdrawn(NodeName node) {
    seen.forEach(
        (rule, nodes) -> {
          if (nodes.remove(node) != null) {
            int left = mostTogether(nodes);
            storms.computeIfPresent(
                rule,
                (any, storm) ->
                    left < budget.systemicNodes()
                        ? null
                        : new Storm(Math.min(left, storm.nodes()), storm.until()));
          }
        });
  }

  private int mostTogether(Map<NodeName, Seen> nodes) {
    List<Instant> began = nodes.values().stream().map(Seen::since).sorted().toList();
    int most = 0;
    int from = 0;
    int to = 0;
    for (Instant since : began) {
      while (began.get(from).isBefore(since.minus(budget.systemicWithin()))) {
        from++;
      }
      while (to < began.size() && !began.get(to).isAfter(since.plus(budget.systemicWithin()))) {
        to++;
      }
      most = Math.max(most, to - from);
    }
    return most;
  }

  /** How many of the findings began within the time of a storm before or after another. */
  private int together(Map<NodeName, Seen> nodes, Instant since) {
    return (int)
        nodes.values().stream()
            .map(one -> Duration.between(one.since(), since).abs())
            .filter(apart -> apart.compareTo(budget.systemicWithin()) <= 0)
            .count();
  }

  /** An alert may come late, but not after a whole storm is over. */
  private void forgetOld(Map<NodeName, Seen> nodes, Instant now) {
    Instant oldest = now.minus(budget.systemicWithin()).minus(budget.coolDown());
    nodes.values().removeIf(one -> one.at().isBefore(oldest));
  }

  /** Empty if the rule was not on many nodes recently. */
  public Optional<Objection> against(String rule, Instant now) {
    return Optional.ofNullable(storms.get(rule))
        .filter(storm -> now.isBefore(storm.until()))
        .map(storm -> objection(rule, storm));
  }

  /** The storms that last and need a person. Drops those that are over. */
  public List<Objection> lasting(Instant now) {
    seen.values().forEach(nodes -> forgetOld(nodes, now));
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
