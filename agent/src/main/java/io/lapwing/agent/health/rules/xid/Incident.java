package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One kind of fault of one device, followed through what happened: it begins, it comes again, what
 * was asked for is done, it comes back all the same.
 */
final class Incident {

  private final Duration escalation;

  private @Nullable Instant first;
  private Instant last = Instant.EPOCH;
  private long times;
  private Disposition call = Disposition.info();
  private Optional<Instant> answered = Optional.empty();
  private int returns;

  /** What was done about it before it came back, and did not help. */
  private Action tried = Action.NONE;

  private Action asked = Action.NONE;
  private final Set<Integer> companions = new TreeSet<>();
  private final Set<Event.Origin> origins = new TreeSet<>();
  private Optional<Event.Xid> example = Optional.empty();

  /**
   * An episode that has not begun.
   *
   * @param escalation for how long a fault that comes again after the act counts as the same
   */
  Incident(Duration escalation) {
    this.escalation = escalation;
  }

  /** It came. */
  void came(Instant at, long howOften, Disposition meaning) {
    if (first == null) {
      boolean again = answered.filter(act -> at.isBefore(act.plus(escalation))).isPresent();
      returns = again ? returns + 1 : 0;
      tried = again ? asked : Action.NONE;
      first = at;
      times = 0;
      call = meaning;
      companions.clear();
      origins.clear();
      example = Optional.empty();
    }
    last = at;
    times += howOften;
    call = worse(call, meaning);
  }

  void came(Event.Xid xid, Disposition meaning, Set<Integer> others) {
    came(xid.at(), xid.times(), meaning);
    companions.addAll(others);
    origins.addAll(xid.origins());
    example = example.or(() -> Optional.of(xid));
  }

  /**
   * What follows from it asks for more than it does itself.
   *
   * @param word whether the driver itself says so: then its word on the urgency counts
   */
  void add(Instant at, Disposition demand, boolean word) {
    last = at.isAfter(last) ? at : last;
    boolean same = call.action().equals(demand.action());
    call =
        same && word
            ? new Disposition(worse(call, demand).severity(), call.action(), demand.urgency())
            : worse(call, demand);
  }

  /** Something was done that helps against all that asks for no more than this. */
  void act(Action done, Instant at) {
    if (first != null && done.covers(call().action())) {
      first = null;
      asked = call().action();
      answered = asked.covers(Action.RESET_GPU) ? Optional.of(at) : Optional.empty();
    }
  }

  /** Somebody or the time says that it is over: what comes next is new. */
  void forget() {
    first = null;
    answered = Optional.empty();
    returns = 0;
  }

  boolean open() {
    return first != null;
  }

  Instant first() {
    return first == null ? last : first;
  }

  Instant last() {
    return last;
  }

  long times() {
    return times;
  }

  /** How often it came back after what was asked for had been done. */
  int returns() {
    return returns;
  }

  Set<Integer> companions() {
    return companions;
  }

  Set<Event.Origin> origins() {
    return origins;
  }

  Optional<Event.Xid> example() {
    return example;
  }

  /** What it means: where it came back, at least one step more than what was tried. */
  Disposition call() {
    Action least = harder(tried);
    Action action = call.action().covers(least) ? call.action() : least;
    return new Disposition(call.severity(), action, call.urgency());
  }

  private static Action harder(Action action) {
    return switch (action) {
      case RESET_GPU -> Action.REBOOT_NODE;
      case REBOOT_NODE -> Action.REPLACE_NODE;
      default -> action;
    };
  }

  static Disposition worse(Disposition one, Disposition other) {
    Severity severity =
        one.severity().compareTo(other.severity()) >= 0 ? one.severity() : other.severity();
    if (!one.action().equals(other.action())) {
      Disposition harder = one.action().covers(other.action()) ? one : other;
      return new Disposition(severity, harder.action(), harder.urgency());
    }
    return new Disposition(
        severity,
        one.action(),
        one.urgency().compareTo(other.urgency()) >= 0 ? one.urgency() : other.urgency());
  }
}
