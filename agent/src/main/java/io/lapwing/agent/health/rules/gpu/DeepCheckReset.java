package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.StateEscalation;
import java.time.Instant;
import java.util.Optional;

/**
 * The last reset or reboot that a deep check's finding asked for. The agent dates a reset when it
 * reads the GPU again. It may have been done at any time since the reading before, so a check that
 * was made while the GPUs were released, or while no agent ran, may be newer.
 */
final class DeepCheckReset {

  private final String rule;
  private final String subject;
  private final String gpu;
  private final Instant now;
  private Action asked;

  /** Until when the agent read the GPU, for certain. */
  private Instant read = Instant.MIN;

  /** Whether the agent may have stopped reading it then. */
  private boolean paused = true;

  /** When it was done, at the earliest. */
  private Optional<Instant> earliest = Optional.empty();

  private DeepCheckReset(Detection one, String gpu, Instant now) {
    this.rule = one.rule();
    this.subject = one.subject().text();
    this.asked = one.disposition().action();
    this.gpu = gpu;
    this.now = now;
  }

  /** Whether it was done after a check at {@code tested}, whose finding is {@code one}. */
  static boolean isAfter(Instant tested, Detection one, String gpu, NodeSnapshot view) {
    DeepCheckReset last = new DeepCheckReset(one, gpu, view.now());
    view.history().events().forEach(last::add);
    return last.earliest.filter(tested::isBefore).isPresent();
  }

  private void add(Event event) {
    if (event instanceof Event.FindingOpened opened && isMine(opened.rule(), opened.subject())) {
      detected(event.at(), Finding.disposition(opened.severity(), opened.action()));
    } else if (event instanceof Event.FindingEscalated escalated
        && isMine(escalated.rule(), escalated.subject())) {
      detected(event.at(), Finding.disposition(escalated.severity(), escalated.action()));
    } else if (event instanceof Event.GpuSeen seen && seen.gpu().equals(gpu)) {
      isRead(event.at());
    } else if (event instanceof Event.GpusReleased) {
      read = paused ? read : event.at();
      paused = true;
    } else if (event instanceof Event.Started) {
      paused = true;
    } else if (isAskedFor(event) && !event.at().isAfter(now)) {
      earliest =
          Optional.of(event instanceof Event.GpuReset ? sinceReading(event.at()) : event.at());
    }
  }

  private boolean isMine(String otherRule, String otherSubject) {
    return otherRule.equals(rule) && otherSubject.equals(subject);
  }

  /** What is detected after a reset or reboot was not ended by it. */
  private void detected(Instant at, Disposition disposition) {
    asked = disposition.action();
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
              || (event instanceof Event.GpuReset reset && reset.gpu().equals(gpu));
    };
  }

  private Instant sinceReading(Instant seen) {
    Instant before = seen.minus(StateEscalation.READ_AGAIN);
    return paused || before.isBefore(read) ? read : before;
  }
}
