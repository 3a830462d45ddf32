package io.lapwing.drain.remediation;

import io.lapwing.common.text.TimeText;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import io.lapwing.drain.remediation.Move.Go;
import io.lapwing.drain.remediation.Move.Stay;
import io.lapwing.drain.remediation.SecondOpinion.Healthy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Common parts of the phases. Only decides. */
abstract class Step {

  /** After a command that was not carried out. */
  static final Duration RETRY = Duration.ofMinutes(1);

  /** Rounds of a large cluster take time, and are followed by a pause. */
  private static final Duration ROUND = Duration.ofMinutes(2);

  /** After a site's test that failed, on a node that waits for a person. */
  private static final Duration TEST_AGAIN = Duration.ofHours(1);

  final Remediation now;
  final Situation in;
  final NodeState node;

  Step(Remediation now, Situation in, NodeState node) {
    this.now = now;
    this.in = in;
    this.node = node;
  }

  abstract Move move();

  final SecondOpinion opinion() {
    return SecondOpinion.of(in.health().get(), in.now(), in.policy());
  }

  /** The objections to an action, in words; empty if there are none. */
  final Optional<String> against(Verb verb) {
    return words(in.against().apply(verb));
  }

  static Optional<String> words(List<Objection> against) {
    return against.isEmpty()
        ? Optional.empty()
        : Optional.of(against.stream().map(Objection::toString).collect(Collectors.joining("; ")));
  }

  /**
   * With the time since when the node passes the gate. It begins again after a time without
   * observation: the scheduler did not answer, or another program was at work on the node.
   */
  final Remediation observed() {
    return opinion() instanceof Healthy healthy
            && Gate.closed(node, healthy.health(), in.policy()).isEmpty()
        ? now.healthySince(
            now.seen()
                .healthyAt()
                .filter(
                    last -> !last.isBefore(in.now().minus(in.policy().freshness()).minus(ROUND)))
                // The clock was set back.
                .filter(last -> !last.isAfter(in.now()))
                .flatMap(last -> now.seen().healthySince())
                .orElse(in.now()),
            in.now())
        : now.notHealthy();
  }

  /** Why a healthy node does not pass the gate; empty if it does, or is not healthy. */
  final Optional<String> gate() {
    return opinion() instanceof Healthy healthy
        ? Gate.closed(node, healthy.health(), in.policy())
        : Optional.empty();
  }

  final boolean wellFor(Remediation observed) {
    return observed
        .seen()
        .healthySince()
        .filter(start -> passed(start, in.policy().healthyFor()))
        .isPresent();
  }

  /**
   * The way back. Only the site's test can still be against it, and that of a repaired node: once
   * for each time for which it is healthy.
   */
  final Move giveBack(Remediation observed) {
    if (!now.attempts().isEmpty()) {
      if (in.testNeedsIdleNode() && !in.cluster().jobsOn(now.node()).isEmpty()) {
        boolean late = passed(now.since(), in.policy().jobsLeaveWithin());
        return new Stay("healthy; the site's test begins when its jobs have left", observed, late);
      }
      SiteTest.Result test = in.test().get();
      if (test instanceof SiteTest.Running) {
        return new Stay("the site's test is running", observed);
      }
      if (test instanceof SiteTest.NotRun not) {
        return new Stay("the site's test did not run: " + not.why(), observed, true);
      }
      if (test instanceof SiteTest.Failed failed) {
        String why = "the site's test failed: " + failed.why();
        return now.phase() == Phase.REPAIRING
            ? escalated(why, Outcome.TEST_FAILED)
            : new Stay(why, testedAgain(observed), true);
      }
    }
    return new Do(
        Command.RESUME,
        "healthy for " + TimeText.exact(in.policy().healthyFor()),
        observed.attemptEnded(Outcome.HELPED).to(Phase.RETURNING, in.now()));
  }

  /** A person may have repaired it without a moment in which it was not healthy. */
  private Remediation testedAgain(Remediation observed) {
    boolean due =
        observed.seen().healthySince().filter(start -> passed(start, TEST_AGAIN)).isPresent();
    return due ? observed.healthySince(in.now(), in.now()) : observed;
  }

  final Move escalated(String because, Outcome last) {
    return new Go(because, escalated(now, because, last, in.now()));
  }

  /** The next remedy that was not tried; a person if there is none. */
  static Remediation escalated(Remediation now, String because, Outcome last, Instant at) {
    Optional<Remedy> next = now.remedy().next();
    while (next.isPresent() && now.tried(next.get())) {
      next = next.get().next();
    }
    Remediation ended = now.attemptEnded(last);
    return next.isEmpty()
        ? ended.to(Phase.HANDED_OVER, at)
        : ended.remedy(next.get(), because).to(Phase.DRAINED, at);
  }

  /** Whether node and agent show that the last repair was carried out. */
  final boolean happened(NodeHealth health) {
    return now.lastAttempt().filter(last -> last.happened(node, health)).isPresent();
  }

  final boolean passed(Instant start, Duration time) {
    return !in.now().isBefore(start.plus(time));
  }

  final Move go(Phase phase, String why) {
    return new Go(why, now.to(phase, in.now()));
  }

  final Move stay(String why) {
    return new Stay(why, now);
  }

  static String words(NodeHealth health) {
    return health.what().isEmpty() ? health.action().word() : health.what();
  }
}
