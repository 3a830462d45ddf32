package io.lapwing.drain.remediation;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.time.Duration;

/** The way back into service, and out of our hands. */
final class ReturnStep extends Step {

  private static final Duration RETURN_WITHIN = Duration.ofMinutes(30);

  private static final String REGISTERED_AGAIN = "its scheduler has registered the node again";

  ReturnStep(Remediation now, Situation in, NodeState node) {
    super(now, in, node);
  }

  @Override
  Move move() {
    return now.phase() == Phase.RETURNING ? returning() : handedOver();
  }

  /** The node should be ours, but it is not by its scheduler. */
  Move lost() {
    if (now.phase() == Phase.RETURNING && node.service() == Service.IN_SERVICE) {
      return go(Phase.RETURNED, "back in service");
    }
    if (now.phase() == Phase.REPAIRING
        && now.remedy() != Remedy.RESET_GPU
        && node.service() == Service.IN_SERVICE) {
      return returnedByPlatform();
    }
    if (now.isOfEarlier(node)) {
      return registeredAgain();
    }
    return node.service() == Service.IN_SERVICE
        ? go(Phase.TAKEN_OVER, "another user returned the node to service")
        : go(Phase.TAKEN_OVER, "the node is out of service for another reason: " + node.reason());
  }

  /**
   * HyperPod, ParallelCluster and a power-up return a node by themselves, before it has passed the
   * gate. If it is not well, it is taken again.
   */
  private Move returnedByPlatform() {
    SecondOpinion opinion = opinion();
    if (opinion instanceof Healthy healthy && happened(healthy.health())) {
      return new Go(
          "repaired, and returned by its platform",
          now.attemptEnded(Outcome.HELPED).to(Phase.RETURNED, in.now()));
    }
    if (opinion instanceof Failing failing && happened(failing.health())) {
      return new Go(
          "returned by its platform, and not well: " + words(failing.health()),
          now.attemptEnded(Outcome.NOT_HELPED).again(in.now()));
    }
    if (!passed(now.since(), in.policy().deadline(Verb.of(now.remedy())))) {
      return stay("in service again; its agent does not show yet that it was repaired");
    }
    if (!now.isOfEarlier(node) && opinion instanceof Uncertain uncertain) {
      // Its platform may have repaired it, or a user may have returned it: needs a person.
      return new Stay("in service again; " + uncertain.why(), now, true);
    }
    return now.isOfEarlier(node)
        ? new Go(
            REGISTERED_AGAIN + ", and its agent does not show that it was repaired",
            now.again(in.now()))
        : go(Phase.TAKEN_OVER, "another party returned the node to service");
  }

  /**
   * Its platform has replaced it, or a user has deleted it from its scheduler and its kubelet has
   * registered again. Our marks were lost with the registration, not removed by a user: a faulty
   * machine is taken again, under all limits.
   */
  private Move registeredAgain() {
    boolean late = passed(now.since(), in.policy().deadline(Verb.REPLACE));
    if (node.service() != Service.IN_SERVICE) {
      // A new machine may have taints until it has started.
      return new Stay(
          REGISTERED_AGAIN + ", and is not in service yet: " + node.reason(), now, late);
    }
    SecondOpinion opinion = opinion();
    if (opinion instanceof Healthy) {
      return new Go(
          REGISTERED_AGAIN + ", and is healthy",
          now.attemptEnded(Outcome.HELPED).to(Phase.RETURNED, in.now()));
    }
    if (opinion instanceof Failing failing) {
      return new Go(
          REGISTERED_AGAIN + ", and is not well: " + words(failing.health()),
          now.attemptEnded(Outcome.NOT_HELPED).again(in.now()));
    }
    return late
        ? new Go(REGISTERED_AGAIN + ", and its agent does not say how it is", now.again(in.now()))
        : stay(REGISTERED_AGAIN + "; " + ((Uncertain) opinion).why());
  }

  /**
   * The machine does not exist any more, so it has no health: the next one is started for a job.
   * This is the result of a power-down as repair; and Slurm's power saving powers down a drained
   * node like any idle one.
   */
  Move poweredDown() {
    if (now.phase() == Phase.HANDED_OVER && !passed(now.since(), RETURN_WITHIN)) {
      return new Stay(
          "powered down; returned " + TimeText.exact(RETURN_WITHIN) + " after a person was asked",
          now,
          true);
    }
    if (now.phase() == Phase.RETURNING) {
      if (!passed(now.since(), RETRY)) {
        return stay("the scheduler has not returned it yet");
      }
      return passed(now.since(), RETURN_WITHIN)
          ? go(Phase.HANDED_OVER, "powered down, and could not be returned")
          : new Do(Command.RESUME, "return again", now);
    }
    boolean replaced = now.phase() == Phase.REPAIRING && now.remedy() == Remedy.REPLACE_NODE;
    return new Do(
        Command.RESUME,
        "powered down: its machine is gone, and another one is started for a job",
        now.attemptEnded(replaced ? Outcome.HELPED : Outcome.NOT_HELPED)
            .to(Phase.RETURNING, in.now()));
  }

  private Move returning() {
    if (!passed(now.since(), RETRY)) {
      return stay("the scheduler has not returned it yet");
    }
    if (passed(now.since(), RETURN_WITHIN)) {
      return go(
          Phase.HANDED_OVER,
          "the scheduler has not returned the node in " + TimeText.exact(RETURN_WITHIN));
    }
    if (opinion() instanceof Healthy) {
      return new Do(Command.RESUME, "return again", now);
    }
    if (opinion() instanceof Uncertain uncertain) {
      return stay("not returned yet; " + uncertain.why());
    }
    return now.tried(now.remedy())
        ? escalated("no longer healthy after " + now.remedy().word(), Outcome.NOT_HELPED)
        : go(Phase.DRAINED, "no longer healthy");
  }

  private Move handedOver() {
    Remediation observed = observed();
    return wellFor(observed)
        ? giveBack(observed)
        : new Stay(
            gate().map(missing -> "healthy, but " + missing).orElse("a person has to repair it"),
            observed,
            true);
  }
}
