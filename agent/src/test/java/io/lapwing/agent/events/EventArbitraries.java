package io.lapwing.agent.events;

import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Events of every kind with every text that JSON, UTF-8 or a terminal may stumble over. */
final class EventArbitraries {
  private static final String[] NASTY = {
    "",
    " ",
    "\"",
    "\\",
    "\n",
    "\r\n",
    "\u0000",
    "\u001b[31m",
    "\u007f",
    "\u0085",
    "\u009b2J",
    "\u2028",
    "\u2029",
    "\ufeff",
    "\uffff",
    "\ud83d\udca5",
    "{\"kind\":\"started\"}",
    "null",
    "'; rm -rf /",
    "<unknown>"
  };

  private EventArbitraries() {}

  /** Texts that are written as they are. */
  static Arbitrary<String> texts() {
    Arbitrary<String> any =
        Arbitraries.strings().all().ofMaxLength(60).map(EventArbitraries::withoutSurrogates);
    return Arbitraries.oneOf(
        Arbitraries.of(NASTY),
        any,
        Combinators.combine(any, Arbitraries.of(NASTY))
            .as((some, nasty) -> some + nasty)
            .filter(text -> text.length() <= MemberWriter.MAX_PROCESS));
  }

  private static String withoutSurrogates(String text) {
    StringBuilder kept = new StringBuilder();
    text.chars().filter(c -> !Character.isSurrogate((char) c)).forEach(c -> kept.append((char) c));
    return kept.toString();
  }

  static Arbitrary<Instant> moments() {
    Arbitrary<Instant> usual =
        Combinators.combine(
                Arbitraries.longs().between(0, 4_102_444_800L),
                Arbitraries.of(0, 1, 1_000, 1_000_000, 123_456_000, 999_999_999))
            .as(Instant::ofEpochSecond);
    return Arbitraries.oneOf(
        usual, Arbitraries.of(Instant.EPOCH, Instant.MIN, Instant.MAX, Instant.ofEpochSecond(-1)));
  }

  private static Arbitrary<OptionalInt> maybeInt() {
    return Arbitraries.integers()
        .map(OptionalInt::of)
        .injectNull(0.3)
        .map(value -> value == null ? OptionalInt.empty() : value);
  }

  private static Arbitrary<OptionalLong> maybeLong() {
    return Arbitraries.longs()
        .map(OptionalLong::of)
        .injectNull(0.3)
        .map(value -> value == null ? OptionalLong.empty() : value);
  }

  private static Arbitrary<Set<Event.Origin>> origins() {
    return Arbitraries.of(Event.Origin.class).set();
  }

  static Arbitrary<Event> events() {
    return Arbitraries.oneOf(
        node(), xids(), sxids(), hostFaults(), driverErrors(), gpu(), health());
  }

  private static Arbitrary<Event> node() {
    return Arbitraries.oneOf(
        Combinators.combine(moments(), texts()).as(Event.Started::new),
        Combinators.combine(moments(), texts(), texts()).as(Event.Booted::new),
        Combinators.combine(moments(), texts()).as(Event.DriverLoaded::new),
        Combinators.combine(moments(), Arbitraries.longs(), Arbitraries.longs())
            .as(Event.KernelLogRead::new));
  }

  private static Arbitrary<Event> xids() {
    Arbitrary<Event.Xid> where =
        Combinators.combine(moments(), texts(), texts(), maybeInt(), maybeInt())
            .as(
                (at, gpu, pci, gi, ci) ->
                    new Event.Xid(
                        at,
                        gpu,
                        pci,
                        gi,
                        ci,
                        0,
                        OptionalLong.empty(),
                        "",
                        "",
                        OptionalInt.empty(),
                        Set.of(),
                        1,
                        OptionalLong.empty()));
    return Combinators.combine(
            where,
            Arbitraries.integers(),
            maybeLong(),
            texts(),
            texts(),
            maybeInt(),
            origins(),
            maybeLong())
        .as(
            (xid, number, pid, process, message, cause, origins, sequence) ->
                new Event.Xid(
                    xid.at(),
                    xid.gpu(),
                    xid.pci(),
                    xid.gpuInstance(),
                    xid.computeInstance(),
                    number,
                    pid,
                    process,
                    message,
                    cause,
                    origins,
                    sequence.orElse(1),
                    sequence));
  }

