package io.lapwing.drain.guard;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.policy.GuardPolicy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.policy.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Stops actions for a time, but never the return of a node. It keeps no requests: when it opens,
 * the state at that time is evaluated.
 */
public final class Brake {

  private final GuardPolicy policy;

  public Brake(GuardPolicy policy) {
    this.policy = policy;
  }

  /**
   * The objections to an action on a node; empty if there are none.
   *
   * @param stopped the kill switch, with its reason
   * @param firing names of the alerts that fire
   */
  public List<Objection> against(
      Verb verb, NodeState node, Optional<String> stopped, Set<String> firing, Instant now) {
    List<Objection> against = new ArrayList<>();
    stopped
        .map(why -> new Objection("stop", "stopped: " + why, "a person ends the stop"))
        .ifPresent(against::add);
    optOut(node).ifPresent(against::add);
    only(node).ifPresent(against::add);
    heldBy(node).ifPresent(against::add);
    alerts(firing).ifPresent(against::add);
    windows(verb, now).ifPresent(against::add);
    return against;
  }

  private Optional<Objection> optOut(NodeState node) {
    return node.more().features().contains(policy.optOut())
        ? Optional.of(
            new Objection(
                "guard.opt-out", "the node has " + policy.optOut(), "a person removes it"))
        : Optional.empty();
  }

  private Optional<Objection> only(NodeState node) {
    Set<String> only = policy.only();
    boolean concerned =
        only.isEmpty()
            || !Collections.disjoint(only, node.groups())
            || !Collections.disjoint(only, node.more().features());
    return concerned
        ? Optional.empty()
        : Optional.of(
            new Objection(
                "guard.only",
                "the node is in none of " + String.join(", ", new TreeSet<>(only)),
                "a person adds it"));
  }

  private static Optional<Objection> heldBy(NodeState node) {
    String other = node.more().heldBy();
    return other.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Objection("held by", other + " is at work on the node", other + " has ended"));
  }

  private Optional<Objection> alerts(Set<String> firing) {
    Set<String> blocking = new TreeSet<>(firing);
    blocking.retainAll(policy.blockingAlerts());
    return blocking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Objection(
                "guard.blocking-alerts",
                String.join(", ", blocking) + " fires",
                "it no longer does"));
  }

  private Optional<Objection> windows(Verb verb, Instant now) {
    List<Window> about = policy.windows().stream().filter(window -> window.concerns(verb)).toList();
    Optional<Window> refusing =
        about.stream().filter(Window::refuses).filter(window -> window.contains(now)).findFirst();
    if (refusing.isPresent()) {
      return Optional.of(
          window("no " + verb.word() + " in " + refusing.get(), "the end of that time"));
    }
    List<Window> permitting = about.stream().filter(window -> !window.refuses()).toList();
    return permitting.isEmpty() || permitting.stream().anyMatch(window -> window.contains(now))
        ? Optional.empty()
        : Optional.of(
            window(verb.word() + " is permitted in " + permitting + " only", "such a time begins"));
  }

  private static Objection window(String why, String until) {
    return new Objection("guard.windows", why, until);
  }
}
