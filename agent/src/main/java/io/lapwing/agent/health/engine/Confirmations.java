package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What NVML says of an XID that only the kernel log has. A firewall's log prefix can write such a
 * line, and any user one of a syslog file. An XID that asks for a reset, a reboot or a replacement
 * counts at once; if NVML could confirm it and has not within a minute, by its event for the XID or
 * by the state of the GPU, it is marked. So is what the kernel log had long before the agent's
 * first start: a repair since then was not seen. From a syslog file nothing asks for more than
 * {@code watch} until it is confirmed. Used by one thread.
 */
final class Confirmations {

  static final Duration WAIT = Duration.ofMinutes(1);

  /** What happened so long before the agent's first start may have been repaired since. */
  private static final Duration BEFORE_FIRST_START = Duration.ofHours(1);

  /** NVML's event may carry an earlier time than the kernel's message. */
  private static final Duration SAME_FAULT = Duration.ofSeconds(10);

  private static final String KERNEL_LOG = "kernel log";
  private static final String XID = "xid_";
  private static final String SXID = "sxid_";

  /** Errors that the driver logs without an XID. */
  private static final Set<String> OF_THE_DRIVER =
      Set.of("gpu_init_failed", "gsp_errors_suppressed", "nvlink_training_failed");

  private static final String GPU_COUNT = "gpu_count";

  /** Rules of values of NVML that no program of a user can change, as heat or clocks. */
  private static final Set<String> OF_NVML =
      Set.of(
          "fabric_state",
          "gpu_hung",
          "gpu_lost",
          "gpu_memory",
          "inforom_corrupt",
          "memory_unrepairable",
          "nvlink_down",
          "pcie_link",
          "recovery_action",
          "row_remap_failure",
          "row_remap_pending",
          "sram_threshold",
          "uncorrectable_ecc");

  private static final String FROM_FILE =
      "It is from a log file, to which users can write, and NVML has not confirmed it.";

  private static final String NOT_CONFIRMED = "NVML has not confirmed it";

  private static final String BEFORE =
      "it is older than the agent's first start, so a repair since then is not known";

  /** When the agent started that is the first to read the kernel log; empty if another was. */
  private Optional<Instant> firstStart;

  private boolean applied;

  /** Since when NVML's events are received without a gap. */
  private Instant listeningSince = Instant.MAX;

  /** Detections as they count, and the events to add. */
  record Result(List<Detection> detections, List<Event> events) {

    Result {
      detections = List.copyOf(detections);
      events = List.copyOf(events);
    }
  }

  /** {@code restored}: the history, with the start of this agent. */
  Confirmations(List<Event> restored) {
    // An agent may end before its first evaluation, or may have had no permission for the log.
    boolean evaluated = restored.stream().anyMatch(Event.VerdictChanged.class::isInstance);
    boolean read = restored.stream().anyMatch(Confirmations::isLogRead);
    this.firstStart =
        restored.stream()
            .filter(event -> !(evaluated && read) && event instanceof Event.Started)
            .reduce((earlier, later) -> later)
            .map(Event::at);
  }

  private static boolean isLogRead(Event event) {
    return event instanceof Event.KernelLogRead || event instanceof Event.KernelMessage;
  }

  /** {@code open}: the findings of the evaluation before. */
  Result apply(NodeSnapshot view, List<Detection> detections, List<Finding> open) {
    knowFirstStart(view);
    boolean listening =
        view.agent().xidEvents().isEmpty() && view.driver() instanceof DriverStatus.Up;
    listeningSince =
        !listening ? Instant.MAX : listeningSince.isAfter(view.now()) ? view.now() : listeningSince;
    List<Event> events = new ArrayList<>();
    List<Detection> marked = new ArrayList<>();
    for (Detection one : detections) {
      marked.add(isDoubtful(one, view) ? marked(one, view, detections, open, events) : one);
    }
    return new Result(marked, events);
  }

  /** Not known without the event log. A clock that is set back moves it. */
  private void knowFirstStart(NodeSnapshot view) {
    boolean known = applied || view.agent().eventLog().isEmpty();
    applied = true;
    firstStart =
        firstStart
            .filter(start -> known)
            .map(start -> start.isAfter(view.now()) ? view.now() : start);
  }

  private boolean isDoubtful(Detection one, NodeSnapshot view) {
    Action asked = one.disposition().action();
    return isOfKernelLog(one)
        && (view.agent().logFile().isPresent()
            ? asked.compareTo(Action.WATCH) > 0
            : asked.covers(Action.RESET_GPU)
                && (one.rule().startsWith(XID)
                    || isBeforeFirstStart(one)
                    || known(one, view).isPresent()));
  }

