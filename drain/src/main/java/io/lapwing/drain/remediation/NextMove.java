package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The policy: what comes next for one node. Decides, and does nothing. */
final class NextMove {

  /** After a drain that was refused, or not carried out. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  private final Remediation now;
  private final Situation in;
  private final NodeState node;

  private NextMove(Remediation remediation, Situation situation, NodeState node) {
    this.now = remediation;
    this.in = situation;
    this.node = node;
  }

  static Move of(Remediation remediation, Situation situation) {
    Optional<NodeState> node = situation.cluster().node(remediation.node());
    if (node.isEmpty()) {
      return new Stay("the scheduler does not list the node", remediation);
    }
    return new NextMove(remediation, situation, node.get()).move();
  }

  private Move move() {
    if (now.phase().holdsNode() && !node.heldFor(now.reason())) {
      return lost();
    }
    return switch (now.phase()) {
      case REQUESTED -> requested();
      case DRAINING -> draining();
      case WAITING_FOR_JOBS -> waiting();
      case DRAINED -> drained();
      case REPAIRING -> repairing();
      case RETURNING -> returning();
      case HANDED_OVER -> handedOver();
      case RETURNED, NOT_NEEDED, TAKEN_OVER -> stay("it is over");
    };
  }

  /** The node should be ours, and its scheduler says otherwise. */
  private Move lost() {
    if (now.phase() == Phase.RETURNING && node.service() == Service.IN_SERVICE) {
      return go(Phase.RETURNED, "back in service");
    }
    return node.service() == Service.IN_SERVICE
        ? go(Phase.TAKEN_OVER, "somebody returned the node to service")
        : go(Phase.TAKEN_OVER, "the node is out of service for another reason: " + node.reason());
  }

