package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.host.HostMessage;
import io.lapwing.host.HostMessages;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Makes events of the faults in the kernel log and NVML's XID events; one of each is one event.
 * Duplicates at the same place within {@link #COALESCE_WINDOW}, by the times of the kernel, are one
 * event with a count. Thread-safe; never blocks.
 */
public final class XidDeduplicator {

  /** The XID of a GPU that fell off the bus, also where the kernel log names no XID. */
  public static final int FALLEN_OFF_THE_BUS = 79;

  /** For how long duplicates are counted in one event. */
  public static final Duration COALESCE_WINDOW = Duration.ofMillis(300);

  /** For how long an NVML event waits for the kernel's message, which has more details. */
  private static final Duration KERNEL_WAIT = Duration.ofMillis(1_200);

  /** How far apart the two may report the same fault. */
  private static final Duration SAME_XID = Duration.ofSeconds(10);

  /** The message without the word Xid may come long before or after XID 79. */
  private static final Duration SAME_OFF_BUS = Duration.ofMinutes(5);

  private static final int MAX_KINDS = 200;

  /** A GPU's 18 NVLinks stay separate; a program that fails at more places fails everywhere. */
  private static final int MAX_PLACES = 18;

  private static final int MAX_REPORTED = 200;

  /** A log of hours may be read at once; beyond that many, duplicates are counted in one event. */
  private static final int MAX_FINISHED = 1_000;

  private final Function<String, Optional<KernelFact>> facts;
  private final PciToUuidMap gpus;
  private final PollClock clock;

  private final Map<XidAggregate.Kind, XidAggregate> xids = new LinkedHashMap<>();
  private final Map<XidAggregate.SxidAggregate.Kind, XidAggregate.SxidAggregate> sxids =
      new LinkedHashMap<>();
  private final DriverErrors driverErrors = new DriverErrors();
  private final HostFaultAggregates hostFaults = new HostFaultAggregates();
  private final List<Event> otherEvents = new ArrayList<>();

  /** Loads of the driver, and XIDs with which no later one is counted. */
  private final List<Logged> finished = new ArrayList<>();

  /** Reported by the kernel and not yet by NVML. */
  private final Map<Pair, SeenByKernel> seenByKernel = new LinkedHashMap<>();

  /** Reported by NVML alone, already an event. */
  private final List<SeenByNvml> seenByNvml = new ArrayList<>();

  /** Reported by NVML; the kernel's message may follow. */
  private final List<SeenByNvml> pending = new ArrayList<>();

  private final Map<String, OffBus> offBus = new LinkedHashMap<>();

  /** When events are due, in nanoseconds of the monotonic clock. */
  private OptionalLong due = OptionalLong.empty();

  /** Last sequence of the kernel log that made no event of its own. */
  private OptionalLong consumed = OptionalLong.empty();

  /**
   * {@code instance} is the MIG GPU instance; empty for the whole GPU, and where the driver names
   * none.
   */
  private record Pair(String gpu, int number, OptionalInt instance) {

    static Pair of(XidAggregate.Kind kind) {
      return new Pair(name(kind.gpu(), kind.pci()), kind.number(), kind.gpuInstance());
    }

    /** Not if both name an instance, and not the same: that is another program's fault. */
    boolean matches(Pair other) {
      return gpu.equals(other.gpu)
          && number == other.number
          && (instance.isEmpty() || other.instance.isEmpty() || instance.equals(other.instance));
    }

    /** One that matches, the same instance first. */
    <T> Optional<T> first(Collection<T> all, Function<T, Pair> pairOf) {
      Optional<T> other = Optional.empty();
      for (T one : all) {
        Pair pair = pairOf.apply(one);
        if (equals(pair)) {
          return Optional.of(one);
        }
        other = other.isEmpty() && matches(pair) ? Optional.of(one) : other;
      }
      return other;
    }
  }

  private record SeenByKernel(long times, Instant last) {}

  /**
   * An XID event of NVML; waits for the kernel's message until {@code until}, in clock nanoseconds.
   */
  private record SeenByNvml(Pair pair, Instant at, long until) {}

  /** An event, and when the last XID that it counts occurred. */
  private record Logged(Instant last, Event event) {

    static Logged of(XidAggregate aggregate) {
      return new Logged(aggregate.last(), aggregate.event());
    }

    static Logged of(Event event) {
      return new Logged(event.at(), event);
    }
  }

  /** A GPU that fell off the bus; {@code byText}: only the message without an XID was read. */
  private record OffBus(Instant at, boolean byText) {}

  public XidDeduplicator(
      Function<String, Optional<KernelFact>> facts, PciToUuidMap gpus, PollClock clock) {
    this.facts = facts;
    this.gpus = gpus;
    this.clock = clock;
  }

  /** Restores what was reported before a restart, so that it is not reported again. */
  public synchronized void restore(List<Event> events) {
    for (Event event : events) {
      if (event instanceof Event.Booted) {
        offBus.clear();
        seenByNvml.clear();
      } else if (event instanceof Event.Xid xid) {
        if (xid.number() == FALLEN_OFF_THE_BUS) {
          offBus.put(name(xid.gpu(), xid.pci()), new OffBus(xid.at(), false));
        }
        if (!xid.origins().contains(Event.Origin.KERNEL)) {
          addSeen(
              new SeenByNvml(
                  new Pair(name(xid.gpu(), xid.pci()), xid.number(), xid.gpuInstance()),
                  xid.at(),
                  0));
        }
      }
    }
  }

  public synchronized void kernel(List<KernelRecord> records) {
    for (KernelRecord kernelRecord : records) {
      facts.apply(kernelRecord.text()).ifPresent(fact -> fact(fact, kernelRecord));
      HostMessages.read(kernelRecord.text()).ifPresent(host -> host(host, kernelRecord));
    }
  }

  private void host(HostMessage message, KernelRecord from) {
    if (hostFaults.add(message, from, notAhead(from.at()))) {
      coalesce();
    }
  }

  /** The kernel overwrote unread messages; its log was read up to that sequence. */
  public synchronized void lost(long messages, OptionalLong readTo) {
    otherEvents.add(new Event.KernelLogRead(clock.instant(), readTo.orElse(0), messages));
    coalesce();
  }

  /** An XID of the whole GPU, or one for which the driver does not report the instance. */
  public void nvml(String gpu, long number, Instant at) {
    nvml(gpu, number, OptionalInt.empty(), at);
  }

  /** {@code instance} is the MIG GPU instance, if any. */
  public synchronized void nvml(String gpu, long number, OptionalInt instance, Instant at) {
    Pair pair = new Pair(gpu, Math.toIntExact(Math.min(number, Integer.MAX_VALUE)), instance);
    Optional<Pair> logged = pair.first(seenByKernel(at), Function.identity());
    if (logged.isPresent()) {
      removeOne(logged.get());
      if (!confirm(logged.get(), instance)) {
        otherEvents.add(confirmation(pair, at));
        coalesce();
      }
      return;
    }
    long until = clock.nanoTime() + KERNEL_WAIT.toNanos();
    pending.add(new SeenByNvml(pair, at, until));
    dueAt(until);
  }

  private List<Pair> seenByKernel(Instant at) {
    return seenByKernel.entrySet().stream()
        .filter(seen -> within(SAME_XID, seen.getValue().last(), at))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Adds NVML's report to the event of the kernel's message; false if that is taken already. */
  private boolean confirm(Pair pair, OptionalInt instance) {
    List<XidAggregate> same =
        xids.entrySet().stream()
            .filter(entry -> Pair.of(entry.getKey()).equals(pair))
            .map(Map.Entry::getValue)
            .toList();
    if (!same.isEmpty()) {
      // Of several programs it is not known which one the instance belongs to.
      same.get(0).confirm(same.size() == 1 ? instance : OptionalInt.empty());
    }
    return !same.isEmpty();
  }

  /** The XID is an event already; NVML's own came later. */
  private static Event confirmation(Pair pair, Instant at) {
    return new Event.FindingConfirmation(
        at, "xid_" + pair.number(), new Subject.Gpu(pair.gpu()).text(), true);
  }

  /** When to call {@link #take}, in nanoseconds of the clock; empty while there is no event. */
  public synchronized OptionalLong due() {
    return due;
  }

  /** Removes and returns the events that are due; those of the kernel log in the order of time. */
  public synchronized List<Event> take() {
    long now = clock.nanoTime();
    pending.stream().filter(xid -> xid.until() - now <= 0).forEach(this::addNvmlOnly);
    pending.removeIf(xid -> xid.until() - now <= 0);
    List<Event> events = new ArrayList<>(otherEvents);
    // All, however recent: the last sequence in the event log must not be ahead of a missing event.
    List<Logged> logged = new ArrayList<>(finished);
    finish(logged);
    hostFaults.take().forEach(event -> logged.add(Logged.of(event)));
    // Rules go by the order: a load of the driver resolves what is before it.
    logged.sort(Comparator.comparing(Logged::last));
    logged.forEach(one -> events.add(one.event()));
    consumed.ifPresent(
        sequence -> events.add(new Event.KernelLogRead(clock.instant(), sequence, 0)));
    otherEvents.clear();
    finished.clear();
    consumed = OptionalLong.empty();
    due = pending.stream().mapToLong(SeenByNvml::until).min();
    return events;
  }

  /** No later message is counted with what was counted so far. */
  private void finish(List<Logged> into) {
    xids.values().forEach(aggregate -> into.add(Logged.of(aggregate)));
    sxids.values().forEach(aggregate -> into.add(Logged.of(aggregate.event())));
    driverErrors.take().forEach(event -> into.add(Logged.of(event)));
    xids.clear();
    sxids.clear();
  }

  private void fact(KernelFact fact, KernelRecord from) {
    Instant at = notAhead(from.at());
    if (fact instanceof KernelFact.Xid xid) {
      xid(xid, from, at);
    } else if (fact instanceof KernelFact.OffBus fallen) {
      offBus(fallen, from, at);
    } else if (fact instanceof KernelFact.SXid sxid) {
      sxids
          .computeIfAbsent(
              XidAggregate.SxidAggregate.Kind.of(sxid),
              kind -> new XidAggregate.SxidAggregate(sxid, at))
          .add(from.sequence());
      coalesce();
    } else if (fact instanceof KernelFact.GpuAt gpu) {
      gpus.learn(gpu.pci(), gpu.uuid());
    } else if (fact instanceof KernelFact.DriverLoaded loaded) {
      if (finished.size() < MAX_FINISHED) {
        finish(finished);
      }
      finished.add(Logged.of(new Event.DriverLoaded(at, loaded.version())));
      markConsumed(from);
    } else if (driverErrors.add(fact, pci -> gpus.uuid(pci).orElse(""), at, from.sequence())) {
      coalesce();
    }
  }

  /** A time in the future comes from a clock that was set back, or from a wrong boot time. */
  private Instant notAhead(Optional<Instant> reported) {
    Instant now = clock.instant();
    return reported.filter(at -> at.isBefore(now)).orElse(now);
  }

  private void xid(KernelFact.Xid xid, KernelRecord from, Instant at) {
    String gpu = gpus.uuid(xid.pci()).orElse("");
    String name = name(gpu, xid.pci().toString());
    if (xid.number() == FALLEN_OFF_THE_BUS && isDuplicateOffBus(name, at, false)) {
      markConsumed(from);
      return;
    }
    Pair pair = new Pair(name, xid.number(), xid.gpuInstance());
    if (!seenBefore(pair, at)) {
      aggregate(XidAggregate.Kind.of(xid, gpu), at, xid.message(), xid.cause())
          .add(Event.Origin.KERNEL, at, from.sequence());
      match(pair, at);
    } else if (xid.detail() != XidDetail.NONE) {
      // NVML's event counts it, but has no details, which may demand more.
      aggregate(XidAggregate.Kind.of(xid, gpu), at, xid.message(), xid.cause())
          .describe(Event.Origin.KERNEL, at, from.sequence());
    } else {
      markConsumed(from);
    }
  }

  /** Counts as XID 79, unless that was reported already. */
  private void offBus(KernelFact.OffBus fallen, KernelRecord from, Instant at) {
    String gpu = gpus.uuid(fallen.pci()).orElse("");
    String pci = fallen.pci().toString();
    String name = name(gpu, pci);
    if (isDuplicateOffBus(name, at, true)) {
      markConsumed(from);
      return;
    }
    XidAggregate.Kind kind =
        XidAggregate.Kind.of(gpu, pci, OptionalInt.empty(), FALLEN_OFF_THE_BUS);
    aggregate(kind, at, fallen.message(), OptionalInt.empty())
        .add(Event.Origin.KERNEL, at, from.sequence());
    match(new Pair(name, FALLEN_OFF_THE_BUS, OptionalInt.empty()), at);
  }

  /**
   * Whether the kernel reported this in the other form before; the same form twice is two faults.
   */
  private boolean isDuplicateOffBus(String name, Instant at, boolean byText) {
    OffBus known = offBus.get(name);
    if (known != null && within(SAME_OFF_BUS, known.at(), at) && (byText || known.byText())) {
      offBus.put(name, new OffBus(known.at(), byText && known.byText()));
      return true;
    }
    offBus.put(name, new OffBus(at, byText));
    return false;
  }

  /** The one to count an XID of this kind in, due soon. */
  private XidAggregate aggregate(
      XidAggregate.Kind kind, Instant at, String message, OptionalInt cause) {
    XidAggregate.Kind counted = counted(kind);
    XidAggregate known = xids.remove(counted);
    if (known != null && !known.isNear(at) && finished.size() < MAX_FINISHED) {
      finished.add(Logged.of(known));
      known = null;
    }
    XidAggregate xid = known == null ? new XidAggregate(counted, at, message, cause) : known;
    // Moved to the end: events are in the order of their last occurrence.
    xids.put(counted, xid);
    coalesce();
    return xid;
  }

  private XidAggregate.Kind counted(XidAggregate.Kind kind) {
    if (xids.containsKey(kind)) {
      return kind;
    }
    if (xids.size() >= MAX_KINDS) {
      return kind.ofAnyProcess();
    }
    XidAggregate.Kind anywhere = kind.ofAnyPlace();
    boolean everywhere =
        !kind.place().isEmpty()
            && xids.keySet().stream().filter(one -> one.ofAnyPlace().equals(anywhere)).count()
                >= MAX_PLACES;
    return everywhere ? anywhere : kind;
  }

  /** Pairs an XID of the kernel with NVML's event for it, which may have come or may follow. */
  private void match(Pair pair, Instant at) {
    Optional<SeenByNvml> reported = pair.first(pending, SeenByNvml::pair);
    if (reported.isPresent()) {
      pending.remove(reported.get());
      confirm(pair, reported.get().pair().instance());
      return;
    }
    SeenByKernel known = seenByKernel.get(pair);
    long open = known != null && within(SAME_XID, known.last(), at) ? known.times() : 0;
    seenByKernel.put(pair, new SeenByKernel(open + 1, at));
    if (seenByKernel.size() > MAX_REPORTED) {
      seenByKernel.remove(seenByKernel.keySet().iterator().next());
    }
  }

  private void removeOne(Pair pair) {
    seenByKernel.computeIfPresent(
        pair,
        (same, seen) -> seen.times() > 1 ? new SeenByKernel(seen.times() - 1, seen.last()) : null);
  }

  /** The kernel did not report it in time. */
  private void addNvmlOnly(SeenByNvml xid) {
    XidAggregate.Kind kind =
        XidAggregate.Kind.of(
            xid.pair().gpu(),
            gpus.pci(xid.pair().gpu()),
            xid.pair().instance(),
            xid.pair().number());
    XidAggregate alone = new XidAggregate(kind, xid.at(), "", OptionalInt.empty());
    xids.computeIfAbsent(kind, unseen -> alone)
        .add(Event.Origin.NVML, xid.at(), OptionalLong.empty());
    addSeen(xid);
  }

  private void addSeen(SeenByNvml xid) {
    seenByNvml.add(xid);
    if (seenByNvml.size() > MAX_REPORTED) {
      seenByNvml.remove(0);
    }
  }

  /** Whether NVML alone reported it before; each such event stands for one message. */
  private boolean seenBefore(Pair pair, Instant at) {
    List<SeenByNvml> recent =
        seenByNvml.stream().filter(xid -> within(SAME_XID, xid.at(), at)).toList();
    Optional<SeenByNvml> same = pair.first(recent, SeenByNvml::pair);
    same.ifPresent(seenByNvml::remove);
    return same.isPresent();
  }

  private static String name(String gpu, String pci) {
    return gpu.isEmpty() ? pci : gpu;
  }

  private static boolean within(Duration apart, Instant one, Instant other) {
    return Duration.between(one, other).abs().compareTo(apart) <= 0;
  }

  /** Records that a message was read that makes no event of its own. */
  private void markConsumed(KernelRecord from) {
    consumed = from.sequence().isPresent() ? from.sequence() : consumed;
    coalesce();
  }

  private void coalesce() {
    dueAt(clock.nanoTime() + COALESCE_WINDOW.toNanos());
  }

  private void dueAt(long then) {
    if (due.isEmpty() || due.getAsLong() - then > 0) {
      due = OptionalLong.of(then);
    }
  }
}
