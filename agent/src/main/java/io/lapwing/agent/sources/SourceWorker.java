package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.Source;
import io.lapwing.common.log.Log;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Reads one source in rounds that never overlap: a hung driver call blocks only this source. Any
 * thread may read the state.
 */
final class SourceWorker {

  private static final Log LOG = Log.of(SourceWorker.class);
  private static final long IDLE = Long.MIN_VALUE;
  private static final String OPENING = "the start of a round";

  private final Source source;
  private List<CollectorSlot> slots;
  private final Schedule schedule;
  private final SnapshotBoard board;
  private final ReadErrors errors;
  private final Cadences cadences;
  private final PollClock clock;
  private final Map<Set<Cadence>, Turn> turns = new HashMap<>();
  private final Map<String, SourceSnapshot.CollectorState> latest = new LinkedHashMap<>();
  private final Set<String> reported = new HashSet<>();

  private Access access = Access.READY;
  private final LongSupplier pausedNanos;
  private volatile long busySince = IDLE;

  /** The round that hung. A pause of the machine that is noticed later does not make it answer. */
  private volatile long hungSince = IDLE;

  private volatile boolean late;
  private volatile long pausedBefore;
  private volatile String doing = OPENING;
  private long finished;
  private volatile long rounds;
  private volatile boolean stopped;
  private volatile boolean collectorsChanged;
  private volatile boolean woken;
  private volatile boolean ended;

  /** The collectors of some cadences; always the same lists, so that a source may cache by them. */
  private record Turn(List<CollectorSlot> slots, List<Collector> collectors) {}

  /** {@code pausedNanos}: for how long the agent has not run so far. */
  SourceWorker(
      Source source,
      SnapshotBoard board,
      ReadErrors errors,
      Cadences cadences,
      Timetable timetable,
      PollClock clock,
      LongSupplier pausedNanos) {
    this.pausedNanos = pausedNanos;
    this.source = source;
    this.board = board;
    this.errors = errors;
    this.cadences = cadences;
    this.clock = clock;
    this.slots =
        source.collectors().stream()
            .map(collector -> new CollectorSlot(source.name(), collector, errors, clock))
            .toList();
    this.schedule = new Schedule(cadences, timetable, used(slots), clock.nanoTime());
  }

  /** A source without collectors is polled too, because others may depend on it. */
  private static Set<Cadence> used(List<CollectorSlot> slots) {
    return slots.isEmpty()
        ? Set.of(Cadence.MEDIUM)
        : slots.stream().map(slot -> slot.collector().cadence()).collect(Collectors.toSet());
  }

  /**
   * Time until it is due, or until it may be read early if {@code awake}; unused while it has a
   * turn.
   */
  long nanosUntilTurn(boolean awake) {
    if (stopped || collectorsChanged) {
      return 0;
    }
    if (woken) {
      woken = false;
      schedule.wake(clock.nanoTime());
    }
    long wait = schedule.nanosUntilNext(clock.nanoTime());
    return awake ? wait - schedule.nanosOfSlack() : wait;
  }

  /** Runs a round, or cleans up after a stop. */
  void turn() {
    if (!stopped) {
      round();
    }
    if (stopped) {
      ended = true;
      source.close();
    }
  }

  /** Whether it had its last turn. */
  boolean ended() {
    return ended;
  }

  /** Runs the due collectors, if any. */
  void round() {
    if (collectorsChanged) {
      collectorsChanged = false;
      refit();
    }
    Set<Cadence> due = schedule.due(clock.nanoTime());
    Turn turn = turns.computeIfAbsent(due, this::turn);
    pausedBefore = pausedNanos.getAsLong();
    busySince = clock.nanoTime();
    try {
      Access found = begin(turn.collectors());
      logChange(found);
      access = found;
      // A source that is down is down for all its collectors: values of those not read now would be
      // stale.
      List<CollectorSlot> affected = found instanceof Access.Ready ? turn.slots() : slots;
      for (CollectorSlot slot : affected) {
        doing = slot.collector().name();
        note(found instanceof Access.Ready ? slot.run() : slot.without(found));
      }
    } finally {
      late = isHung(busySince);
      doing = OPENING;
      busySince = IDLE;
    }
    schedule.ran(due, access, clock.nanoTime());
    publish();
  }

