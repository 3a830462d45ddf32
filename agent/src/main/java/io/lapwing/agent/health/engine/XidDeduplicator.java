package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Hears of faults from the kernel log and from NVML. Both tell of the same XIDs: one of each is one
 * event. What is alike, at the same place of the GPU too, and comes within {@link #HOLD} is counted
 * together, so that a storm costs a few events a second. Thread-safe; whoever tells is never kept
 * waiting.
 */
public final class XidDeduplicator {

  /** As which a GPU that fell off the bus is counted, in whatever words the log tells it. */
  public static final int FALLEN_OFF_THE_BUS = 79;

  /** For how long what is alike is counted together. */
  public static final Duration HOLD = Duration.ofMillis(300);

  /** For how long an NVML event waits for the kernel's own words, which say more. */
  private static final Duration PATIENCE = Duration.ofMillis(1_200);

  /** How far apart the two may tell of the same fault. */
  private static final Duration SAME = Duration.ofSeconds(10);

  /** The text without the word Xid may come long before or after XID 79. */
  private static final Duration SAME_FALL = Duration.ofMinutes(5);

  private static final int MOST_KINDS = 200;

  /** The links of a GPU are told apart; a program that fails at so many TPCs fails at all. */
  private static final int MOST_PLACES = 18;

  private static final int MOST_TOLD = 200;

  private final Function<String, Optional<KernelFact>> facts;
  private final PciToUuidMap names;
  private final PollClock clock;

  private final Map<XidAggregate.Kind, XidAggregate> tallies = new LinkedHashMap<>();
  private final Map<SxidAggregate.Kind, SxidAggregate> switches = new LinkedHashMap<>();
  private final List<Event> others = new ArrayList<>();

  /** What the kernel told of and NVML did not yet, by GPU and number. */
  private final Map<Pair, Told> toldByKernel = new LinkedHashMap<>();

  /** What only NVML told of, already an event. */
  private final List<Heard> toldByNvml = new ArrayList<>();

  private final List<Heard> waiting = new ArrayList<>();
  private final Map<String, Fall> falls = new LinkedHashMap<>();

  /** When what is held has to be given out, on the clock that never jumps. */
  private OptionalLong due = OptionalLong.empty();

  private OptionalLong absorbed = OptionalLong.empty();

  private record Pair(String gpu, int number) {}

  private record Told(long times, Instant last) {}

  /**
   * Of NVML.
   *
   * @param until when it waits for the kernel's words, in nanoseconds of the clock
   */
  private record Heard(Pair pair, Instant at, long until) {}

  private record Fall(Instant at, boolean byText) {}

  /**
   * An intake that has heard nothing yet.
   *
   * @param facts reads the kernel's messages, in their order
   */
  public XidDeduplicator(
      Function<String, Optional<KernelFact>> facts, PciToUuidMap names, PollClock clock) {
    this.facts = facts;
    this.names = names;
    this.clock = clock;
  }

  /** What was told before the agent was started again is not told once more. */
  public synchronized void remember(List<Event> events) {
    for (Event event : events) {
      if (event instanceof Event.Booted) {
        falls.clear();
        toldByNvml.clear();
      } else if (event instanceof Event.Xid xid) {
        if (xid.number() == FALLEN_OFF_THE_BUS) {
          falls.put(name(xid.gpu(), xid.pci()), new Fall(xid.at(), false));
        }
        if (!xid.origins().contains(Event.Origin.KERNEL)) {
          addTold(new Heard(new Pair(name(xid.gpu(), xid.pci()), xid.number()), xid.at(), 0));
        }
      }
    }
  }

  /** Messages of the kernel, in their order. */
  public synchronized void kernel(List<KernelRecord> records) {
    for (KernelRecord kernelRecord : records) {
      facts.apply(kernelRecord.text()).ifPresent(fact -> fact(fact, kernelRecord));
    }
  }

  /** Messages of any kind are gone unread; the kernel log was read up to that sequence. */
  public synchronized void lost(long messages, OptionalLong readTo) {
    others.add(new Event.KernelLogRead(clock.instant(), readTo.orElse(0), messages));
    hold();
  }

  /** An XID event of NVML. */
  public synchronized void nvml(String gpu, long number, Instant at) {
    Pair pair = new Pair(gpu, Math.toIntExact(Math.min(number, Integer.MAX_VALUE)));
    Told told = toldByKernel.get(pair);
    if (told != null && within(SAME, told.last(), at)) {
      forgetOne(pair, told);
      tallies.entrySet().stream()
          .filter(entry -> isOf(entry.getKey(), pair))
          .findFirst()
          .ifPresent(entry -> entry.getValue().confirm(Event.Origin.NVML));
      return;
    }
    long until = clock.nanoTime() + PATIENCE.toNanos();
    waiting.add(new Heard(pair, at, until));
    holdUntil(until);
  }

  /**
   * When something is to be taken out, in nanoseconds of the clock; empty while nothing is held.
   */
  public synchronized OptionalLong due() {
    return due;
  }

  /** What is to be told by now, in the order in which it came. */
  public synchronized List<Event> take() {
    long now = clock.nanoTime();
    waiting.stream().filter(heard -> heard.until() - now <= 0).forEach(this::alone);
    waiting.removeIf(heard -> heard.until() - now <= 0);
    List<Event> events = new ArrayList<>(others);
    // All of them, however young: the last sequence that is kept must not run ahead of what is not.
    tallies.values().forEach(tally -> events.add(tally.event()));
    switches.values().forEach(tally -> events.add(tally.event()));
    absorbed.ifPresent(
        sequence -> events.add(new Event.KernelLogRead(clock.instant(), sequence, 0)));
    others.clear();
    tallies.clear();
    switches.clear();
    absorbed = OptionalLong.empty();
    due = waiting.stream().mapToLong(Heard::until).min();
    return events;
  }

  private void fact(KernelFact fact, KernelRecord from) {
    Instant at = notAhead(from.at());
    if (fact instanceof KernelFact.Xid xid) {
      xid(xid, from, at);
    } else if (fact instanceof KernelFact.OffBus fallen) {
      offBus(fallen, from, at);
    } else if (fact instanceof KernelFact.SXid sxid) {
      switches
          .computeIfAbsent(SxidAggregate.Kind.of(sxid), kind -> new SxidAggregate(sxid, at))
          .add(from.sequence());
      hold();
    } else if (fact instanceof KernelFact.GpuAt gpu) {
      names.learn(gpu.pci(), gpu.uuid());
    } else if (fact instanceof KernelFact.DriverLoaded loaded) {
      others.add(new Event.DriverLoaded(at, loaded.version()));
      absorb(from);
    }
  }

  /** What is to come has not happened: a clock that was set back, or a boot time that is wrong. */
  private Instant notAhead(Optional<Instant> told) {
    Instant now = clock.instant();
    return told.filter(at -> at.isBefore(now)).orElse(now);
  }

  private void xid(KernelFact.Xid xid, KernelRecord from, Instant at) {
    String gpu = names.uuid(xid.pci()).orElse("");
    String name = name(gpu, xid.pci().toString());
    if (xid.number() == FALLEN_OFF_THE_BUS && fell(name, at, false)) {
      absorb(from);
      return;
    }
    Pair pair = new Pair(name, xid.number());
    if (toldBefore(pair, at)) {
      absorb(from);
      return;
    }
    tally(XidAggregate.Kind.of(xid, gpu), at, xid.message(), xid.cause(), from);
    meet(pair, at);
  }

  /** It counts as XID 79, unless one is there already. */
  private void offBus(KernelFact.OffBus fallen, KernelRecord from, Instant at) {
    String gpu = names.uuid(fallen.pci()).orElse("");
    String pci = fallen.pci().toString();
    String name = name(gpu, pci);
    if (fell(name, at, true)) {
      absorb(from);
      return;
    }
    XidAggregate.Kind kind = XidAggregate.Kind.of(gpu, pci, FALLEN_OFF_THE_BUS);
    tally(kind, at, fallen.message(), OptionalInt.empty(), from);
    meet(new Pair(name, FALLEN_OFF_THE_BUS), at);
  }

  /** Whether this fall was told before in the other form; two of the same form are two. */
  private boolean fell(String name, Instant at, boolean byText) {
    Fall known = falls.get(name);
    if (known != null && within(SAME_FALL, known.at(), at) && (byText || known.byText())) {
      falls.put(name, new Fall(known.at(), byText && known.byText()));
      return true;
    }
    falls.put(name, new Fall(at, byText));
    return false;
  }

  private void tally(
      XidAggregate.Kind kind, Instant at, String message, OptionalInt cause, KernelRecord from) {
    XidAggregate.Kind counted = counted(kind);
    XidAggregate known = tallies.remove(counted);
    XidAggregate tally = known == null ? new XidAggregate(counted, at, message, cause) : known;
    tally.add(Event.Origin.KERNEL, from.sequence());
    // At the end again: what came last is told last.
    tallies.put(counted, tally);
    hold();
  }

  private XidAggregate.Kind counted(XidAggregate.Kind kind) {
    if (tallies.containsKey(kind)) {
      return kind;
    }
    if (tallies.size() >= MOST_KINDS) {
      return kind.ofAnyProcess();
    }
    XidAggregate.Kind anywhere = kind.ofAnyPlace();
    boolean everywhere =
        !kind.place().isEmpty()
            && tallies.keySet().stream().filter(one -> one.ofAnyPlace().equals(anywhere)).count()
                >= MOST_PLACES;
    return everywhere ? anywhere : kind;
  }

  /** The kernel told of one: NVML may have, or will. */
  private void meet(Pair pair, Instant at) {
    for (int i = 0; i < waiting.size(); i++) {
      if (waiting.get(i).pair().equals(pair)) {
        waiting.remove(i);
        tallies.entrySet().stream()
            .filter(entry -> isOf(entry.getKey(), pair))
            .findFirst()
            .ifPresent(entry -> entry.getValue().confirm(Event.Origin.NVML));
        return;
      }
    }
    Told known = toldByKernel.get(pair);
    long open = known != null && within(SAME, known.last(), at) ? known.times() : 0;
    toldByKernel.put(pair, new Told(open + 1, at));
    if (toldByKernel.size() > MOST_TOLD) {
      toldByKernel.remove(toldByKernel.keySet().iterator().next());
    }
  }

  private void forgetOne(Pair pair, Told told) {
    if (told.times() > 1) {
      toldByKernel.put(pair, new Told(told.times() - 1, told.last()));
    } else {
      toldByKernel.remove(pair);
    }
  }

  /** The kernel did not tell of it in time. */
  private void alone(Heard heard) {
    XidAggregate.Kind kind =
        XidAggregate.Kind.of(
            heard.pair().gpu(), names.pci(heard.pair().gpu()), heard.pair().number());
    XidAggregate tally = new XidAggregate(kind, heard.at(), "", OptionalInt.empty());
    tallies.computeIfAbsent(kind, unseen -> tally).add(Event.Origin.NVML, OptionalLong.empty());
    addTold(heard);
  }

  private void addTold(Heard heard) {
    toldByNvml.add(heard);
    if (toldByNvml.size() > MOST_TOLD) {
      toldByNvml.remove(0);
    }
  }

  /** Whether NVML alone told of it before; each such event answers for one line. */
  private boolean toldBefore(Pair pair, Instant at) {
    for (int i = 0; i < toldByNvml.size(); i++) {
      if (toldByNvml.get(i).pair().equals(pair) && within(SAME, toldByNvml.get(i).at(), at)) {
        toldByNvml.remove(i);
        return true;
      }
    }
    return false;
  }

  private static boolean isOf(XidAggregate.Kind kind, Pair pair) {
    return kind.number() == pair.number() && name(kind.gpu(), kind.pci()).equals(pair.gpu());
  }

  private static String name(String gpu, String pci) {
    return gpu.isEmpty() ? pci : gpu;
  }

  private static boolean within(Duration apart, Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(apart) <= 0;
  }

  /** Makes no event of its own; that it was read is kept. */
  private void absorb(KernelRecord from) {
    absorbed = from.sequence().isPresent() ? from.sequence() : absorbed;
    hold();
  }

  private void hold() {
    holdUntil(clock.nanoTime() + HOLD.toNanos());
  }

  private void holdUntil(long then) {
    if (due.isEmpty() || due.getAsLong() - then > 0) {
      due = OptionalLong.of(then);
    }
  }
}