  private Move requested() {
    if (now.since().isAfter(now.opened()) && !passed(now.since(), RETRY)) {
      return stay("tried a moment ago; again after " + RETRY);
    }
    if (node.service() != Service.IN_SERVICE) {
      return stay("somebody else has taken the node out of service: " + node.reason());
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
    if (in.stopped().isPresent()) {
      return stay("stopped: " + in.stopped().get());
    }
    List<Objection> against = in.against().get();
    if (!against.isEmpty()) {
      return stay(against.stream().map(Objection::toString).collect(Collectors.joining("; ")));
    }
    Mode mode = in.policy().mode(Verb.DRAIN);
    String why = words(health);
    if (mode != Mode.ACT) {
      return stay((mode == Mode.DRY_RUN ? "would drain: " : "observed: ") + why);
    }
    Remediation ours = now.remedy(health.action(), why);
    return new Do(Command.DRAIN, "drain: " + why, ours.to(Phase.DRAINING, in.now()));
  }

  /** The command may have been carried out: only the scheduler can say. */
  private Move draining() {
    if (node.heldFor(now.reason())) {
      return new Go("out of service", now.to(Phase.WAITING_FOR_JOBS, in.now()).taken(in.now()));
    }
    return go(Phase.REQUESTED, "the scheduler has not drained the node");
  }

  private Move waiting() {
    Remediation observed = observed();
    if (wellFor(observed)) {
      return giveBack(observed);
    }
    int jobs = in.cluster().jobsOn(now.node()).size();
    if (jobs == 0) {
      return go(Phase.DRAINED, "no job is left");
    }
    boolean late = passed(now.since(), in.policy().jobsLeaveWithin());
    return new Stay((late ? "overdue: " : "") + jobs + " jobs are running", observed);
  }

  private Move drained() {
    if (opinion() instanceof Failing failing && stronger(failing.health())) {
      return new Go(
          "the node needs more: " + words(failing.health()),
          now.remedy(failing.health().action(), words(failing.health())));
    }
    Remediation observed = observed();
    if (wellFor(observed)) {
      return giveBack(observed);
    }
    if (in.stopped().isPresent()) {
      return new Stay("stopped: " + in.stopped().get(), observed);
    }
    Verb verb = Verb.of(now.remedy());
    if (in.policy().mode(verb) != Mode.ACT) {
      return new Stay("drained; a person has to " + verb.word() + " it", observed);
    }
    if (!in.cluster().jobsOn(now.node()).isEmpty()) {
      return new Stay("a job runs on it again", observed);
    }
    SecondOpinion opinion = opinion();
    if (opinion instanceof Healthy) {
      return new Stay("healthy; returned if it stays so", observed);
    }
    if (opinion instanceof Uncertain uncertain && now.attempts().isEmpty()) {
      return new Stay(uncertain.why(), observed);
    }
    return repair(verb, opinion instanceof Failing failing ? failing.health().bootId() : "");
  }

  private Move repair(Verb verb, String bootId) {
    Attempt attempt = new Attempt(now.remedy(), in.now(), bootId, node.instanceId());
    return new Do(
        Command.REPAIR,
        verb.word() + ": " + now.why(),
        now.to(Phase.REPAIRING, in.now()).attempt(attempt));
  }

  private boolean stronger(NodeHealth health) {
    return health.action().compareTo(now.remedy()) > 0;
  }

  private Move repairing() {
    Remediation observed = repaired() ? observed() : now;
    if (wellFor(observed)) {
      return giveBack(observed);
    }
    if (!passed(now.since(), in.policy().repairWithin())) {
      return new Stay("being repaired, or watched after it", observed);
    }
    return escalated(now.remedy().word() + " has not helped in " + in.policy().repairWithin());
  }

  /** Whether the repair has happened: a reboot that still stands out would end the next job. */
  private boolean repaired() {
    return opinion() instanceof Healthy healthy
        && now.lastAttempt().filter(last -> last.happened(node, healthy.health())).isPresent();
  }

  /** The next remedy that was not tried; a person if there is none. */
  private Move escalated(String because) {
    Optional<Remedy> next = now.remedy().next();
    while (next.isPresent() && now.tried(next.get())) {
      next = next.get().next();
    }
    if (next.isEmpty()) {
      return go(Phase.HANDED_OVER, because);
    }
    return new Go(because, now.remedy(next.get(), because).to(Phase.DRAINED, in.now()));
  }

  private Move returning() {
    if (opinion() instanceof Healthy) {
      return new Do(Command.RESUME, "return again", now);
    }
    return now.tried(now.remedy())
        ? escalated("no longer healthy after " + now.remedy().word())
        : go(Phase.DRAINED, "no longer healthy");
  }

  private Move handedOver() {
    Remediation observed = observed();
    return wellFor(observed) ? giveBack(observed) : new Stay("a person has to repair it", observed);
  }

  private Move giveBack(Remediation observed) {
    return new Do(
        Command.RESUME,
        "healthy for " + in.policy().healthyFor(),
        observed.to(Phase.RETURNING, in.now()));
  }

  /** With the time since when the agent says healthy. */
  private Remediation observed() {
    return opinion() instanceof Healthy
        ? now.healthySince(Optional.of(now.healthySince().orElse(in.now())))
        : now.healthySince(Optional.empty());
  }

  private boolean wellFor(Remediation observed) {
    return observed
        .healthySince()
        .filter(start -> passed(start, in.policy().healthyFor()))
        .isPresent();
  }

  private SecondOpinion opinion() {
    return SecondOpinion.of(in.health().get(), in.now(), in.policy());
  }

  private boolean passed(Instant start, Duration time) {
    return !in.now().isBefore(start.plus(time));
  }

  private Move go(Phase phase, String why) {
    return new Go(why, now.to(phase, in.now()));
  }

  private Move stay(String why) {
    return new Stay(why, now);
  }

  private static String words(NodeHealth health) {
    return health.what().isEmpty() ? health.action().word() : health.what();
  }
}
