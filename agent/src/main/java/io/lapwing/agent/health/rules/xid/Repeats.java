package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Subject;
import io.lapwing.xid.XidDetail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * XIDs 13 and 31 blame the application unless several processes have them: 13 at one place of the
 * GPU, 31 anywhere on it or on its MIG instance: the programs of other tenants do not count. A
 * process with 13 at several places is a broken program and does not count. Neither reset nor
 * reboot closes the finding.
 */
final class Repeats {

  private static final int SM_EXCEPTION = 13;
  static final int PAGE_FAULT = 31;

  private final String gpu;
  private final Function<Event.Xid, XidDetail> details;
  private final XidRule.Times times;
  private final Instant now;

  /** An XID and its process by boot number, pid and name: a pid alone is reused. */
  private record Sight(Event.Xid xid, String place, String process) {

    String fault() {
      return xid.number() + " at " + xid.gpuInstance() + " " + place;
    }

    String numberAndProcess() {
      return xid.number() + " of " + process;
    }
  }

  Repeats(String gpu, Function<Event.Xid, XidDetail> details, XidRule.Times times, Instant now) {
    this.gpu = gpu;
    this.details = details;
    this.times = times;
    this.now = now;
  }

  /** The XIDs that still count. */
  List<Repeat> in(List<Event> events) {
    List<Sight> sights = sights(events);
    Map<String, Set<String>> places = new HashMap<>();
    sights.forEach(
        sight ->
            places
                .computeIfAbsent(sight.numberAndProcess(), one -> new HashSet<>())
                .add(sight.fault()));
    Map<String, Run> runs = new TreeMap<>();
    sights.stream()
        .filter(sight -> places.getOrDefault(sight.numberAndProcess(), Set.of()).size() == 1)
        .forEach(sight -> runs.computeIfAbsent(sight.fault(), unseen -> new Run()).add(sight));
    return runs.values().stream().flatMap(run -> run.open().stream()).toList();
  }

  /** Not before a change of the machine or an operator's acknowledgement. */
  private List<Sight> sights(List<Event> events) {
    List<Sight> sights = new ArrayList<>();
    Remediations remediations = new Remediations();
    int boots = 0;
    for (Event event : events) {
      if (event instanceof Event.Xid xid && XidRule.name(xid).equals(gpu)) {
        sight(xid, boots).ifPresent(sights::add);
      } else if (event instanceof Event.OperatorCleared cleared) {
        String subject = new Subject.Gpu(gpu).text();
        sights.removeIf(sight -> cleared.covers(name(sight.xid().number()), subject));
      } else if (remediations.of(event, gpu).filter(Action.REPLACE_NODE::equals).isPresent()) {
        sights.clear();
      }
      boots += event instanceof Event.Booted ? 1 : 0;
    }
    sights.sort(Comparator.comparing(sight -> sight.xid().at()));
    return sights;
  }

  /** Without a pid processes are indistinguishable; a consequential XID does not count. */
  private Optional<Sight> sight(Event.Xid xid, int boots) {
    if (xid.pid().isEmpty() || xid.cause().isPresent()) {
      return Optional.empty();
    }
    String process = boots + " " + xid.pid().getAsLong() + " " + xid.process();
    return place(xid).map(place -> new Sight(xid, place, process));
  }

  private Optional<String> place(Event.Xid xid) {
    if (xid.number() == PAGE_FAULT) {
      return Optional.of("");
    }
    return xid.number() == SM_EXCEPTION && details.apply(xid) instanceof XidDetail.SmPlace sm
        ? Optional.of("GPC " + sm.gpc() + ", TPC " + sm.tpc())
        : Optional.empty();
  }

  /** {@code xid_13_repeated}. */
  static String name(int number) {
    return "xid_" + number + "_repeated";
  }

  /** The XIDs at one place, in time order. */
  private final class Run {

    private final List<Sight> recent = new ArrayList<>();
    private boolean open;

    /** Open from the moment at which enough processes had it within the window. */
    void add(Sight sight) {
      Instant at = sight.xid().at();
      if (open && over(at)) {
        open = false;
        recent.clear();
      }
      if (!open) {
        recent.removeIf(before -> before.xid().at().plus(times.repeat()).isBefore(at));
      }
      recent.add(sight);
      open |= processes() >= times.processes();
    }

    private int processes() {
      return (int) recent.stream().map(Sight::process).distinct().count();
    }

    /** The names of the processes; those without a name are taken for one program. */
    private Set<String> programs() {
      return recent.stream().map(sight -> sight.xid().process()).collect(Collectors.toSet());
    }

    private boolean over(Instant at) {
      return last().plus(times.quietWatch()).isBefore(at);
    }

    private Instant last() {
      return recent.get(recent.size() - 1).xid().at();
    }

    Optional<Repeat> open() {
      if (!open || over(now)) {
        return Optional.empty();
      }
      Sight first = recent.get(0);
      Set<Event.Origin> origins = EnumSet.noneOf(Event.Origin.class);
      recent.forEach(sight -> origins.addAll(sight.xid().origins()));
      return Optional.of(
          new Repeat(
              first.xid().number(),
              first.xid().gpuInstance(),
              first.place(),
              processes(),
              programs(),
              first.xid().at(),
              last(),
              recent.stream().mapToLong(sight -> sight.xid().times()).sum(),
              origins));
    }
  }
}
