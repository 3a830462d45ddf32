package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.rules.xid.XidRule.Times;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Replays the events of one GPU: its XIDs and the remediations. */
final class GpuXids {

  private static final int LINK_ERROR = 74;
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

  /** The last demand for each key: earlier ones with the same key add nothing. */
  private final Map<Kind, Demand> early = new LinkedHashMap<>();

  /** The key that deduplicates demands. */
  private record Kind(Set<Integer> causes, Disposition call, boolean word) {}

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
    this.links = new LinkErrors(times.repeat(), times.linkErrors());
    this.events = events;
    for (Event event : events) {
      if (event instanceof Event.Xid xid && XidRule.name(xid).equals(gpu)) {
        mine.add(xid);
      }
    }
  }

  /** The unresolved incidents, by XID number. */
  Map<Integer, Incident> open() {
    Bursts bursts = new Bursts(mine, times.burst());
    int next = 0;
    Map<Integer, Incident> episodes = new TreeMap<>();
    Remediations acts = new Remediations();
    for (Event event : events) {
      if (event instanceof Event.Xid xid && XidRule.name(xid).equals(gpu)) {
        came(next++, xid, bursts, episodes);
      } else {
        acts.of(event, gpu).ifPresent(act -> done(act, event.at(), episodes));
        over(event, episodes);
      }
    }
    episodes.values().forEach(episode -> silence(episode, now));
    episodes.values().removeIf(episode -> !episode.open());
    episodes.entrySet().removeIf(one -> isEarly(one.getKey(), one.getValue()));
    return episodes;
  }

  /** The root cause may be in the next log line. */
  private boolean isEarly(int number, Incident episode) {
    return Bursts.isDetail(number) && episode.first().plus(NEXT_LINE).isAfter(now);
  }

  private void done(Action act, Instant at, Map<Integer, Incident> episodes) {
    episodes.values().forEach(one -> one.act(act, at));
    if (act.equals(Action.REPLACE_NODE)) {
      links.forget();
    }
  }

  private void came(int index, Event.Xid xid, Bursts bursts, Map<Integer, Incident> episodes) {
    XidDetail detail = details.apply(xid);
    if (detail instanceof XidDetail.RecoveryChange change && change.to() == 0) {
      // The driver withdraws its request.
      Optional.ofNullable(episodes.get(RECOVERY)).ifPresent(Incident::forget);
      return;
    }
    Set<Integer> others = bursts.others(index);
    if (bursts.follows(index, xid)) {
      follows(xid, detail, others, episodes);
      return;
    }
    Set<Integer> earlier = spokenOf(xid, episodes);
    if (!earlier.isEmpty()) {
      follows(xid, detail, earlier, episodes);
      return;
    }
    Incident episode =
        episodes.computeIfAbsent(xid.number(), unseen -> new Incident(times.escalation()));
    silence(episode, xid.at());
    Disposition call = peers.explain(xid) ? Disposition.info() : meant(xid, detail);
    Set<Integer> known = episode.open() ? episode.companions() : Set.of();
    episode.came(xid, call, bursts.companions(index, xid, known));
    early.values().stream()
        .filter(demand -> demand.isOf(xid, times.burst()))
        .forEach(demand -> demand.put(episode));
  }

  /**
   * The driver changes its recovery action as work leaves the GPU, which may take hours: that
   * belongs to the faults that are still open and is not a new one.
   */
  private static Set<Integer> spokenOf(Event.Xid xid, Map<Integer, Incident> episodes) {
    Set<Integer> spoken = new TreeSet<>();
    if (xid.number() == RECOVERY) {
      episodes.forEach(
          (number, episode) -> {
            if (episode.open() && XidRule.lasting(episode.call())) {
              spoken.add(number);
            }
          });
    }
    return spoken.contains(RECOVERY) ? Set.of() : spoken;
  }

  private Disposition meant(Event.Xid xid, XidDetail detail) {
    return links.repeated(xid, detail)
        ? meaning.row(xid.number())
        : meaning.of(xid.number(), detail);
  }

  /** What a consequential XID demands of its root cause, which may be logged after it. */
  private record Demand(Instant at, Set<Integer> causes, Disposition call, boolean word) {

    boolean isOf(Event.Xid cause, Duration burst) {
      return causes.contains(cause.number())
          && Duration.between(at, cause.at()).abs().compareTo(burst) <= 0;
    }

    void put(Incident episode) {
      episode.add(at, call, word);
    }
  }

  /**
   * A consequential XID produces no finding. If it carries the driver's recovery action, or demands
   * a stronger action than its root cause, the root cause inherits the demand.
   */
  private void follows(
      Event.Xid xid, XidDetail detail, Set<Integer> others, Map<Integer, Incident> episodes) {
    Disposition call = meaning.of(xid.number(), detail);
    if (call.severity() == Severity.INFO) {
      return;
    }
    Demand demand = new Demand(xid.at(), others, call, detail instanceof XidDetail.RecoveryChange);
    early.put(new Kind(others, call, demand.word()), demand);
    others.stream()
        .map(episodes::get)
        .filter(episode -> episode != null && episode.open())
        .forEach(demand::put);
  }

  private void over(Event event, Map<Integer, Incident> episodes) {
    if (event instanceof Event.OperatorCleared cleared) {
      if (isMeant(cleared, LINK_ERROR)) {
        links.forget();
      }
      episodes.forEach(
          (number, episode) -> {
            if (isMeant(cleared, number)) {
              episode.forget();
            }
          });
    } else if (event instanceof Event.ApplicationEnded ended && ended.gpu().equals(gpu)) {
      episodes.values().stream()
          .filter(episode -> ranIn(ended, episode))
          .forEach(episode -> episode.act(Action.RESTART_APP, ended.at()));
    }
  }

  private boolean isMeant(Event.OperatorCleared cleared, int number) {
    return (cleared.rule().isEmpty() || cleared.rule().equals("xid_" + number))
        && (cleared.subject().isEmpty() || cleared.subject().equals("gpu:" + gpu));
  }

  private static boolean ranIn(Event.ApplicationEnded ended, Incident episode) {
    return ended.pid().isEmpty()
        || episode.example().filter(xid -> xid.pid().equals(ended.pid())).isPresent();
  }

  /** Closes an incident without a verifiable remediation after a quiet period. */
  private void silence(Incident episode, Instant at) {
    if (!episode.open() || XidRule.lasting(episode.call())) {
      return;
    }
    Duration quiet =
        episode.call().severity() == Severity.INFO ? times.quietInfo() : times.quietWatch();
    if (episode.last().plus(quiet).isBefore(at)) {
      episode.forget();
    }
  }
}
