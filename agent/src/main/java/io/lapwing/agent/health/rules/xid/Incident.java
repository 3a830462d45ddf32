package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One kind of fault on one device over time: it starts, repeats, is remediated, and may recur. */
final class Incident {

  private final Duration escalation;

  private @Nullable Instant first;
  private Instant last = Instant.EPOCH;
  private long times;

  /** Of its own XIDs and of the details that follow them. */
  private Disposition disposition = Disposition.info();

  /** The driver's recovery action for it, until the driver withdraws it. */
  private Optional<Disposition> recovery = Optional.empty();

  /** What the driver demanded last and withdrew: maybe since it was done, which is seen later. */
  private Optional<Withdrawn> withdrawn = Optional.empty();

  private Optional<Instant> remediated = Optional.empty();
  private int returns;

  /** The remediation that was done before a recurrence, and did not help. */
  private Action failed = Action.NONE;

  private final Set<Integer> companions = new TreeSet<>();
  private final Set<Event.Origin> origins = new TreeSet<>();

  /** The MIG instances of its XIDs. */
  private final Set<Integer> instances = new TreeSet<>();

  /** Whether any of its XIDs names no MIG instance. */
  private boolean whole;

  private Optional<Event.Xid> example = Optional.empty();

  /**
   * The pid of the program that has it on each MIG instance, or on the whole GPU. One that the
   * driver does not name has ended for certain when no process is left on the GPU.
   */
  private final Map<OptionalInt, OptionalLong> programs = new HashMap<>();

  /** The demand is a minimum, but how long the same action may wait, the driver knows best. */
  private static Disposition withRecovery(Disposition own, Disposition demand) {
    Disposition both = worse(own, demand);
    if (both.action().equals(demand.action())) {
      return new Disposition(both.severity(), both.action(), demand.urgency());
    }
    Urgency more =
        own.urgency().compareTo(demand.urgency()) >= 0 ? own.urgency() : demand.urgency();
    return new Disposition(both.severity(), both.action(), more);
  }

  private record Withdrawn(Instant at, Action action) {

    boolean isDone(Action done, Instant seen) {
      return done.covers(action) && !seen.isAfter(at.plus(RecoveryRequests.SEEN_WITHIN));
    }
  }

  /** A recurrence within {@code escalation} after the remediation is the same fault. */
  Incident(Duration escalation) {
    this.escalation = escalation;
  }

  void occurred(Instant at, long howOften, Disposition meaning) {
    if (first == null) {
      boolean again = remediated.filter(act -> at.isBefore(act.plus(escalation))).isPresent();
      returns = again ? returns + 1 : 0;
      failed = again ? failed : Action.NONE;
      first = at;
      times = 0;
      disposition = meaning;
      recovery = Optional.empty();
      companions.clear();
      origins.clear();
      instances.clear();
      whole = false;
      programs.clear();
      example = Optional.empty();
    }
    last = at;
    times += howOften;
    disposition = worse(disposition, meaning);
  }

  void occurred(Event.Xid xid, Disposition meaning, Set<Integer> others) {
    boolean decides = first == null || !worse(disposition, meaning).equals(disposition);
    occurred(xid.at(), xid.times(), meaning);
    companions.addAll(others);
    origins.addAll(xid.origins());
    xid.gpuInstance().ifPresent(instances::add);
    whole |= xid.gpuInstance().isEmpty();
    example = decides ? Optional.of(xid) : example.or(() -> Optional.of(xid));
    if (decides) {
      programs.put(xid.gpuInstance(), xid.pid());
    } else if (xid.pid().isPresent() || xid.gpuInstance().isPresent()) {
      programs.putIfAbsent(xid.gpuInstance(), xid.pid());
    }
  }

  /**
   * A program has ended, or with an empty pid all of them. That of another MIG instance may still
   * run with the fault.
   */
  void ended(OptionalLong pid, Instant at) {
    if (pid.isEmpty()) {
      remediate(Action.RESTART_APP, at);
    } else if (programs.values().removeIf(pid::equals) && programs.isEmpty()) {
      remediate(Action.RESTART_APP, at);
    }
  }

  /** A consequential XID demands more; {@code word}: it is the driver's recovery action. */
  void add(Instant at, Disposition demand, boolean word) {
    last = at.isAfter(last) ? at : last;
    if (word) {
      recovery = Optional.of(recovery.map(one -> withRecovery(one, demand)).orElse(demand));
    } else {
      disposition = worse(disposition, demand);
    }
  }

  /** The driver withdraws its recovery action. */
  void withdrawRecovery(Instant at) {
    recovery.ifPresent(demand -> withdrawn = Optional.of(new Withdrawn(at, demand.action())));
    recovery = Optional.empty();
  }

  /** The driver withdraws the action that is all of this incident. */
  void withdraw(Instant at) {
    Withdrawn all = new Withdrawn(at, disposition().action());
    close();
    withdrawn = Optional.of(all);
  }

  /**
   * Records a remediation, which closes the incident if it covers the demanded action. A recurrence
   * escalates from what was done; a replaced machine has no recurrence.
   */
  void remediate(Action done, Instant at) {
    if (done == Action.REPLACE_NODE) {
      close();
      return;
    }
    boolean ends = first != null && done.covers(disposition().action());
    boolean lasting = ends && disposition().action().covers(Action.RESET_GPU);
    if (lasting || withdrawn.filter(demand -> demand.isDone(done, at)).isPresent()) {
      failed = done;
      remediated = Optional.of(at);
      withdrawn = Optional.empty();
    }
    if (ends) {
      end();
    }
  }

  /** Ends the incident; what was done about earlier ones is still known. */
  void end() {
    first = null;
  }

  /** Closes the incident without a remediation; the next occurrence is a new fault. */
  void close() {
    first = null;
    failed = Action.NONE;
    remediated = Optional.empty();
    withdrawn = Optional.empty();
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

  /** How often it recurred after the demanded remediation. */
  int returns() {
    return returns;
  }

  Set<Integer> companions() {
    return companions;
  }

  Set<Event.Origin> origins() {
    return origins;
  }

  /** The MIG instances that its XIDs name, in ascending order. */
  Set<Integer> instances() {
    return instances;
  }

  /** The MIG instance that alone has it, if all of its XIDs name that. */
  OptionalInt instance() {
    return whole || instances.size() != 1
        ? OptionalInt.empty()
        : OptionalInt.of(instances.iterator().next());
  }

  /** Whether it is of the whole GPU too, or of an instance that the driver did not name. */
  boolean whole() {
    return whole;
  }

  /** The first message with the disposition of the incident. */
  Optional<Event.Xid> example() {
    return example;
  }

  /**
   * The disposition; after a recurrence at least one step harder than what failed. What an
   * application does after a reset is no recurrence.
   */
  Disposition disposition() {
    Disposition all = demanded();
    Action least = isRecurrence() ? failed.next() : Action.NONE;
    Action action = all.action().covers(least) ? all.action() : least;
    return new Disposition(all.severity(), action, all.urgency());
  }

  /** Whether it recurred although the demanded action had been done. */
  boolean isRecurrence() {
    Disposition all = demanded();
    return returns > 0
        && (all.severity() != Severity.INFO || all.action().covers(Action.RESET_GPU));
  }

  private Disposition demanded() {
    return recovery.map(demand -> withRecovery(disposition, demand)).orElse(disposition);
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
