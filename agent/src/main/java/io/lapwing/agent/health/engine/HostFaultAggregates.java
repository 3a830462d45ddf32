package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.host.HostFaultKind;
import io.lapwing.host.HostMessage;
import io.lapwing.linux.KernelRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes one event of the equal host faults of a coalesce window, and adds details from the lines
 * after a fault. Not thread-safe.
 */
final class HostFaultAggregates {

  /** Beyond this, faults of one kind are counted together, without device and process. */
  static final int MAX_FAULTS = 100;

  private final Map<Key, Aggregate> faults = new LinkedHashMap<>();

  /** The task that a call trace belongs to: the last one that was reported in this window. */
  private @Nullable Aggregate traced;

  private Stage stage = Stage.AWAITED;

  /** How far the call trace of the task was read. */
  private enum Stage {
    AWAITED,
    /** By {@code Call Trace:}; before Linux 5.16 nothing marks the end. */
    STARTED,
    /** By {@code <TASK>}, which {@code </TASK>} ends. */
    IN_TASK
  }

  private record Key(HostFaultKind kind, String device, OptionalLong pid) {}

  private static final class Aggregate {
    final HostMessage.Fault first;
    final Instant at;
    final boolean several;
    String component = "";
    long times;
    OptionalLong sequence = OptionalLong.empty();

    Aggregate(HostMessage.Fault first, Instant at, boolean several) {
      this.first = first;
      this.at = at;
      this.several = several;
    }

    boolean isOther() {
      return component.equals(Event.HostFault.OTHER);
    }

    boolean isLockup() {
      return first.kind() == HostFaultKind.SOFT_LOCKUP;
    }

    Event.HostFault event() {
      return new Event.HostFault(
          at,
          first.kind().text(),
          several ? "" : first.device(),
          several ? OptionalLong.empty() : first.pid(),
          several ? "" : first.process(),
          component,
          first.text(),
          times,
          sequence);
    }
  }

  /** Whether the message is a fault, or has details of one. */
  boolean add(HostMessage message, KernelRecord from, Instant at) {
    if (message instanceof HostMessage.Fault fault) {
      count(fault, from, at);
      return true;
    }
    if (message instanceof HostMessage.PcieDriver error) {
      Aggregate known = faults.get(key(error.fault()));
      Aggregate aggregate = known == null ? count(error.fault(), from, at) : known;
      aggregate.component = error.driver();
      aggregate.sequence = from.sequence();
      return true;
    }
    if (message instanceof HostMessage.Trace trace) {
      mark(trace);
    }
    return message instanceof HostMessage.Frame frame && traced(frame);
  }

  private void mark(HostMessage.Trace mark) {
    switch (mark) {
      case STARTS -> {
        if (stage == Stage.AWAITED) {
          stage = Stage.STARTED;
        } else {
          endTrace(stage == Stage.STARTED);
        }
      }
      case TASK_STARTS -> stage = Stage.IN_TASK;
      case TASK_ENDS -> endTrace(true);
      case HEADER -> {
        // It precedes the trace of a soft lockup; a hung task has none.
        if (traced != null && !(traced.isLockup() && stage == Stage.AWAITED)) {
          endTrace(stage == Stage.STARTED);
        }
      }
      case INTERRUPTED -> endTrace(false);
    }
  }

  /** {@code complete} if all frames of the trace were read. */
  private void endTrace(boolean complete) {
    if (traced != null && complete && traced.component.isEmpty()) {
      traced.component = Event.HostFault.OTHER;
    }
    traced = null;
    stage = Stage.AWAITED;
  }

  private boolean traced(HostMessage.Frame frame) {
    if (traced == null || !(traced.component.isEmpty() || traced.isOther())) {
      return false;
    }
    traced.component = frame.module();
    return true;
  }

  private Aggregate count(HostMessage.Fault fault, KernelRecord from, Instant at) {
    Key own = key(fault);
    boolean several = !faults.containsKey(own) && faults.size() >= MAX_FAULTS;
    Key key = several ? new Key(fault.kind(), "", OptionalLong.empty()) : own;
    Aggregate aggregate = faults.computeIfAbsent(key, unseen -> new Aggregate(fault, at, several));
    aggregate.times += fault.times();
    aggregate.sequence = from.sequence();
    if (isTask(fault.kind()) || fault.kind() == HostFaultKind.RCU_STALL) {
      endTrace(stage == Stage.STARTED);
      traced = isTask(fault.kind()) ? aggregate : null;
    }
    return aggregate;
  }

  private static boolean isTask(HostFaultKind kind) {
    return kind == HostFaultKind.HUNG_TASK || kind == HostFaultKind.SOFT_LOCKUP;
  }

  private static Key key(HostMessage.Fault fault) {
    return new Key(fault.kind(), fault.device(), fault.pid());
  }

  /** Removes and returns the events, in the order of their first message. */
  List<Event> take() {
    endTrace(stage == Stage.STARTED);
    List<Event> events = new ArrayList<>(faults.size());
    faults.values().forEach(aggregate -> events.add(aggregate.event()));
    faults.clear();
    return events;
  }
}