  private static Arbitrary<Event> sxids() {
    return Combinators.combine(
            moments(),
            texts(),
            texts(),
            Arbitraries.integers(),
            Arbitraries.of(true, false),
            maybeInt(),
            texts(),
            maybeLong())
        .as(
            (at, device, pci, number, fatal, link, message, sequence) ->
                new Event.SXid(at, device, pci, number, fatal, link, message, number, sequence));
  }

  private static Arbitrary<Event> driverErrors() {
    return Arbitraries.oneOf(
        Combinators.combine(moments(), texts(), texts(), texts(), Arbitraries.longs(), maybeLong())
            .as(Event.GpuInitFailed::new),
        Combinators.combine(moments(), texts(), texts(), texts(), Arbitraries.longs(), maybeLong())
            .as(Event.GspErrorsSuppressed::new),
        Combinators.combine(moments(), texts(), Arbitraries.longs(), maybeLong())
            .as(Event.NvlinkTrainingFailed::new));
  }

  private static Arbitrary<Event> hostFaults() {
    return Combinators.combine(
            moments(), texts(), texts(), maybeLong(), texts(), texts(), texts(), maybeLong())
        .as(
            (at, fault, device, pid, process, component, message, sequence) ->
                new Event.HostFault(
                    at,
                    fault,
                    device,
                    pid,
                    process,
                    component,
                    message,
                    sequence.orElse(1),
                    sequence));
  }

  private static Arbitrary<Event> gpu() {
    return Arbitraries.oneOf(
        Combinators.combine(
                moments(),
                moments(),
                texts(),
                Arbitraries.of(true, false),
                Arbitraries.longs(),
                Arbitraries.longs())
            .as(Event.EccGrowth::new),
        Combinators.combine(moments(), texts(), Arbitraries.longs(), Arbitraries.longs())
            .as(Event.RowsRemapped::new),
        Combinators.combine(moments(), texts(), texts()).as(Event.GpuLost::new),
        Combinators.combine(moments(), texts(), texts(), texts()).as(Event.GpuIdentified::new),
        Combinators.combine(moments(), texts()).as(Event.GpuReturned::new),
        Combinators.combine(moments(), texts()).as(Event.GpuRemoved::new),
        Combinators.combine(moments(), Arbitraries.integers().between(0, 64))
            .as(Event.MachineReplaced::new),
        Combinators.combine(moments(), Arbitraries.integers().between(0, 64))
            .as(Event.EfaDevicesCounted::new),
        Combinators.combine(moments(), texts(), texts()).as(Event.GpuReset::new));
  }

  private static Arbitrary<Event> health() {
    return Arbitraries.oneOf(
        Combinators.combine(moments(), moments(), texts(), texts(), texts(), texts(), texts())
            .as(Event.FindingOpened::new),
        Combinators.combine(moments(), texts(), texts(), texts(), texts())
            .as(Event.FindingEscalated::new),
        Combinators.combine(moments(), texts(), texts(), Arbitraries.of(true, false))
            .as(Event.FindingConfirmation::new),
        Combinators.combine(moments(), texts(), texts(), texts()).as(Event.FindingClosed::new),
        Combinators.combine(moments(), texts(), texts(), texts(), texts())
            .as(Event.VerdictChanged::new),
        Combinators.combine(moments(), texts(), texts(), texts()).as(Event.OperatorCleared::new),
        operations());
  }

  private static Arbitrary<Event> operations() {
    return Arbitraries.oneOf(
        Combinators.combine(moments(), moments(), texts()).as(Event.MaintenanceStarted::new),
        Combinators.combine(moments(), texts()).as(Event.MaintenanceEnded::new),
        Combinators.combine(moments(), moments()).as(Event.GpusReleased::new),
        Combinators.combine(moments(), texts()).as(Event.GpusReopened::new),
        Combinators.combine(moments(), moments(), texts(), texts(), texts(), texts(), texts())
            .as(Event.TestFinding::new),
        Combinators.combine(moments(), texts(), texts(), texts()).as(Event.TestFindingEnded::new));
  }
}
