package io.lapwing.agent.health.xid;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The XIDs of one GPU, cut where nothing came for a while: what is in one burst has one cause. */
final class Bursts {

  /** Killed channels and stopped applications, whatever the fault was. */
  private static final Set<Integer> AFTERMATH = Set.of(43, 45);

  /** What tells more of an uncorrectable error that XID 48 reports. */
  private static final Set<Integer> OF_48 = Set.of(63, 94, 171, 172);

  private static final int RECOVERY = 154;

  private final List<Burst> bursts = new ArrayList<>();

  private record Burst(Instant start, Instant end, Set<Integer> numbers) {}

  Bursts(List<Event.Xid> xids, Duration gap) {
    for (Event.Xid xid : xids) {
      Burst open = bursts.isEmpty() ? null : bursts.get(bursts.size() - 1);
      if (open == null || xid.at().isAfter(open.end().plus(gap))) {
        bursts.add(new Burst(xid.at(), xid.at(), new TreeSet<>(Set.of(xid.number()))));
      } else {
        Instant end = xid.at().isAfter(open.end()) ? xid.at() : open.end();
        open.numbers().add(xid.number());
        bursts.set(bursts.size() - 1, new Burst(open.start(), end, open.numbers()));
      }
    }
  }

  /** The other numbers of its burst. */
  Set<Integer> others(Event.Xid xid) {
    Set<Integer> others = new TreeSet<>(numbers(xid));
    others.remove(xid.number());
    return others;
  }

  /** Whether it only follows from another XID of its burst, which then speaks for it. */
  boolean follows(Event.Xid xid) {
    Set<Integer> causes = others(xid);
    causes.removeAll(AFTERMATH);
    int number = xid.number();
    if (AFTERMATH.contains(number)) {
      return !causes.isEmpty() || xid.cause().isPresent();
    }
    causes.remove(RECOVERY);
    return number == RECOVERY ? !causes.isEmpty() : OF_48.contains(number) && causes.contains(48);
  }

  private Set<Integer> numbers(Event.Xid xid) {
    return bursts.stream()
        .filter(burst -> !xid.at().isBefore(burst.start()) && !xid.at().isAfter(burst.end()))
        .findFirst()
        .map(Burst::numbers)
        .orElse(Set.of());
  }
}
