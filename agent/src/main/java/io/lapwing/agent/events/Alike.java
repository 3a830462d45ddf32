package io.lapwing.agent.events;

import java.util.OptionalLong;

/** Which events say the same of the same thing, so that many of them can be drawn together. */
final class Alike {

  private Alike() {}

  /** The same text for all that are alike. */
  static String of(Event event) {
    String kind = event.getClass().getSimpleName();
    if (event instanceof Event.Xid xid) {
      return kind + ' ' + xid.gpu() + ' ' + xid.pci() + ' ' + xid.number();
    }
    if (event instanceof Event.SXid sxid) {
      return kind + ' ' + sxid.device() + ' ' + sxid.number() + ' ' + sxid.fatal();
    }
    if (event instanceof Event.EccGrowth growth) {
      return kind + ' ' + growth.gpu() + ' ' + growth.corrected();
    }
    return kind + ' ' + subject(event);
  }

  private static String subject(Event event) {
    if (event instanceof Event.FindingOpened opened) {
      return opened.rule() + ' ' + opened.subject();
    }
    if (event instanceof Event.FindingClosed closed) {
      return closed.rule() + ' ' + closed.subject();
    }
    if (event instanceof Event.VerdictChanged changed) {
      return changed.subject();
    }
    if (event instanceof Event.OperatorCleared cleared) {
      return cleared.rule() + ' ' + cleared.subject();
    }
    return gpu(event);
  }

  private static String gpu(Event event) {
    if (event instanceof Event.RowsRemapped rows) {
      return rows.gpu();
    }
    if (event instanceof Event.GpuLost lost) {
      return lost.gpu();
    }
    if (event instanceof Event.GpuReturned back) {
      return back.gpu();
    }
    if (event instanceof Event.GpuReset reset) {
      return reset.gpu();
    }
    if (event instanceof Event.GpuSeen seen) {
      return seen.gpu();
    }
    return event instanceof Event.ApplicationEnded ended ? ended.gpu() : "";
  }

  /** The last place in the kernel log that a fault stands for. */
  static OptionalLong sequence(Event event) {
    if (event instanceof Event.Xid xid) {
      return xid.sequence();
    }
    return event instanceof Event.SXid sxid ? sxid.sequence() : OptionalLong.empty();
  }

  /** One that stands for both; the first says since when. */
  static Event together(Event first, Event next) {
    if (first instanceof Event.Xid xid && next instanceof Event.Xid more) {
      return xid.and(more);
    }
    if (first instanceof Event.SXid sxid && next instanceof Event.SXid more) {
      return sxid.and(more);
    }
    if (first instanceof Event.EccGrowth growth && next instanceof Event.EccGrowth more) {
      return new Event.EccGrowth(
          more.at(), growth.since(), growth.gpu(), growth.corrected(), growth.from(), more.to());
    }
    if (first instanceof Event.KernelLogRead read && next instanceof Event.KernelLogRead more) {
      return new Event.KernelLogRead(more.at(), more.sequence(), read.lost() + more.lost());
    }
    return first;
  }
}
