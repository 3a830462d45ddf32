package io.lapwing.drain.remediation;

import static io.lapwing.drain.remediation.Attempt.Outcome.TEST_FAILED;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.Repairs.Progress;
import io.lapwing.drain.cluster.Scheduler.Other;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.Move.Would;
import io.lapwing.drain.remediation.SecondOpinion.Failing;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Up the ladder, from a node without jobs to a repaired one. */
final class RepairStep extends Step {

  /** For which the GPUs have to stay closed when a reset begins. */
  private static final Duration RESET_TAKES = Duration.ofMinutes(2);

  RepairStep(Remediation now, Situation in, NodeState node) {
    super(now, in, node);
  }

  @Override
  Move move() {
    return switch (now.phase()) {
      case RELEASING -> releasing();
      case EVICTING -> evicting();
      case REPAIRING -> repairing();
      default -> drained();
    };
  }

  private Move drained() {
    return notYet().orElseGet(this::begin);
  }

  /** What comes before the repair that is planned; empty if that may begin. */
  private Optional<Move> notYet() {
    SecondOpinion opinion = opinion();
    if (opinion instanceof Failing failing) {
      Optional<Move> more = moreThanPlanned(failing.health());
      if (more.isPresent()) {
        return more;
      }
    }
    boolean failedTest =
        now.lastAttempt().flatMap(Attempt::outcome).filter(TEST_FAILED::equals).isPresent();
    Remediation observed = observed();
    boolean failsAgain =
        failedTest && wellFor(observed) && in.test().get() instanceof SiteTest.Failed;
    if (wellFor(observed) && !failsAgain) {
      return Optional.of(giveBack(observed));
    }
    // Only directly after the test: later a person may have repaired it, and it is tested again
    // first.
    boolean untested = failedTest && !passed(now.since(), in.policy().healthyFor());
    Verb verb = Verb.of(now.remedy());
    if (in.policy().mode(verb) != Mode.ACT) {
      return Optional.of(
          new Stay("drained; a person has to " + verb.word() + " it", observed, true, would(verb)));
    }
    Optional<String> against = notNow(verb);
    if (against.isPresent()) {
      boolean late = passed(now.since(), in.policy().deadline(verb));
      return Optional.of(new Stay(against.get(), observed, late && isExcluded(verb)));
    }
    if (opinion instanceof Healthy && !failsAgain && !untested) {
      Optional<String> closed = gate();
      return Optional.of(
          new Stay(
              closed
                  .map(missing -> "healthy, but " + missing)
                  .orElse("healthy; returned if it stays so"),
              observed,
              closed.isPresent() && passed(now.since(), in.policy().deadline(verb))));
    }
    if (opinion instanceof Uncertain uncertain
        && (now.attempts().isEmpty() || permitsNothing(uncertain))) {
      return Optional.of(
          new Stay(uncertain.why(), observed, passed(now.since(), in.policy().deadline(verb))));
    }
    return now.tried(now.remedy())
        ? Optional.of(escalated(now.remedy().word() + " was tried before", Outcome.NOT_HELPED))
        : Optional.empty();
  }

  /**
   * Whether the agent's answer, or its silence, permits no stronger repair. Silence permits one
   * only if the scheduler does not reach the node either: otherwise the network may be at fault.
   */
  private boolean permitsNothing(Uncertain uncertain) {
    return !uncertain.silent() || node.registered();
  }

  /** A reset affects only work on its GPUs. */
  private Move begin() {
    Verb verb = Verb.of(now.remedy());
    if (verb == Verb.RESET) {
      return new Do(
          Command.RELEASE,
          "the agent closes the GPUs for a reset",
          now.to(Phase.RELEASING, in.now()));
    }
    List<Other> others = in.others().get();
    return others.isEmpty()
        ? repair(verb)
        : go(Phase.EVICTING, "has to leave before the " + verb.word() + ": " + names(others));
  }

