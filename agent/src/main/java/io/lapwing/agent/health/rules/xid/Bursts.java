package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One GPU's XIDs in bursts by time gap, each with one root cause; MIG instances are isolated, so
 * that an XID of one does not explain that of another. A storm has thousands: no nested iteration.
 */
final class Bursts {

  /** Killed channels and stopped applications: consequences of any fault. */
  private static final Set<Integer> AFTERMATH = Set.of(43, 45);

  /** Details of an uncorrectable error that XID 48 reports. */
  private static final Set<Integer> OF_48 = Set.of(63, 94, 171, 172);

  /** Those of them that mean nothing without it. */
  private static final Set<Integer> DETAIL_OF_48 = Set.of(171, 172);

  private static final int RECOVERY = 154;

  private final Duration gap;
  private final List<Event.Xid> xids;

  /** One for each XID, in list order. */
  private final List<Kind> kinds = new ArrayList<>();

  /** Times of the consequential XIDs, by number. */
  private final Map<Integer, Moments> followers = new HashMap<>();

  private static final class Burst {
    final Map<Key, Kind> kinds = new HashMap<>();
    Instant end = Instant.MIN;

    Kind of(Event.Xid xid) {
      return kinds.computeIfAbsent(
          new Key(xid.number(), xid.gpuInstance()), unseen -> new Kind(this, unseen));
    }
  }

  /** A number on a MIG instance, or on the whole GPU. */
  private record Key(int number, OptionalInt instance) {

    boolean mayConcern(Key other) {
      return instance.isEmpty() || other.instance.isEmpty() || instance.equals(other.instance);
    }
  }

  private static final class Kind {
    final Burst burst;
    final Key key;

    /** Its XIDs in the list, in ascending order. */
    final List<Integer> indices = new ArrayList<>();

    Set<Integer> others = Set.of();
    boolean follows;

    Kind(Burst burst, Key key) {
      this.burst = burst;
      this.key = key;
    }

    /** The first of its XIDs after this one in the list. */
    Optional<Integer> next(int index) {
      int place = Collections.binarySearch(indices, index + 1);
      int next = place < 0 ? -place - 1 : place;
      return next < indices.size() ? Optional.of(indices.get(next)) : Optional.empty();
    }

    /** Called once the burst is complete. */
    void settle() {
      others = new TreeSet<>();
      for (Key other : burst.kinds.keySet()) {
        if (other.number() != key.number() && other.mayConcern(key)) {
          others.add(other.number());
        }
      }
      follows = follows(key.number(), others);
    }
  }

  /**
   * {@code burstStarts}: indices of XIDs that belong to no burst before, however short ago that
   * was.
   */
  Bursts(List<Event.Xid> xids, Set<Integer> burstStarts, Duration gap) {
    this.gap = gap;
    this.xids = xids;
    List<Burst> bursts = new ArrayList<>();
    for (Event.Xid xid : xids) {
      Burst open = bursts.isEmpty() ? null : bursts.get(bursts.size() - 1);
      if (open == null
          || burstStarts.contains(kinds.size())
          || xid.at().isAfter(open.end.plus(gap))) {
        open = new Burst();
        open.end = xid.at();
        bursts.add(open);
      }
      open.end = xid.at().isAfter(open.end) ? xid.at() : open.end;
      Kind kind = open.of(xid);
      kind.indices.add(kinds.size());
      kinds.add(kind);
    }
    bursts.forEach(burst -> burst.kinds.values().forEach(Kind::settle));
    for (int i = 0; i < kinds.size(); i++) {
      if (follows(i, xids.get(i))) {
        followers
            .computeIfAbsent(xids.get(i).number(), unseen -> new Moments())
            .add(xids.get(i).at());
      }
    }
  }

  /** Whether this number usually accompanies another one that means more. */
  static boolean isDetail(int number) {
    return DETAIL_OF_48.contains(number);
  }

  /**
   * Whether one of these numbers, and no consequence, comes after this XID within the gap. A burst
   * may be much longer.
   */
  boolean rootCauseComesLater(int index, Set<Integer> numbers) {
    Instant end = xids.get(index).at().plus(gap);
    return kinds.get(index).burst.kinds.values().stream()
        .filter(kind -> !kind.follows && numbers.contains(kind.key.number()))
        .anyMatch(
            kind -> kind.next(index).filter(next -> !xids.get(next).at().isAfter(end)).isPresent());
  }

  Set<Integer> others(int index) {
    return kinds.get(index).others;
  }

  /** Whether it is a consequence of another XID of its burst, whose finding covers it. */
  boolean follows(int index, Event.Xid xid) {
    return kinds.get(index).follows
        || (AFTERMATH.contains(xid.number()) && xid.cause().isPresent());
  }

  private static boolean follows(int number, Set<Integer> others) {
    Set<Integer> causes = new TreeSet<>(others);
    causes.removeAll(AFTERMATH);
    if (AFTERMATH.contains(number)) {
      return !causes.isEmpty();
    }
    causes.remove(RECOVERY);
    return number == RECOVERY ? !causes.isEmpty() : OF_48.contains(number) && causes.contains(48);
  }

  /** The numbers that this one's finding covers, without the {@code known} ones. */
  Set<Integer> companions(int index, Event.Xid xid, Set<Integer> known) {
    Set<Integer> companions = new TreeSet<>();
    for (int other : others(index)) {
      Moments times = followers.get(other);
      if (times != null && !known.contains(other) && times.hasNear(xid.at(), gap)) {
        companions.add(other);
      }
    }
    return companions;
  }

  static final class Moments {

    private final NavigableSet<Instant> times = new TreeSet<>();

    void add(Instant at) {
      times.add(at);
    }

    /** Whether any occurrence is within this distance of the moment. */
    boolean hasNear(Instant at, Duration apart) {
      return isNear(times.floor(at), at, apart) || isNear(times.ceiling(at), at, apart);
    }

    /** Whether there is an occurrence between these moments. */
    boolean hasAny(Instant from, Instant to) {
      Instant next = times.ceiling(from);
      return next != null && !next.isAfter(to);
    }

    private static boolean isNear(@Nullable Instant one, Instant at, Duration apart) {
      return one != null && Duration.between(one, at).abs().compareTo(apart) <= 0;
    }
  }
}
