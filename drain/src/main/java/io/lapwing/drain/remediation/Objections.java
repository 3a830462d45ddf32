package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.guard.Brake;
import io.lapwing.drain.guard.Guard;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.guard.StormDetector;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What stands against an action: modes and stops, many faults at once, and the limits. */
final class Objections {

  private final Policy policy;
  private final Ports ports;
  private final Book book;
  private final StormDetector storms;
  private final Guard guard;
  private final Brake brake;
  private final Map<NodeName, List<Objection>> last = new TreeMap<>();

  Objections(Policy policy, Ports ports, Book book, StormDetector storms) {
    this.policy = policy;
    this.ports = ports;
    this.book = book;
    this.storms = storms;
    this.guard = new Guard(policy.budget());
    this.brake = new Brake(policy.guard());
  }

  /** What stood against an action when it was last considered, by node. */
  Map<NodeName, List<Objection>> last() {
    return Map.copyOf(last);
  }

  void forget(NodeName node) {
    last.remove(node);
  }

  /** What stands against an action on the node of a remediation now; empty if nothing does. */
  List<Objection> against(Verb verb, Remediation remediation, ClusterIndex cluster, Instant now) {
    NodeState node = cluster.node(remediation.node()).orElseThrow();
    boolean byDrain = ports.scheduler().drainReplaces();
    Set<Objection> all = new LinkedHashSet<>(stopping(verb, node, now));
    if (byDrain && (verb == Verb.DRAIN || verb == Verb.END_JOB)) {
      // A node that is drained and idle is replaced, and nothing can stop that.
      all.addAll(stopping(Verb.REPLACE, node, now));
    }
    if (byDrain && verb == Verb.DRAIN) {
      replacesAlone().ifPresent(all::add);
    }
    storms.against(remediation.rule(), now).ifPresent(all::add);
    if (verb == Verb.DRAIN && all.isEmpty()) {
      all.addAll(guard.against(node, cluster, book.held(), book.taken()));
    }
    if (verb == (byDrain ? Verb.DRAIN : Verb.REPLACE) && all.isEmpty()) {
      guard.againstReplacement(now, byDrain ? book.taken() : book.replaced()).ifPresent(all::add);
    }
    if (!all.isEmpty()) {
      last.put(remediation.node(), List.copyOf(all));
    }
    return List.copyOf(all);
  }

  /** A configuration with these modes is refused, but a reload may hold one of them back. */
  private Optional<Objection> replacesAlone() {
    return policy.mode(Verb.DRAIN) == Mode.ACT && policy.mode(Verb.REPLACE) != Mode.ACT
        ? Optional.of(
            new Objection(
                "mode.replace", "the drain replaces the node, and that may not act", "it may"))
        : Optional.empty();
  }

  private List<Objection> stopping(Verb verb, NodeState node, Instant now) {
    return brake.against(verb, node, ports.stopped().get(), ports.firing().get(), now);
  }
}
