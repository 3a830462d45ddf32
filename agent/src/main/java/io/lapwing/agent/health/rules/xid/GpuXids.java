package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.xid.XidRule.Times;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Replays the events of one GPU: its XIDs and the remediations. */
final class GpuXids {

  private static final int LINK_ERROR = 74;
  private static final int CONTAINED = 94;
  private static final int RECOVERY = 154;
  private static final Duration NEXT_LINE = Duration.ofSeconds(2);

  private final String gpu;
  private final XidMeaning meaning;
  private final Function<Event.Xid, XidDetail> details;
  private final Peers peers;
  private final Times times;
  private final Instant now;
  private final LinkErrors links;
  private final List<Event> events;
  private final List<Event.Xid> mine = new ArrayList<>();

  /** Which of them are the first ones after a remediation or a clear: not of the burst before. */
  private final Set<Integer> burstStarts = new HashSet<>();

  /** The last XID 94. */
  private Optional<Instant> contained = Optional.empty();

  private boolean containedInBurst;

  private final RecoveryRequests requests;

  /** The last demand for each key: earlier ones with the same key add nothing. */
  private final Map<Kind, Demand> early = new LinkedHashMap<>();

  /** The key that deduplicates demands. */
  private record Kind(Set<Integer> causes, Disposition disposition, boolean word) {}

  GpuXids(
      String gpu,
      XidMeaning meaning,
      Function<Event.Xid, XidDetail> details,
      Peers peers,
      Times times,
      Instant now,
      List<Event> events) {
    this.gpu = gpu;
    this.meaning = meaning;
    this.details = details;
    this.peers = peers;
    this.times = times;
    this.now = now;
    this.requests = new RecoveryRequests(times.escalation());
    this.links = new LinkErrors(times.repeat(), times.linkErrors());
    this.events = events;
    Remediations remediations = new Remediations();
    for (Event event : events) {
      if (event instanceof Event.Xid xid && XidRule.name(xid).equals(gpu)) {
        mine.add(xid);
      } else if (remediations.of(event, gpu).isPresent() || clearsAny(event)) {
        burstStarts.add(mine.size());
      }
    }
  }

  private boolean clearsAny(Event event) {
    return event instanceof Event.OperatorCleared cleared
        && mine.stream().anyMatch(xid -> clears(cleared, xid.number()));
  }

  /** The unresolved incidents, by XID number. */
  Map<Integer, Incident> open() {
    Bursts bursts = new Bursts(mine, burstStarts, times.burst());
    int next = 0;
    Map<Integer, Incident> incidents = new TreeMap<>();
    Remediations remediations = new Remediations();
    for (Event event : events) {
      if (event instanceof Event.Xid xid && XidRule.name(xid).equals(gpu)) {
        if (burstStarts.contains(next)) {
          early.clear();
          containedInBurst = false;
        }
        occurred(next++, xid, bursts, incidents);
      } else {
        remediations.of(event, gpu).ifPresent(act -> done(act, event, incidents));
        over(event, incidents);
      }
    }
    incidents.values().forEach(incident -> silence(incident, now));
    incidents.values().removeIf(incident -> !incident.open());
    incidents.entrySet().removeIf(one -> isEarly(one.getKey(), one.getValue()));
    return incidents;
  }

  /** The root cause may be in the next log line. */
  private boolean isEarly(int number, Incident incident) {
    return Bursts.isDetail(number) && incident.first().plus(NEXT_LINE).isAfter(now);
  }

  private void done(Action act, Event event, Map<Integer, Incident> incidents) {
    for (Incident incident : incidents.values()) {
      // The kernel log may be read only after NVML reported what followed the load.
      boolean readLate =
          event instanceof Event.DriverLoaded && event.at().isBefore(incident.last());
      if (!readLate) {
        incident.remediate(act, event.at());
      }
    }
    requests.remediate(act, event.at());
    if (act.equals(Action.REPLACE_NODE)) {
      links.clear();
      contained = Optional.empty();
    }
  }

  private void occurred(int index, Event.Xid xid, Bursts bursts, Map<Integer, Incident> incidents) {
    XidDetail detail = details.apply(xid);
    if (detail instanceof XidDetail.RecoveryChange change && change.to() == 0) {
      // The driver withdraws its request. After a remediation its next one is a recurrence.
      Optional.ofNullable(incidents.get(RECOVERY))
          .filter(Incident::open)
          .ifPresent(incident -> incident.withdraw(xid.at()));
      incidents.values().forEach(incident -> incident.withdrawRecovery(xid.at()));
      early.values().removeIf(Demand::word);
      requests.withdraw(xid.at());
      return;
    }
    Set<Integer> others = bursts.others(index);
    if (bursts.follows(index, xid)
        && (!demands(xid, detail)
            || bursts.rootCauseComesLater(index, others)
            || others.stream().map(incidents::get).anyMatch(one -> isCause(one, xid)))) {
      // The driver's request also stays with what was open before.
      follows(xid, detail, union(others, coveredBy(xid, incidents)), incidents);
      return;
    }
    Set<Integer> earlier = coveredBy(xid, incidents);
    if (!earlier.isEmpty()) {
      follows(xid, detail, earlier, incidents);
      return;
    }
    Incident incident =
        incidents.computeIfAbsent(xid.number(), unseen -> new Incident(times.escalation()));
    silence(incident, xid.at());
    Disposition disposition =
        peers.explain(xid) ? Disposition.info() : returned(xid, meant(xid, detail));
    if (detail instanceof XidDetail.RecoveryChange) {
      disposition = requests.next(xid.at(), disposition);
    }
    Set<Integer> known = incident.open() ? incident.companions() : Set.of();
    incident.occurred(xid, disposition, bursts.companions(index, xid, known));
    early.values().stream()
        .filter(demand -> demand.isOf(xid, times.burst()))
        .forEach(demand -> demand.put(incident));
  }

