package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The driver's requests for a recovery action on one GPU (XID 154), whatever XID came with them: a
 * request that recurs after it was carried out requires the next stronger action.
 */
final class RecoveryRequests {

  /** After the withdrawal. */
  static final Duration SEEN_WITHIN = Duration.ofMinutes(3);

  private final Duration escalation;

  /** What the driver requests now, at least. */
  private Action requested = Action.NONE;

  private Instant requestedAt = Instant.MIN;

  /** When the driver withdrew that: maybe since it was carried out, which is seen later. */
  private Optional<Instant> withdrawn = Optional.empty();

  private Optional<Done> done = Optional.empty();

  private record Done(Action action, Instant at) {}

  RecoveryRequests(Duration escalation) {
    this.escalation = escalation;
  }

  /** A request; returns what it requires. */
  Disposition next(Instant at, Disposition disposition) {
    Action action = disposition.action();
    if (!action.covers(Action.RESET_GPU)) {
      return disposition;
    }
    requested = withdrawn.isEmpty() && requested.covers(action) ? requested : action;
    requestedAt = at;
    withdrawn = Optional.empty();
    boolean recurs =
        done.filter(before -> at.isBefore(before.at().plus(escalation)))
            .filter(before -> before.action().covers(action))
            .isPresent();
    return recurs
        ? new Disposition(disposition.severity(), action.next(), disposition.urgency())
        : disposition;
  }

  /** A remediation, which carries out the request if it covers that; one before it does not. */
  void remediate(Action act, Instant at) {
    if (act == Action.REPLACE_NODE) {
      clear();
      return;
    }
    if (at.isBefore(requestedAt)) {
      return;
    }
    boolean tooLate = withdrawn.filter(then -> at.isAfter(then.plus(SEEN_WITHIN))).isPresent();
    if (requested != Action.NONE && act.covers(requested)) {
      done = tooLate ? done : Optional.of(new Done(act, at));
      requested = Action.NONE;
      withdrawn = Optional.empty();
    }
  }

  /** The driver withdraws its request. */
  void withdraw(Instant at) {
    withdrawn = Optional.of(at);
  }

  /** Nothing of the past counts. */
  void clear() {
    requested = Action.NONE;
    withdrawn = Optional.empty();
    done = Optional.empty();
  }
}