  /**
   * An objection to the repair stops the evictions. An uncertain verdict leaves the phase as it is,
   * so that the time limit of the evictions continues; otherwise the phase goes back and keeps its
   * start, so that a healthy node is tested again.
   */
  private Move evicting() {
    Optional<Move> before = notYet();
    boolean late = passed(now.since(), in.policy().ladder().podsLeaveWithin());
    if (before.isPresent()) {
      if (!(before.get() instanceof Stay stay)) {
        return before.get();
      }
      return opinion() instanceof Uncertain
          ? new Stay(stay.why(), stay.state(), late)
          : new Go(stay.why(), now.to(Phase.DRAINED, now.since()));
    }
    List<Other> others = in.others().get();
    List<Other> stay = others.stream().filter(one -> one.ends().isEmpty()).toList();
    // One that had its time to end and cannot may need the reboot for that.
    if (others.isEmpty() || (late && others.stream().allMatch(this::hangs))) {
      return repair(Verb.of(now.remedy()));
    }
    if (late && !stay.isEmpty()) {
      return new Stay("overdue, a person has to end it: " + names(stay), now, true);
    }
    return stay.isEmpty()
        ? stay("is leaving: " + names(others))
        : new Do(Command.EVICT, "evict " + names(stay), now);
  }

  private boolean hangs(Other one) {
    return one.ends().filter(end -> passed(end, RETRY)).isPresent();
  }

  private static String names(List<Other> others) {
    return others.stream().map(Other::words).collect(Collectors.joining(", "));
  }

  /** The agent may require more than before, and hardware that fails repeatedly is replaced. */
  private Optional<Move> moreThanPlanned(NodeHealth health) {
    if (health.action().compareTo(now.remedy()) > 0) {
      return Optional.of(
          new Go(
              "the node needs more: " + words(health), now.remedy(health.action(), words(health))));
    }
    Set<String> hardware = Lemons.hardware(node, Optional.of(health));
    Optional<String> replaced = in.lemons().replacedTooOften(now, hardware, in.now());
    if (replaced.isPresent()) {
      return Optional.of(go(Phase.HANDED_OVER, replaced.get() + ", and it fails again"));
    }
    if (now.remedy() == Remedy.REPLACE_NODE) {
      return Optional.empty();
    }
    return in.lemons()
        .tooOften(now, hardware, in.now())
        .map(why -> new Go(why, now.remedy(Remedy.REPLACE_NODE, why + "; " + words(health))));
  }

  private Optional<Would> would(Verb verb) {
    return in.policy().mode(verb) == Mode.DRY_RUN
            && opinion() instanceof Failing
            && !now.tried(now.remedy())
            && notNow(verb).isEmpty()
        ? Optional.of(new Would(verb.word(), now.why()))
        : Optional.empty();
  }

  private Optional<String> notNow(Verb verb) {
    return in.cluster().jobsOn(now.node()).isEmpty()
        ? against(verb)
        : Optional.of("a job runs on it again");
  }

  /**
   * A reload took the node out of the controller's part of the cluster: only a person can end that.
   */
  private boolean isExcluded(Verb verb) {
    return in.against().apply(verb).stream().anyMatch(one -> one.limit().equals("guard.only"));
  }

  /** The agent's verdict is unknown meanwhile, so only a maintenance counts. */
  private Move releasing() {
    Duration within = in.policy().ladder().releaseWithin();
    boolean late = passed(now.since(), within);
    boolean over = passed(now.since(), in.policy().ladder().releaseFor().minus(RESET_TAKES));
    if (over && in.release().get() == GpuRelease.State.RELEASED) {
      return go(Phase.DRAINED, "the GPUs were closed too long ago for a reset");
    }
    // A slow program may have had them closed late.
    if (over || (late && in.release().get() == GpuRelease.State.OPEN)) {
      return escalated(
          "the agent has not released the GPUs in " + TimeText.exact(within), Outcome.NOT_HELPED);
    }
    Optional<String> against = maintenance().or(() -> notNow(Verb.RESET));
    if (against.isPresent()) {
      return go(Phase.DRAINED, against.get());
    }
    if (in.policy().mode(Verb.RESET) != Mode.ACT) {
      return go(Phase.DRAINED, "resets are no longer permitted");
    }
    return switch (in.release().get()) {
      case RELEASED -> repair(Verb.RESET);
      case OPEN -> new Do(Command.RELEASE, "the agent has not begun to close the GPUs", now);
      case CLOSING -> stay("the agent is closing the GPUs");
      case UNKNOWN -> stay("the agent does not say whether the GPUs are released");
    };
  }

