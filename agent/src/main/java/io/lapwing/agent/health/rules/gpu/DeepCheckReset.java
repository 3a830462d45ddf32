package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.StateEscalation;
import io.lapwing.agent.health.Subject;
import java.time.Instant;
import java.util.Optional;

/**
 * The last reset or reboot that a deep check's finding asked for. The agent dates a reset when it
 * reads the GPU again. It may have been done at any time since the reading before, so a check that
 * was made while the GPUs were released, or while no agent ran, may be newer.
 */
final class DeepCheckReset {

  private final String rule;
  private final Subject.Gpu gpu;
  private final Instant now;
  private final Action own;

  /** The rule's own action, or the step that an earlier reset or reboot led to. */
  private Action asked;

  /** Until when the agent read the GPU, for certain. */
  private Instant read = Instant.MIN;

  /** Whether the agent may have stopped reading it then. */
  private boolean paused = true;

  /** When it was done at the earliest; empty once something was detected after it. */
  private Optional<Instant> earliest = Optional.empty();

  /** When it was done at the latest. */
  private Instant latest = Instant.MIN;

  private DeepCheckReset(String rule, Subject.Gpu gpu, Action own, Instant now) {
    this.rule = rule;
    this.gpu = gpu;
    this.own = own;
    this.asked = own;
    this.now = now;
  }

  /** {@code own}: the action that the rule asks for before any reset. */
  static DeepCheckReset last(String rule, Subject.Gpu gpu, Action own, NodeSnapshot view) {
    DeepCheckReset last = new DeepCheckReset(rule, gpu, own, view.now());
    view.history().events().forEach(last::add);
    return last;
  }

  /** Whether it was done after what was found at that time. */
  boolean ended(Instant found) {
    return earliest.filter(found::isBefore).isPresent();
  }

  /** Whether it was done before what was found at that time. Neither, if that is not known. */
  boolean didNotEnd(Instant found) {
    return found.isAfter(latest);
  }

  private void add(Event event) {
    if (event instanceof Event.FindingOpened opened && isMine(opened.rule(), opened.subject())) {
      detected(event.at(), opened.action());
    } else if (event instanceof Event.FindingEscalated escalated
        && isMine(escalated.rule(), escalated.subject())) {
      detected(event.at(), escalated.action());
    } else if (event instanceof Event.GpuSeen seen && seen.gpu().equals(gpu.uuid())) {
      isRead(event.at());
    } else if (event instanceof Event.GpusReleased) {
      read = paused ? read : event.at();
      paused = true;
    } else if (event instanceof Event.Started) {
      paused = true;
    } else if (isAskedFor(event)) {
      earliest = Optional.of(earliest(event));
      latest = event.at();
    }
  }

  private boolean isMine(String otherRule, String otherSubject) {
    return otherRule.equals(rule) && otherSubject.equals(gpu.text());
  }

  /** What is detected after a reset or reboot was not ended by it. */
  private void detected(Instant at, String action) {
    // One step after the other; an action of an earlier policy says nothing.
    if (action.equals(asked.next().text())) {
      asked = asked.next();
    } else if (!action.equals(asked.text())) {
      asked = own;
    }
    earliest = Optional.empty();
    isRead(at);
  }

  private void isRead(Instant at) {
    read = at;
    paused = false;
  }

  private boolean isAskedFor(Event event) {
    return switch (asked) {
      case REPLACE_NODE -> false;
      case REBOOT_NODE -> event instanceof Event.Booted;
      default ->
          event instanceof Event.Booted
              || event instanceof Event.DriverLoaded
              || (event instanceof Event.GpuReset reset && reset.gpu().equals(gpu.uuid()));
    };
  }

  /** Boots have a time of their own, which is ahead where the clock was set back since. */
  private Instant earliest(Event event) {
    if (event instanceof Event.Booted) {
      return event.at().isAfter(now) ? read : event.at();
    }
    Instant before = event.at().minus(StateEscalation.READ_AGAIN);
    return paused || before.isBefore(read) ? read : before;
  }
}
