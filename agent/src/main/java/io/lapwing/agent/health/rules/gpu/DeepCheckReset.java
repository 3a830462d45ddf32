package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.StateEscalation;
import io.lapwing.agent.health.Subject;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The last reset or reboot of those that a deep check's finding asked for. The agent dates a reset
 * by its first reading after it, but it was done at any time since the reading before. A check that
 * was made while the GPUs were released, or while no agent ran, may therefore be newer.
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

  /** Whether the GPU may have been unread since then. */
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

  /** Whether it was certainly done after what was found at that time. */
  boolean ended(Instant found) {
    return earliest.filter(found::isBefore).isPresent();
  }

  /** Whether it was certainly done before what was found at that time. */
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
      // The driver is loaded after a boot; the boot's time is the exact one.
      Instant least = earliest(event);
      earliest = earliest.filter(least::isBefore).or(() -> Optional.of(least));
      latest = event.at();
    }
  }

  private boolean isMine(String otherRule, String otherSubject) {
    return otherRule.equals(rule) && otherSubject.equals(gpu.text());
  }

  /** What is detected after a reset or reboot was not ended by it. */
  private void detected(Instant at, String action) {
    asked = step(action);
    earliest = Optional.empty();
    isRead(at);
  }

  /**
   * A finding asks for the step after what was done: one or two after its own. Any other action is
   * from an earlier policy.
   */
  private Action step(String action) {
    return Stream.of(own.next(), own.next().next())
        .filter(step -> step.text().equals(action))
        .findFirst()
        .orElse(own);
  }

  private void isRead(Instant at) {
    read = at;
    paused = false;
  }

  private boolean isAskedFor(Event event) {
    return switch (asked) {
      case REPLACE_NODE -> false;
      case REBOOT_NODE -> event instanceof Event.Booted;
      default -> event.restarts(gpu.uuid());
    };
  }

  /**
   * Boots have a time of their own. Times after that of the event, or after now, are from before
   * the clock was set back.
   */
  private Instant earliest(Event event) {
    boolean ahead = event.at().isAfter(now);
    if (event instanceof Event.Booted && !ahead) {
      return event.at();
    }
    Instant before = event.at().minus(StateEscalation.READ_AGAIN);
    Instant least = ahead || paused || before.isBefore(read) ? read : before;
    return least.isAfter(now) || least.isAfter(event.at()) ? Instant.MIN : least;
  }
}
