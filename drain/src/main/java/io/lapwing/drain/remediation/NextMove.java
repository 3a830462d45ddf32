package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The policy: what comes next for one node. Decides, and does nothing. */
final class NextMove {

  /** A machine that registers again under its name is listed sooner. */
  private static final Duration GONE = Duration.ofMinutes(15);

  private NextMove() {}

  static Move of(Remediation remediation, Situation in) {
    Optional<NodeState> node = in.cluster().node(remediation.node());
    if (node.isEmpty()) {
      return missing(remediation, in);
    }
    Remediation now = remediation.listed();
    boolean taken = now.phase() == Phase.DRAINING || now.phase().holdsNode();
    if (taken && node.get().more().leftOver().equals(now.reason())) {
      // The marks show that the drain was carried out: it is over, and not to be repeated.
      Remediation held =
          now.phase() == Phase.DRAINING
              ? now.to(Phase.WAITING_FOR_JOBS, in.now()).taken(in.now(), node.get())
              : now;
      return new Do(Command.LET_GO, "another user has taken our marks off the node", held);
    }
    ReturnStep back = new ReturnStep(now, in, node.get());
    if (now.phase().holdsNode() && !node.get().heldFor(now.reason())) {
      return back.lost();
    }
    String other = node.get().more().heldBy();
    if (now.phase().holdsNode() && !other.isEmpty()) {
      boolean late =
          !in.now().isBefore(now.since().plus(in.policy().deadline(Verb.of(now.remedy()))));
      return new Stay(other + " is at work on the node", now, late);
    }
    if (now.phase().holdsNode() && node.get().more().absent()) {
      return back.poweredDown();
    }
    return switch (now.phase()) {
      case REQUESTED, DRAINING -> new TakeStep(now, in, node.get()).move();
      case WAITING_FOR_JOBS -> new JobStep(now, in, node.get()).move();
      case DRAINED, RELEASING, EVICTING, REPAIRING -> new RepairStep(now, in, node.get()).move();
      case RETURNING, HANDED_OVER -> back.move();
      case RETURNED, NOT_NEEDED, TAKEN_OVER -> new Stay("it is over", now);
    };
  }

  private static boolean replaced(Remediation now) {
    return now.phase() == Phase.REPAIRING && now.remedy() == Remedy.REPLACE_NODE;
  }

  /** The instance was terminated, and its successor has another name in Kubernetes. */
  private static boolean ofCloud(Remediation now) {
    return now.lastAttempt().filter(last -> last.instanceId().startsWith("i-")).isPresent();
  }

  /** A replaced node may come back under its name, or never. */
  private static Move missing(Remediation now, Situation in) {
    if (in.cluster().view().absent().contains(now.node())) {
      return new Go(
          "it is powered down, and another machine is started for a job",
          now.attemptEnded(replaced(now) ? Outcome.HELPED : Outcome.NOT_HELPED)
              .to(now.phase().holdsNode() ? Phase.RETURNED : Phase.NOT_NEEDED, in.now()));
    }
    Instant since = now.seen().missingSince().orElse(in.now());
    if (replaced(now) && in.begun() && ofCloud(now) && !in.now().isBefore(since.plus(GONE))) {
      return new Go(
          "replaced: the scheduler no longer lists the node, the next one has another name",
          now.attemptEnded(Outcome.HELPED).to(Phase.RETURNED, in.now()));
    }
    Duration limit = in.policy().deadline(Verb.REPLACE);
    return in.now().isBefore(since.plus(limit))
        ? new Stay("the scheduler does not list the node", now.missingSince(since))
        : new Go(
            "the scheduler has not listed the node for " + limit,
            now.to(now.phase().holdsNode() ? Phase.TAKEN_OVER : Phase.NOT_NEEDED, in.now()));
  }
}
