package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.request.Request;
import io.lapwing.drain.request.Urgency;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node's way out of service, through repairs, and back. Immutable: each transition is a new one,
 * and the journal has them all.
 *
 * @param id unique over restarts; part of the reason in the scheduler
 * @param remedy what is to be done next
 * @param rule that asked first; empty if a person did
 * @param why in words
 * @param opened when it was requested
 * @param since when its phase began
 * @param taken when the node was taken out of service
 * @param attempts repairs, oldest first
 * @param healthySince since when the agent has been healthy without a break, as far as it was asked
 */
public record Remediation(
    String id,
    NodeName node,
    Remedy remedy,
    Urgency urgency,
    String rule,
    String why,
    Instant opened,
    Phase phase,
    Instant since,
    Optional<Instant> taken,
    List<Attempt> attempts,
    Optional<Instant> healthySince) {

  public Remediation {
    attempts = List.copyOf(attempts);
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
        now,
        Phase.REQUESTED,
        now,
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** The reason in the scheduler, by which the node is known to be ours. */
  public String reason() {
    return "lapwing-drain " + id;
  }

  Remediation to(Phase next, Instant now) {
    return new Remediation(
        id, node, remedy, urgency, rule, why, opened, next, now, taken, attempts, Optional.empty());
  }

  Remediation taken(Instant now) {
    return new Remediation(
        id,
        node,
        remedy,
        urgency,
        rule,
        why,
        opened,
        phase,
        since,
        taken.or(() -> Optional.of(now)),
        attempts,
        healthySince);
  }

  Remediation remedy(Remedy next, String because) {
    return new Remediation(
        id,
        node,
        next,
        urgency,
        rule,
        because,
        opened,
        phase,
        since,
        taken,
        attempts,
        healthySince);
  }

  Remediation attempt(Attempt begun) {
    List<Attempt> all = new ArrayList<>(attempts);
    all.add(begun);
    return new Remediation(
        id, node, remedy, urgency, rule, why, opened, phase, since, taken, all, healthySince);
  }

  Remediation healthySince(Optional<Instant> start) {
    return new Remediation(
        id, node, remedy, urgency, rule, why, opened, phase, since, taken, attempts, start);
  }

  /** A request for the same node: the stronger of both, and the sooner. That of a person counts. */
  Remediation joined(Request request) {
    Urgency sooner = urgency.compareTo(request.urgency()) >= 0 ? urgency : request.urgency();
    return new Remediation(
        id,
        node,
        remedy.orStronger(request.remedy()),
        sooner,
        request.rule().isEmpty() ? "" : rule,
        why,
        opened,
        phase,
        since,
        taken,
        attempts,
        healthySince);
  }

  /** The last repair. */
  Optional<Attempt> lastAttempt() {
    return attempts.isEmpty() ? Optional.empty() : Optional.of(attempts.get(attempts.size() - 1));
  }

  boolean tried(Remedy one) {
    return attempts.stream().anyMatch(attempt -> attempt.remedy() == one);
  }
}
