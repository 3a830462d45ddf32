package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.engine.XidPairing.Pair;
import io.lapwing.agent.health.engine.XidPairing.SeenByNvml;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.host.HostMessage;
import io.lapwing.host.HostMessages;
import io.lapwing.linux.KernelRecord;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.XidDetail;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

  /** The message without the word Xid may come long before or after XID 79. */
  private static final Duration SAME_OFF_BUS = Duration.ofMinutes(5);

  private static final int MAX_KINDS = 200;

  /** A GPU's 18 NVLinks stay separate; a program that fails at more places fails everywhere. */
  private static final int MAX_PLACES = 18;

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

  private final XidPairing pairing = new XidPairing();
  private final Map<String, OffBus> offBus = new LinkedHashMap<>();

  /** When events are due, in nanoseconds of the monotonic clock. */
  private OptionalLong due = OptionalLong.empty();

  /** Last sequence of the kernel log that made no event of its own. */
  private OptionalLong consumed = OptionalLong.empty();

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
        pairing.clear();
      } else if (event instanceof Event.Xid xid) {
        if (xid.number() == FALLEN_OFF_THE_BUS) {
          offBus.put(name(xid.gpu(), xid.pci()), new OffBus(xid.at(), false));
        }
        if (!xid.origins().contains(Event.Origin.KERNEL)) {
          pairing.restore(
              new Pair(name(xid.gpu(), xid.pci()), xid.number(), xid.gpuInstance()), xid.at());
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
    Optional<Pair> logged = pairing.nvml(pair, at, clock.nanoTime());
    if (logged.isEmpty()) {
      pairing.nextExpiry().ifPresent(this::dueAt);
    } else if (!confirm(logged.get(), instance)) {
      otherEvents.add(confirmation(pair, at));
      coalesce();
    }
  }

  /** Adds NVML's report to the event of the kernel's message; false if that is taken already. */
  private boolean confirm(Pair pair, OptionalInt instance) {
    List<XidAggregate> same =
        xids.entrySet().stream()
            .filter(entry -> pairOf(entry.getKey()).equals(pair))
            .map(Map.Entry::getValue)
            .toList();
    if (!same.isEmpty()) {
      // Of several programs it is not known which one the instance belongs to.
      same.get(0).confirm(same.size() == 1 ? instance : OptionalInt.empty());
    }
    return !same.isEmpty();
  }

  /** NVML's event for the kernel's message may have come before. */
  private void confirmedBy(Pair pair, Instant at) {
    pairing.kernel(pair, at).ifPresent(reported -> confirm(pair, reported.pair().instance()));
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
    pairing.takeExpired(clock.nanoTime()).forEach(this::addNvmlOnly);
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
    due = pairing.nextExpiry();
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
    if (!pairing.takeNvmlOnly(pair, at)) {
      aggregate(XidAggregate.Kind.of(xid, gpu), at, xid.message(), xid.cause())
          .add(Event.Origin.KERNEL, at, from.sequence());
      confirmedBy(pair, at);
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
    confirmedBy(new Pair(name, FALLEN_OFF_THE_BUS, OptionalInt.empty()), at);
  }

  /**
   * Whether the kernel reported this in the other form before; the same form twice is two faults.
   */
  private boolean isDuplicateOffBus(String name, Instant at, boolean byText) {
    OffBus known = offBus.get(name);
    if (known != null
        && XidPairing.within(SAME_OFF_BUS, known.at(), at)
        && (byText || known.byText())) {
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
  }

  private static Pair pairOf(XidAggregate.Kind kind) {
    return new Pair(name(kind.gpu(), kind.pci()), kind.number(), kind.gpuInstance());
  }

  private static String name(String gpu, String pci) {
    return gpu.isEmpty() ? pci : gpu;
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
