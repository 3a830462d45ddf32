package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.xid.KernelFact;
import io.lapwing.xid.XidDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Counts duplicates of one XID within the coalesce window. */
final class XidAggregate {

  /** XIDs of one kind are duplicates. {@code place} on the GPU, where it shows the cause. */
  record Kind(
      String gpu,
      String pci,
      OptionalInt gpuInstance,
      OptionalInt computeInstance,
      int number,
      OptionalLong pid,
      String process,
      String place,
      String distinction) {

    static Kind of(KernelFact.Xid xid, String gpu) {
      return new Kind(
          gpu,
          xid.pci().toString(),
          xid.gpuInstance(),
          xid.computeInstance(),
          xid.number(),
          xid.pid(),
          xid.process().orElse(""),
          XidDetails.place(xid.detail()),
          XidDetails.distinction(xid.number(), xid.message()));
    }

    static Kind of(String gpu, String pci, OptionalInt instance, int number) {
      return new Kind(
          gpu, pci, instance, OptionalInt.empty(), number, OptionalLong.empty(), "", "", "");
    }

    /** Without the place: for a program that fails everywhere at once. */
    Kind ofAnyPlace() {
      return new Kind(
          gpu, pci, gpuInstance, computeInstance, number, pid, process, "", distinction);
    }

    /** Without process and place: for storms of many processes. */
    Kind ofAnyProcess() {
      return new Kind(
          gpu,
          pci,
          gpuInstance,
          computeInstance,
          number,
          OptionalLong.empty(),
          "",
          "",
          distinction);
    }
  }

  private final Kind kind;
  private final Instant first;
  private Instant last;
  private final String message;
  private final OptionalInt cause;
  private final Set<Event.Origin> origins = EnumSet.noneOf(Event.Origin.class);
  private final Set<Integer> instances = new HashSet<>();
  private long times;
  private OptionalLong sequence = OptionalLong.empty();

  XidAggregate(Kind kind, Instant first, String message, OptionalInt cause) {
    this.kind = kind;
    this.first = first;
    this.last = first;
    this.message = message;
    this.cause = cause;
  }

  void add(Event.Origin origin, Instant at, OptionalLong number) {
    describe(origin, at, number);
    times++;
  }

  /** Adds what is known about one that an earlier event counts. */
  void describe(Event.Origin origin, Instant at, OptionalLong number) {
    origins.add(origin);
    last = at;
    sequence = number.isPresent() ? number : sequence;
  }

  /** Of the last one. */
  Instant last() {
    return last;
  }

  /** Whether one at this time is a duplicate. */
  boolean isNear(Instant at) {
    return Duration.between(first, at).abs().compareTo(XidDeduplicator.COALESCE_WINDOW) <= 0;
  }

  /** NVML reported the same XID, perhaps with the MIG instance. */
  void confirm(OptionalInt instance) {
    origins.add(Event.Origin.NVML);
    instance.ifPresent(instances::add);
  }

  /** The kernel's, else the only one that NVML named. */
  private OptionalInt instance() {
    return kind.gpuInstance().isEmpty() && instances.size() == 1
        ? OptionalInt.of(instances.iterator().next())
        : kind.gpuInstance();
  }

  Event.Xid event() {
    return new Event.Xid(
        first,
        kind.gpu(),
        kind.pci(),
        instance(),
        kind.computeInstance(),
        kind.number(),
        kind.pid(),
        kind.process(),
        message,
        cause,
        origins,
        times,
        sequence);
  }

  /** Counts duplicates of one SXid within the coalesce window. */
  static final class SxidAggregate {

    /** XIDs of one kind are duplicates. {@code place} on the GPU, where it shows the cause. */
    record Kind(String device, int number, boolean fatal, OptionalInt link) {
      static Kind of(KernelFact.SXid sxid) {
        return new Kind(sxid.device(), sxid.number(), isFatal(sxid), sxid.link());
      }
    }

    private final KernelFact.SXid sxid;
    private final Instant first;
    private long times;
    private OptionalLong sequence = OptionalLong.empty();

    SxidAggregate(KernelFact.SXid sxid, Instant first) {
      this.sxid = sxid;
      this.first = first;
    }

    void add(OptionalLong at) {
      times++;
      sequence = at.isPresent() ? at : sequence;
    }

    /** A message without either word is about a switch that stopped: {@code SOE HALTED}. */
    private static boolean isFatal(KernelFact.SXid sxid) {
      return sxid.fatal().orElse(true);
    }

    Event.SXid event() {
      return new Event.SXid(
          first,
          sxid.device(),
          sxid.pci().toString(),
          sxid.number(),
          isFatal(sxid),
          sxid.link(),
          sxid.message(),
          times,
          sequence);
    }
  }
}