  private boolean isBeforeFirstStart(Detection one) {
    return (one.rule().startsWith(XID)
            || one.rule().startsWith(SXID)
            || OF_THE_DRIVER.contains(one.rule()))
        && firstStart
            .map(start -> start.minus(BEFORE_FIRST_START))
            .flatMap(before -> one.last().filter(before::isAfter))
            .isPresent();
  }

  private static boolean isOfKernelLog(Detection one) {
    return one.sources().equals(List.of(KERNEL_LOG));
  }

  private Detection marked(
      Detection one,
      NodeSnapshot view,
      List<Detection> all,
      List<Finding> open,
      List<Event> events) {
    Optional<Event.FindingConfirmation> known = known(one, view);
    if (known.filter(Event.FindingConfirmation::confirmed).isPresent()) {
      return one;
    }
    if (isSeenByNvml(one, view, all, open)) {
      events.add(event(one, view, true));
      return one;
    }
    if (view.agent().logFile().isPresent() && !wasInKernelLog(one, view)) {
      return one.withForm(Disposition.WATCH, FROM_FILE);
    }
    if (known.isEmpty()
        && (isBeforeFirstStart(one) || (one.rule().startsWith(XID) && isLate(one, view)))) {
      known = Optional.of(event(one, view, false));
      events.add(known.get());
    }
    return known
        .map(mark -> one.unconfirmed(isOld(one, mark) ? BEFORE : NOT_CONFIRMED))
        .orElse(one);
  }

  /** NVML has a minute; what is much older than its mark is from before the first start. */
  private static boolean isOld(Detection one, Event.FindingConfirmation mark) {
    return one.last().filter(mark.at().minus(BEFORE_FIRST_START)::isAfter).isPresent();
  }

  /**
   * What was decided before, maybe before a restart; a later word wins. That something was not
   * confirmed does not count for what happened since.
   */
  private static Optional<Event.FindingConfirmation> known(Detection one, NodeSnapshot view) {
    Instant since = one.since().orElse(view.now());
    Instant last = one.last().orElse(since);
    Optional<Event.FindingConfirmation> known = Optional.empty();
    for (Event event : view.history().events()) {
      if (event instanceof Event.FindingConfirmation word
          && word.rule().equals(one.rule())
          && word.subject().equals(one.subject().text())
          && !word.at().isBefore(word.confirmed() ? since.minus(SAME_FAULT) : last)) {
        known = Optional.of(word);
      }
    }
    return known;
  }

  private static Event.FindingConfirmation event(
      Detection one, NodeSnapshot view, boolean confirmed) {
    return new Event.FindingConfirmation(view.now(), one.rule(), one.subject().text(), confirmed);
  }

  /** The GPU is lost, does not answer, or has a finding of a fault that NVML's values made. */
  private static boolean isSeenByNvml(
      Detection one, NodeSnapshot view, List<Detection> all, List<Finding> open) {
    if (view.driver() instanceof DriverStatus.Up
        && one.subject() instanceof Subject.Gpu gpu
        && view.gpu(gpu.uuid())
            .filter(it -> it.lost() || it.state() == PartStatus.State.HUNG)
            .isPresent()) {
      return true;
    }
    return isOneMissing(open)
        || all.stream()
            .filter(other -> other.disposition().severity().compareTo(Severity.INFO) > 0)
            .anyMatch(
                other -> other.subject().equals(one.subject()) && OF_NVML.contains(other.rule()));
  }

  /** Not while the driver comes up, or cannot be asked: the count is unknown then. */
  private static boolean isOneMissing(List<Finding> open) {
    return open.stream()
        .filter(finding -> finding.rule().equals(GPU_COUNT))
        .map(finding -> finding.disposition().severity())
        .anyMatch(how -> how == Severity.DEGRADED || how == Severity.FAILING);
  }

  /** A record of /dev/kmsg has a sequence number, a line of a file has none. */
  private static boolean wasInKernelLog(Detection one, NodeSnapshot view) {
    Instant from = one.since().orElse(view.now());
    return view.history().events().stream()
        .filter(Event.Xid.class::isInstance)
        .map(Event.Xid.class::cast)
        .anyMatch(
            xid ->
                xid.sequence().isPresent()
                    && !xid.at().isBefore(from)
                    && one.rule().equals(XID + xid.number())
                    && one.subject().equals(new Subject.Gpu(name(xid))));
  }

  private static String name(Event.Xid xid) {
    return xid.gpu().isEmpty() ? xid.pci() : xid.gpu();
  }

  /** False for what happened before NVML's events were received. */
  private boolean isLate(Detection one, NodeSnapshot view) {
    return !one.last().orElse(view.now()).isBefore(listeningSince)
        && !view.now().isBefore(one.since().orElse(view.now()).plus(WAIT));
  }
}
