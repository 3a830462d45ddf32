package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.CommandResult.Accepted;
import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.NotYet;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.CommandResult.Running;
import io.lapwing.drain.cluster.CommandResult.Unclear;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.Controller.Waiting;
import io.lapwing.drain.remediation.Move.Command;
import io.lapwing.drain.remediation.Move.Do;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which commands run, what came of the others, and which nodes have to wait for another try. */
final class CommandResults {

  /** After a command for which the other side was busy. */
  private static final Duration RETRY = Duration.ofMinutes(1);

  /** Meanwhile it needs a person. */
  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(10);

  private final Book book;
  private final JobTurns jobs;
  private final Map<NodeName, Waiting> waiting;

  /**
   * Nodes whose scheduler or platform was busy. Not kept over a restart, after which it is queried
   * again.
   */
  private final Map<NodeName, Instant> notBefore = new HashMap<>();

  /** By id: those whose node another user took over, and whose marks could not be removed yet. */
  private final Set<String> lettingGo = new HashSet<>();

  /** Those of which the scheduler refuses it: tried again after the pause only. */
  private final Set<NodeName> cannotLetGo = new HashSet<>();

  /** Commands of repairs and releases that have not ended. */
  private final Map<NodeName, Begun> running = new HashMap<>();

  /** Repairs whose command was accepted. After a restart only the node can show that. */
  private final Set<String> begun = new HashSet<>();

  private record Begun(Do what, Running command) {}

  /** {@code waiting}: what the open remediations wait for; this one adds to it. */
  CommandResults(Book book, JobTurns jobs, Map<NodeName, Waiting> waiting) {
    this.book = book;
    this.jobs = jobs;
    this.waiting = waiting;
  }

  /** Continues for that of another controller of the same journal. */
  void after(CommandResults before) {
    begun.addAll(before.begun);
    running.putAll(before.running);
    notBefore.putAll(before.notBefore);
    lettingGo.addAll(before.lettingGo);
    cannotLetGo.addAll(before.cannotLetGo);
  }

  /** The command of a node that has not ended, if any. */
  Optional<Do> running(NodeName node) {
    return Optional.ofNullable(running.get(node)).map(Begun::what);
  }

  /** Whether the node has to wait for another try. */
  boolean isPaused(NodeName node, Instant now) {
    return now.isBefore(notBefore.getOrDefault(node, now));
  }

  /** Ends the pause of a node that is tried again. */
  void endPause(NodeName node) {
    notBefore.remove(node);
    cannotLetGo.remove(node);
  }

  /** Whether another user took the node over, and our marks could not be removed yet. */
  boolean isLettingGo(Remediation remediation) {
    return lettingGo.contains(remediation.id());
  }

  /** Whether the scheduler refused to remove them. */
  boolean cannotLetGo(NodeName node) {
    return cannotLetGo.contains(node);
  }

  /** Whether the command of its last repair was accepted, since the controller started. */
  boolean hasBegun(Remediation remediation) {
    return begun.contains(remediation.repairId());
  }

  /**
   * Adds the results of commands that ended since the last round. That on a node which another user
   * took over meanwhile changes nothing.
   */
  void settle(Instant now) throws IOException {
    for (Begun one : List.copyOf(running.values())) {
      Optional<CommandResult> result = one.command().result();
      if (result.isPresent()) {
        Remediation state = one.what().state();
        if (state.isSameStep(book.open().get(state.node()))) {
          add(one.what(), result.get(), now);
        } else {
          countReplacement(one.what(), result.get());
        }
        running.remove(state.node());
      }
    }
  }

