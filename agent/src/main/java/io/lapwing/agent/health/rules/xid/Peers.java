package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Faults elsewhere in the node that explain an NVLink error of a GPU: a peer that fell off the bus,
 * a switch, the other end of the link. An XID of the kernel log that NVML does not confirm explains
 * nothing; until NVML's word it explains no error that came well before it. A line that a user made
 * must not lower a finding.
 */
final class Peers {

  private static final Set<Integer> LINK = Set.of(74, 145);
  private static final Set<Integer> AFTERMATH = Set.of(43, 45, 154);
  private static final int FALLEN_OFF_THE_BUS = 79;

  /** The link errors of peers may be logged a little before the XID that caused them. */
  private static final Duration LOGGED_BEFORE = Duration.ofSeconds(10);

  private final Map<String, Bursts.Moments> deaths = new TreeMap<>();

  /** Without an answer of NVML yet. */
  private final Map<String, Bursts.Moments> undecided = new TreeMap<>();

  private final Bursts.Moments switches = new Bursts.Moments();

  /** XIDs that may be the cause of a secondary link error, by GPU. */
  private final Map<String, Bursts.Moments> causes = new TreeMap<>();

  /** NVML's last word by rule and subject. */
  private final Map<String, Event.FindingConfirmation> words = new HashMap<>();

  private final boolean logFile;
  private final Duration near;

  /** {@code secondary}: whether an XID is only a consequence of a fault elsewhere. */
  Peers(NodeSnapshot view, Duration near, Predicate<Event.Xid> secondary) {
    this.near = near;
    this.logFile = view.agent().logFile().isPresent();
    for (Event event : view.history().events()) {
      if (event instanceof Event.FindingConfirmation word) {
        words.put(word.rule() + ' ' + word.subject(), word);
      }
    }
    for (Event event : view.history().events()) {
      if (event instanceof Event.SXid sxid) {
        switches.add(sxid.at());
      } else if (event instanceof Event.Xid xid) {
        add(xid, secondary);
      }
    }
  }

  private void add(Event.Xid xid, Predicate<Event.Xid> secondary) {
    String gpu = XidRule.name(xid);
    Optional<Boolean> confirmed = confirmed(xid, gpu);
    if (confirmed.equals(Optional.of(false))) {
      return;
    }
    if (xid.number() == FALLEN_OFF_THE_BUS) {
      (confirmed.isPresent() ? deaths : undecided)
          .computeIfAbsent(gpu, unseen -> new Bursts.Moments())
          .add(xid.at());
    }
    if (!AFTERMATH.contains(xid.number()) && xid.cause().isEmpty() && !secondary.test(xid)) {
      causes.computeIfAbsent(gpu, unseen -> new Bursts.Moments()).add(xid.at());
    }
  }

  /**
   * Empty if NVML has no answer yet, or cannot have one; that an older one was not confirmed says
   * nothing. A syslog file may have lines of any user.
   */
  private Optional<Boolean> confirmed(Event.Xid xid, String gpu) {
    if (xid.origins().contains(Event.Origin.NVML)) {
      return Optional.of(true);
    }
    return Optional.ofNullable(words.get("xid_" + xid.number() + ' ' + new Subject.Gpu(gpu).text()))
        .filter(word -> word.confirmed() || !xid.at().isAfter(word.at()))
        .map(Event.FindingConfirmation::confirmed)
        .or(() -> logFile && xid.sequence().isEmpty() ? Optional.of(false) : Optional.empty());
  }

  /** Whether the failure of another GPU explains it. */
  boolean explain(Event.Xid xid) {
    return LINK.contains(xid.number()) && died(gpu -> !gpu.equals(XidRule.name(xid)), xid.at());
  }

  /** Whether any GPU fell off the bus at about that time. */
  boolean fellOffTheBus(Instant at) {
    return died(any -> true, at);
  }

  private boolean died(Predicate<String> which, Instant at) {
    return any(deaths, which, death -> death.hasNear(at, near))
        || any(undecided, which, death -> death.hasAny(at.minus(near), at.plus(LOGGED_BEFORE)));
  }

  private static boolean any(
      Map<String, Bursts.Moments> all, Predicate<String> which, Predicate<Bursts.Moments> when) {
    return all.entrySet().stream()
        .anyMatch(one -> which.test(one.getKey()) && when.test(one.getValue()));
  }

  /** Whether any GPU or switch had another fault at about that time. */
  boolean anyCause(Instant at) {
    return switches.hasNear(at, near)
        || causes.values().stream().anyMatch(cause -> cause.hasNear(at, near));
  }
}
