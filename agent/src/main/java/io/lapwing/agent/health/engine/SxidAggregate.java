package io.lapwing.agent.health.engine;

import io.lapwing.agent.events.Event;
import io.lapwing.xid.KernelFact;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Counts duplicates of one SXid within the coalesce window. */
final class SxidAggregate {

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
