package io.lapwing.drain.remediation;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.Move.Would;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.util.Optional;

/** From a request to a node out of service. */
final class TakeStep extends Step {

  TakeStep(Remediation now, Situation in, NodeState node) {
    super(now, in, node);
  }

  @Override
  Move move() {
    return now.phase() == Phase.DRAINING ? draining() : requested();
  }

  private Move requested() {
    if (node.heldFor(now.reason())) {
      return outOfService(); // An unclear drain was carried out late.
    }
    if (now.since().isAfter(now.opened()) && !passed(now.since(), RETRY)) {
      return stay("tried a moment ago; again after " + TimeText.exact(RETRY));
    }
    if (node.service() != Service.IN_SERVICE) {
      return stay("another user has taken the node out of service: " + node.reason());
    }
    SecondOpinion opinion = opinion();
    if (opinion instanceof Healthy healthy) {
      return go(
          Phase.NOT_NEEDED, "the agent says that the node may work: " + words(healthy.health()));
    }
    if (opinion instanceof Uncertain uncertain) {
      return stay(uncertain.why());
    }
    NodeHealth health = ((Failing) opinion).health();
    Optional<String> against = against(Verb.DRAIN);
    if (against.isPresent()) {
      return stay(against.get());
    }
    Mode mode = in.policy().mode(Verb.DRAIN);
    String why = words(health);
    if (mode == Mode.DRY_RUN) {
      Would would = new Would(Verb.DRAIN.word(), why);
      return new Stay(would.toString(), now, false, Optional.of(would));
    }
    if (mode != Mode.ACT) {
      return stay("observed: " + why);
    }
    // A person's request stays, if it is stronger.
    Remedy remedy =
        now.rule().isEmpty() ? health.action().orStronger(now.remedy()) : health.action();
    Remediation ours = now.remedy(remedy, why).earlierReason(node.reason());
    String before = node.reason().isEmpty() ? "" : "; its reason was: " + node.reason();
    return new Do(Command.DRAIN, "drain: " + why + before, ours.to(Phase.DRAINING, in.now()));
  }

  /** The command may have been carried out: only the scheduler can show it. */
  private Move draining() {
    return node.heldFor(now.reason())
        ? outOfService()
        : go(Phase.REQUESTED, "the scheduler has not drained the node");
  }

  private Move outOfService() {
    return new Go("out of service", now.to(Phase.WAITING_FOR_JOBS, in.now()).taken(in.now(), node));
  }
}
