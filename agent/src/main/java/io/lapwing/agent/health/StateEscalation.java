package io.lapwing.agent.health;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * States that a remediation did not end. A finding that was open at a reset or a reboot, and is
 * detected again within {@link #WINDOW} of it, demands one step more than what was done, whatever
 * was demanded.
 */
public final class StateEscalation {

  static final Duration WINDOW = Duration.ofDays(7);

  /** Until the GPU is read again, a state may be the one before a reset. */
  public static final Duration READ_AGAIN = Duration.ofMinutes(2);

  private final List<Event> events;
  private final Instant now;

  public StateEscalation(History history, Instant now) {
    this.events = history.events();
    this.now = now;
  }

  /** The detection of a rule that {@linkplain RuleSpec#escalates escalates}. */
  public Detection of(Detection detection) {
    if (!detection.disposition().action().covers(Action.RESET_GPU)) {
      return detection;
    }
    Optional<Remediation> failed = failed(detection);
    Action least = failed.map(done -> done.action().next()).orElse(Action.NONE);
    if (failed.isEmpty() || detection.disposition().action().covers(least)) {
      return detection;
    }
    Disposition disposition = detection.disposition();
    return detection.withDisposition(
        new Disposition(disposition.severity(), least, disposition.urgency()),
        "It was there before the last "
            + (failed.get().action() == Action.REBOOT_NODE ? "reboot" : "reset")
            + " too, which did not help. "
            + detection.why());
  }

  /** When a reset or reboot was last done while the finding was open, which did not end it. */
  public Optional<Instant> lastRemediation(Detection detection) {
    return failed(detection).map(Remediation::at);
  }

  private record Remediation(Action action, Instant at) {}

  /** The last remediation that was done while the finding was open; empty if none was. */
  private Optional<Remediation> failed(Detection detection) {
    String subject = detection.subject().text();
    MachineChanges machines = new MachineChanges();
    Optional<Remediation> failed = Optional.empty();
    boolean open = false;
    for (Event event : events) {
      if (machines.isChange(event) || isEnd(event, detection.rule(), subject)) {
        open = false;
        failed = Optional.empty();
      } else if (event instanceof Event.FindingOpened opened
          && opened.rule().equals(detection.rule())
          && opened.subject().equals(subject)) {
        open = true;
      } else if (event instanceof Event.FindingClosed closed
          && closed.rule().equals(detection.rule())
          && closed.subject().equals(subject)) {
        open = false;
      } else if (open) {
        failed = worse(failed, done(event, subject).filter(this::isOver));
      }
    }
    return failed.filter(done -> done.at().plus(WINDOW).isAfter(now));
  }

  /** Whether what is detected now was read after it. */
  private boolean isOver(Remediation done) {
    return done.action() != Action.RESET_GPU || !now.isBefore(done.at().plus(READ_AGAIN));
  }

  /** Whether the hardware was replaced, or a person has cleared the finding. */
  private static boolean isEnd(Event event, String rule, String subject) {
    if (event instanceof Event.GpuRemoved removed) {
      return subject.equals(new Subject.Gpu(removed.gpu()).text());
    }
    return event instanceof Event.OperatorCleared cleared && cleared.covers(rule, subject);
  }

  private static Optional<Remediation> done(Event event, String subject) {
    if (event instanceof Event.Booted) {
      return Optional.of(new Remediation(Action.REBOOT_NODE, event.at()));
    }
    boolean reset =
        event instanceof Event.DriverLoaded
            || (event instanceof Event.GpuReset reset1
                && subject.equals(new Subject.Gpu(reset1.gpu()).text()));
    return reset ? Optional.of(new Remediation(Action.RESET_GPU, event.at())) : Optional.empty();
  }

  private static Optional<Remediation> worse(
      Optional<Remediation> one, Optional<Remediation> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return other.get().action().covers(one.get().action()) ? other : one;
  }
}