  /** Makes a round due now. */
  void wake() {
    woken = true;
  }

  /** Takes up a changed set of enabled collectors. */
  void collectorsChanged() {
    collectorsChanged = true;
  }

  /** Keeps the runs of the remaining collectors and drops those of the others. */
  private void refit() {
    Map<String, CollectorSlot> present = new HashMap<>();
    slots.forEach(slot -> present.put(slot.collector().name(), slot));
    List<CollectorSlot> now = new ArrayList<>();
    for (Collector collector : source.collectors()) {
      CollectorSlot slot = present.get(collector.name());
      now.add(slot == null ? new CollectorSlot(source.name(), collector, errors, clock) : slot);
    }
    if (now.equals(slots)) {
      return;
    }
    slots = List.copyOf(now);
    turns.clear();
    Map<String, SourceSnapshot.CollectorState> known = new HashMap<>(latest);
    latest.clear();
    for (CollectorSlot slot : slots) {
      SourceSnapshot.CollectorState one = known.get(slot.collector().name());
      if (one != null) {
        latest.put(slot.collector().name(), one);
      }
    }
    schedule.use(used(slots), clock.nanoTime());
  }

  private void note(CollectorRun run) {
    SourceSnapshot.CollectorState before = latest.get(run.collector());
    latest.put(
        run.collector(),
        before == null ? SourceSnapshot.CollectorState.first(run) : before.then(run));
  }

  private Turn turn(Set<Cadence> due) {
    List<CollectorSlot> dueSlots =
        slots.stream().filter(slot -> due.contains(slot.collector().cadence())).toList();
    return new Turn(dueSlots, dueSlots.stream().map(CollectorSlot::collector).toList());
  }

  private Access begin(List<Collector> due) {
    try {
      return source.begin(due);
    } catch (RuntimeException | Error bug) {
      if (reported.add(String.valueOf(bug))) {
        LOG.error("source failed with a bug", bug, "source", source.name());
      }
      errors.add(source.name(), "bug");
      return new Access.Down("bug", String.valueOf(bug));
    }
  }

  /** Not while it is being stopped: a removed source must leave nothing on the board. */
  private synchronized void publish() {
    if (!stopped) {
      board.publish(
          new SourceSnapshot(source.name(), source.up(), access, List.copyOf(latest.values())));
    }
    // Last, because a caller that waits for a round reads the board next.
    finished = finished + 1;
    rounds = finished;
  }

  /** Logs each change of state once. */
  private void logChange(Access found) {
    if (found.equals(access)) {
      return;
    }
    if (found instanceof Access.Down down) {
      LOG.warn(
          "source is down", "source", source.name(), "reason", down.reason(), "why", down.why());
    } else if (found instanceof Access.NothingHere nothing) {
      LOG.info("nothing to read here", "source", source.name(), "why", nothing.why());
    } else if (access instanceof Access.NothingHere) {
      LOG.info("source has something to read", "source", source.name());
    } else {
      LOG.info("source answers again", "source", source.name());
    }
  }

  SourceActivity activity() {
    long since = busySince;
    Optional<Duration> busy =
        since == IDLE ? Optional.empty() : Optional.of(Duration.ofNanos(busyNanos(since)));
    boolean hung = since != IDLE && isHung(since);
    if (hung) {
      hungSince = since;
    }
    return new SourceActivity(source.name(), rounds, busy, hung, late, doing);
  }

  private boolean isHung(long since) {
    return since == hungSince || busyNanos(since) > cadences.deadline().toNanos();
  }

  private long busyNanos(long since) {
    long paused = pausedNanos.getAsLong() - pausedBefore;
    return Math.max(0, clock.nanoTime() - since - paused);
  }

  Optional<Part> part() {
    return source.part();
  }

  PageShare share() {
    return source.share();
  }

  Optional<Series> up() {
    return source.up();
  }

  /** Stops after the current round; a round that hangs is left to its daemon thread. */
  synchronized void stop() {
    stopped = true;
  }
}
