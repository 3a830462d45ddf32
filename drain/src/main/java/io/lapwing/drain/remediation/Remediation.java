package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.request.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node's way out of service, through repairs, and back. Immutable: each transition is a new one,
 * and the journal has them all.
 *
 * @param id unique over restarts; part of the reason in the scheduler
 * @param remedy the next repair
 * @param rule that requested it first; empty if a person did
 * @param why in words
 * @param began when the finding began for which it was requested
 * @param opened when it was requested
 * @param since when its phase began
 * @param taken when the node was taken out of service
 * @param earlierReason that the scheduler had for the node before that; empty if none
 * @param registration of the node in its scheduler when it was taken; empty if it has none
 * @param attempts repairs, oldest first
 * @param endedJobs oldest first
 * @param seen what was observed since the controller started
 */
public record Remediation(
    String id,
    NodeName node,
    Remedy remedy,
    Urgency urgency,
    String rule,
    String why,
    Instant began,
    Instant opened,
    Phase phase,
    Instant since,
    Optional<Instant> taken,
    String earlierReason,
    String registration,
    List<Attempt> attempts,
    List<EndedJob> endedJobs,
    Seen seen) {

  public Remediation {
    attempts = List.copyOf(attempts);
    endedJobs = List.copyOf(endedJobs);
  }

  /**
   * State that need not survive a restart, since it is observed again.
   *
   * @param healthySince since when the node has passed the gate, as far as it was checked
   * @param healthyAt when it last did
   * @param missingSince since when the scheduler does not list the node
   */
  public record Seen(
      Optional<Instant> healthySince, Optional<Instant> healthyAt, Optional<Instant> missingSince) {
    public static final Seen NOTHING =
        new Seen(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Of a new request. */
  public static Remediation of(String id, Request request, Instant now) {
    return new Remediation(
        id,
        request.node(),
        request.remedy(),
        request.urgency(),
        request.rule(),
        request.reason(),
        request.since(),
        now,
        Phase.REQUESTED,
        now,
        Optional.empty(),
        "",
        "",
        List.of(),
        List.of(),
        Seen.NOTHING);
  }

  /** The reason in the scheduler, which marks the node as ours. */
  public String reason() {
    return NodeState.OURS + id;
  }

  /** Unique to its last repair. */
  String repairId() {
    return id + "-" + attempts.size();
  }

  /** Unique to a test: a new one for each repair, and for each time the node is healthy. */
  String testId() {
    return repairId() + seen.healthySince().map(start -> "-" + start.getEpochSecond()).orElse("");
  }

  /** Whether the other is the same remediation in the same phase. */
  boolean isSameStep(@Nullable Remediation other) {
    return other != null && other.id.equals(id) && other.phase == phase;
  }

  Remediation to(Phase next, Instant now) {
    return new Remediation(
        id,
        node,
        remedy,
        urgency,
        rule,
        why,
        began,
        opened,
        next,
        now,
        taken,
        earlierReason,
        registration,
        attempts,
        endedJobs,
        Seen.NOTHING);
  }

  /** With the time at which the node was taken, for the last time, and its registration then. */
  Remediation taken(Instant now, NodeState as) {
    return with(
        urgency,
        remedy,
        rule,
        why,
        began,
        Optional.of(now),
        earlierReason,
        as.more().registration());
  }

  /** In service again, and to be taken once more: what comes next counts from then on. */
  Remediation again(Instant now) {
    return with(urgency, remedy, rule, why, began, Optional.empty(), earlierReason, registration)
        .to(Phase.REQUESTED, now);
  }

  /** Whether its scheduler has registered the node again since it was taken. */
  boolean isOfEarlier(NodeState state) {
    String now = state.more().registration();
    return !registration.isEmpty() && !now.isEmpty() && !registration.equals(now);
  }

  Remediation remedy(Remedy next, String because) {
    return with(urgency, next, rule, because, began, taken, earlierReason, registration);
  }

  Remediation earlierReason(String reason) {
    return with(urgency, remedy, rule, why, began, taken, reason, registration);
  }

  /**
   * A request for the same node: the stronger of both, and the sooner, with its rule. The urgency
   * of a person replaces that of an alert, and so does the remedy before the node is taken;
   * afterwards it can only be more. Once the node is being taken, only the agent makes the remedy
   * stronger, not an alert.
   */
  Remediation joined(Request request) {
    boolean more =
        request.urgency().compareTo(urgency) > 0 || request.remedy().compareTo(remedy) > 0;
    boolean its = request.rule().isEmpty() || (more && !rule.isEmpty());
    return with(
        urgencyWith(request),
        remedyWith(request),
        its ? request.rule() : rule,
        why,
        its ? request.since() : began,
        taken,
        earlierReason,
        registration);
  }

  /**
   * Rules that protect a job do not count for a person's request, so that an alert may not hurry
   * it.
   */
  private Urgency urgencyWith(Request request) {
    boolean byPerson = request.rule().isEmpty();
    if (byPerson != rule.isEmpty()) {
      return byPerson ? request.urgency() : urgency;
    }
    return request.urgency().compareTo(urgency) > 0 ? request.urgency() : urgency;
  }

  private Remedy remedyWith(Request request) {
    boolean byPerson = request.rule().isEmpty();
    boolean ofPerson = rule.isEmpty();
    if (phase == Phase.REQUESTED && byPerson != ofPerson) {
      return byPerson ? request.remedy() : remedy;
    }
    return phase == Phase.REQUESTED || byPerson ? remedy.orStronger(request.remedy()) : remedy;
  }

  private Remediation with(
      Urgency urgency,
      Remedy remedy,
      String rule,
      String why,
      Instant began,
      Optional<Instant> taken,
      String earlierReason,
      String registration) {
    return new Remediation(
        id,
        node,
        remedy,
        urgency,
        rule,
        why,
        began,
        opened,
        phase,
        since,
        taken,
        earlierReason,
        registration,
        attempts,
        endedJobs,
        seen);
  }

  Remediation attempt(Attempt begun) {
    List<Attempt> all = new ArrayList<>(attempts);
    all.add(begun);
    return with(all, endedJobs, seen);
  }

  /** The last repair was not begun after all. */
  Remediation notAttempted() {
    return with(attempts.subList(0, attempts.size() - 1), endedJobs, seen);
  }

  /** The last repair ended so, unless it had ended before. */
  Remediation attemptEnded(Outcome how) {
    List<Attempt> all = new ArrayList<>(attempts);
    if (!all.isEmpty()) {
      all.set(all.size() - 1, all.get(all.size() - 1).ended(how));
    }
    return with(all, endedJobs, seen);
  }

  Remediation jobEnded(EndedJob ended) {
    List<EndedJob> all = new ArrayList<>(endedJobs);
    all.add(ended);
    return with(attempts, all, seen);
  }

  /** The last job was not ended after all. */
  Remediation jobNotEnded() {
    return with(attempts, endedJobs.subList(0, endedJobs.size() - 1), seen);
  }

  Remediation notHealthy() {
    return with(attempts, endedJobs, Seen.NOTHING);
  }

  Remediation healthySince(Instant start, Instant at) {
    return with(
        attempts, endedJobs, new Seen(Optional.of(start), Optional.of(at), Optional.empty()));
  }

  /** The scheduler lists the node. */
  Remediation listed() {
    return seen.missingSince().isEmpty() ? this : notHealthy();
  }

  Remediation missingSince(Instant start) {
    return with(
        attempts, endedJobs, new Seen(Optional.empty(), Optional.empty(), Optional.of(start)));
  }

  private Remediation with(List<Attempt> attempts, List<EndedJob> endedJobs, Seen seen) {
    return new Remediation(
        id,
        node,
        remedy,
        urgency,
        rule,
        why,
        began,
        opened,
        phase,
        since,
        taken,
        earlierReason,
        registration,
        attempts,
        endedJobs,
        seen);
  }

  /** The last repair. */
  Optional<Attempt> lastAttempt() {
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.get(attempts.size() - 1));
  }

  boolean tried(Remedy one) {
    return attempts.stream().anyMatch(attempt -> attempt.remedy() == one);
  }
}