  private Optional<String> maintenance() {
    return in.health().get() instanceof Answered answered
            && answered.health().verdict() == Verdict.MAINTENANCE
        ? Optional.of(answered.health().what())
        : Optional.empty();
  }

  private Move repair(Verb verb) {
    Optional<NodeHealth> health =
        opinion() instanceof Failing failing ? Optional.of(failing.health()) : Optional.empty();
    Attempt attempt =
        new Attempt(
            now.remedy(),
            in.now(),
            health.map(NodeHealth::bootId).filter(id -> !id.isEmpty()).orElse(node.more().bootId()),
            instanceId(),
            Lemons.hardware(node, health),
            Optional.empty());
    return new Do(
        Command.REPAIR,
        verb.word() + ": " + now.why(),
        now.to(Phase.REPAIRING, in.now()).attempt(attempt));
  }

  /**
   * By the agent, now or before the last repair. A scheduler may not have it, may still have the
   * old one, or may have it from a person.
   */
  private String instanceId() {
    SecondOpinion opinion = opinion();
    Optional<NodeHealth> said =
        opinion instanceof Failing failing
            ? Optional.of(failing.health())
            : opinion instanceof Healthy healthy ? Optional.of(healthy.health()) : Optional.empty();
    return said.map(NodeHealth::instanceId)
        .filter(id -> !id.isEmpty())
        .or(() -> now.lastAttempt().map(Attempt::instanceId).filter(id -> !id.isEmpty()))
        .orElse(node.instanceId());
  }

  private Move repairing() {
    Progress progress = in.progress().get();
    boolean over = progress == Progress.DONE || progress == Progress.FAILED;
    boolean reset = now.remedy() == Remedy.RESET_GPU;
    if (reset && over && in.release().get() == GpuRelease.State.RELEASED) {
      return new Do(Command.END_RELEASE, "the agent opens the GPUs again", now);
    }
    if (progress == Progress.FAILED) {
      return escalated(now.remedy().word() + " failed", Outcome.FAILED);
    }
    boolean done = progress != Progress.RUNNING && repaired();
    Remediation observed = done ? observed() : now.notHealthy();
    if (wellFor(observed)) {
      return giveBack(observed);
    }
    var deadline = in.policy().deadline(Verb.of(now.remedy()));
    if (!passed(now.since(), deadline)) {
      return new Stay(missing(progress), observed);
    }
    if (opinion() instanceof Uncertain uncertain && permitsNothing(uncertain)) {
      return new Stay(uncertain.why(), observed, true);
    }
    if (progress == Progress.UNKNOWN && !in.begun() && !shown()) {
      return go(
          Phase.HANDED_OVER,
          "nothing shows that the " + Verb.of(now.remedy()).word() + " ever began");
    }
    return escalated(
        now.remedy().word() + " has not helped in " + TimeText.exact(deadline), Outcome.NOT_HELPED);
  }

  /** Whether the node shows that the repair was carried out; a reset leaves no mark. */
  private boolean shown() {
    SecondOpinion opinion = opinion();
    boolean confirmed =
        (opinion instanceof Healthy healthy && happened(healthy.health()))
            || (opinion instanceof Failing failing && happened(failing.health()));
    return (confirmed && now.remedy() != Remedy.RESET_GPU)
        || now.lastAttempt().filter(last -> last.booted(node)).isPresent();
  }

  /** The missing conditions for the return of the node. */
  private String missing(Progress progress) {
    SecondOpinion opinion = opinion();
    if (progress == Progress.RUNNING) {
      return "being repaired";
    }
    if (opinion instanceof Uncertain uncertain) {
      return "being repaired; " + uncertain.why();
    }
    if (opinion instanceof Failing failing) {
      return "being repaired, or not helped by it: " + words(failing.health());
    }
    NodeHealth health = ((Healthy) opinion).health();
    return now.lastAttempt()
        .flatMap(last -> last.missing(node, health))
        .or(() -> Gate.closed(node, health, in.policy()))
        .map(missing -> "healthy, but " + missing)
        .orElse("healthy after the repair; returned if it stays so");
  }

  /** Whether the repair has happened: a pending reboot would end the next job. */
  private boolean repaired() {
    return opinion() instanceof Healthy healthy && happened(healthy.health());
  }
}