  /**
   * The driver's recovery action changes as work leaves the GPU, maybe hours later: part of the
   * open faults, not a new one.
   */
  private static Set<Integer> coveredBy(Event.Xid xid, Map<Integer, Incident> incidents) {
    Set<Integer> covered = new TreeSet<>();
    if (xid.number() == RECOVERY) {
      incidents.forEach(
          (number, incident) -> {
            if (incident.open() && XidRule.lasting(incident.disposition())) {
              covered.add(number);
            }
          });
    }
    return covered.contains(RECOVERY) ? Set.of() : covered;
  }

  private static Set<Integer> union(Set<Integer> some, Set<Integer> more) {
    Set<Integer> all = new TreeSet<>(some);
    all.addAll(more);
    return all;
  }

  /** Whether an XID, which may be far from it in a long burst, belongs to this incident. */
  private boolean isCause(@Nullable Incident incident, Event.Xid xid) {
    return incident != null
        && incident.open()
        && (xid.number() != RECOVERY
            || XidRule.lasting(incident.disposition())
            || !xid.at().isAfter(incident.last().plus(times.burst())));
  }

  /** Whether a consequential XID requires more than its root cause had, once that is closed. */
  private boolean demands(Event.Xid xid, XidDetail detail) {
    return meaning.of(xid.number(), detail).severity() != Severity.INFO;
  }

  private Disposition meant(Event.Xid xid, XidDetail detail) {
    if (links.repeated(xid, detail)) {
      return meaning.row(xid.number());
    }
    // NVIDIA's catalogue: a consequence of another fault; alone, a reason to report it.
    return XidRule.isSecondary(detail) && !peers.anyCause(xid.at())
        ? Disposition.WATCH.atMost(meaning.row(xid.number()))
        : meaning.of(xid.number(), detail);
  }

  /** A contained error that returns within the escalation time is a failing GPU. */
  private Disposition returned(Event.Xid xid, Disposition disposition) {
    if (xid.number() != CONTAINED) {
      return disposition;
    }
    Optional<Instant> before =
        contained.filter(at -> xid.at().isBefore(at.plus(times.escalation())));
    boolean sameBurst =
        before
            .filter(at -> containedInBurst && !xid.at().isAfter(at.plus(times.burst())))
            .isPresent();
    contained = Optional.of(xid.at());
    containedInBurst = true;
    return before.isPresent() && !sameBurst && disposition.action() == Action.REPLACE_NODE
        ? new Disposition(Severity.FAILING, disposition.action(), Urgency.NOW)
        : disposition;
  }

  /**
   * The action that a consequential XID requires for its root cause, which may be logged after it.
   */
  private record Demand(Instant at, Set<Integer> causes, Disposition disposition, boolean word) {

    boolean isOf(Event.Xid cause, Duration burst) {
      return causes.contains(cause.number())
          && Duration.between(at, cause.at()).abs().compareTo(burst) <= 0;
    }

    void put(Incident incident) {
      incident.add(at, disposition, word);
    }
  }

  /**
   * A consequential XID has no finding; its root cause inherits the driver's recovery action or a
   * stronger demand.
   */
  private void follows(
      Event.Xid xid, XidDetail detail, Set<Integer> others, Map<Integer, Incident> incidents) {
    if (!demands(xid, detail)) {
      return;
    }
    Disposition disposition = meaning.of(xid.number(), detail);
    boolean word = detail instanceof XidDetail.RecoveryChange;
    if (word) {
      disposition = requests.next(xid.at(), disposition);
    }
    Demand demand = new Demand(xid.at(), others, disposition, word);
    Kind kind = new Kind(others, disposition, demand.word());
    early.remove(kind); // in the order of the last ones: the driver's latest request counts
    early.put(kind, demand);
    others.stream()
        .map(incidents::get)
        .filter(incident -> isCause(incident, xid))
        .forEach(demand::put);
  }

  private void over(Event event, Map<Integer, Incident> incidents) {
    if (event instanceof Event.OperatorCleared cleared) {
      if (clears(cleared, LINK_ERROR)) {
        links.clear();
      }
      if (clears(cleared, CONTAINED)) {
        contained = Optional.empty();
      }
      incidents.forEach(
          (number, incident) -> {
            if (clears(cleared, number)) {
              incident.close();
              requests.clear();
            }
          });
    } else if (event instanceof Event.ApplicationEnded ended && ended.gpu().equals(gpu)) {
      incidents.values().forEach(incident -> incident.ended(ended.pid(), ended.at()));
    }
  }

  private boolean clears(Event.OperatorCleared cleared, int number) {
    return cleared.covers("xid_" + number, new Subject.Gpu(gpu).text());
  }

  /** Closes an incident without a verifiable remediation after a quiet period. */
  private void silence(Incident incident, Instant at) {
    if (!incident.open() || XidRule.lasting(incident.disposition())) {
      return;
    }
    Duration quiet =
        incident.disposition().severity() == Severity.INFO ? times.quietInfo() : times.quietWatch();
    if (incident.last().plus(quiet).isBefore(at)) {
      incident.end();
    }
  }
}