  /** Adds the result of a command. An unclear one is left to the next view of the cluster. */
  void add(Do what, CommandResult result, Instant now) throws IOException {
    countReplacement(what, result);
    Remediation state = what.state();
    boolean done = !(result instanceof NotYet || result instanceof Refused);
    if (what.command() == Command.DRAIN && done) {
      book.taken(new Taken(state.node(), now));
    }
    if (what.command() == Command.REPAIR && result instanceof Accepted) {
      begun.add(state.repairId());
    }
    if (result instanceof Running command) {
      running.put(state.node(), new Begun(what, command));
    }
    if (what.command() == Command.LET_GO) {
      letGo(state, result instanceof Accepted, now);
    }
    if (result instanceof Unclear unclear) {
      waiting.put(state.node(), new Waiting("unclear: " + unclear.why(), false));
      if (what.command() == Command.LET_GO) {
        notBefore.put(state.node(), now.plus(RETRY));
      }
    }
    if (result instanceof NotYet later) {
      later(what, later.why(), now);
    }
    if (result instanceof NotPossible not) {
      book.write(
          now,
          "not possible: " + not.why(),
          Step.escalated(state, not.why(), Outcome.REFUSED, now));
    }
    if (result instanceof Refused refused) {
      book.write(now, "refused: " + refused.why(), refused(what, now));
      if (what.command() == Command.END_JOB) {
        // The other jobs of the node may be ended.
        jobs.refused(what.job().orElseThrow(), refused.why(), now.plus(AFTER_REFUSAL));
      } else if (what.command() != Command.RESUME) {
        if (what.command() == Command.LET_GO) {
          cannotLetGo.add(state.node());
        }
        waiting.put(state.node(), new Waiting("refused: " + refused.why(), true));
        notBefore.put(state.node(), now.plus(AFTER_REFUSAL));
      }
    }
  }

  /** One whose command runs counts until it is known that it was not begun. */
  private void countReplacement(Do what, CommandResult result) {
    Remediation state = what.state();
    if (what.command() == Command.REPAIR && state.remedy() == Remedy.REPLACE_NODE) {
      Taken one = new Taken(state.node(), state.since());
      if (mayHaveBegun(result)) {
        book.replaced(one);
      } else {
        book.notReplaced(one);
      }
    }
  }

  private static boolean mayHaveBegun(CommandResult result) {
    return !(result instanceof NotYet
        || result instanceof Refused
        || result instanceof NotPossible);
  }

  /**
   * Whatever the result of a repair is, the controller must not return the node or repair it again.
   */
  private void letGo(Remediation state, boolean done, Instant now) throws IOException {
    if (!done) {
      lettingGo.add(state.id());
    } else if (lettingGo.remove(state.id())
        || running.containsKey(state.node())
        || state.phase() == Phase.REPAIRING) {
      book.write(now, "another user took it over", state.to(Phase.TAKEN_OVER, now));
    }
  }

  /** Nothing was done: a repair was not begun, and a node not taken. */
  private void later(Do what, String why, Instant now) throws IOException {
    Remediation state = what.state();
    switch (what.command()) {
      case DRAIN -> book.write(now, "not yet: " + why, state.to(Phase.REQUESTED, now));
      case REPAIR ->
          book.write(now, "not yet: " + why, state.notAttempted().to(Phase.DRAINED, now));
      // The time in which the agent has to close them has not begun.
      case RELEASE -> book.write(now, "not yet: " + why, state.to(Phase.DRAINED, now));
      case END_JOB -> book.write(now, "not yet: " + why, state.jobNotEnded());
      default -> {}
    }
    waiting.put(state.node(), new Waiting("not yet: " + why, false));
    notBefore.put(state.node(), now.plus(RETRY));
  }

  /** No stronger repair follows: the next one may be refused for the same reason, or do harm. */
  private Remediation refused(Do what, Instant now) {
    Remediation state = what.state();
    return switch (what.command()) {
      case DRAIN -> state.to(Phase.REQUESTED, now);
      case REPAIR -> state.notAttempted().to(Phase.DRAINED, now);
      case RELEASE -> state.to(Phase.DRAINED, now);
      case RESUME -> state.to(Phase.HANDED_OVER, now);
      case END_JOB -> state.jobNotEnded();
      case EVICT, END_RELEASE, LET_GO -> state;
    };
  }
}
