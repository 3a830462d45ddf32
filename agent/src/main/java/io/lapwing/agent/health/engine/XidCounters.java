package io.lapwing.agent.health.engine;

import io.lapwing.agent.XidCounts;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.SwitchErrors;
import io.lapwing.xid.XidTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts XIDs and SXids since the machine was booted: a restart of the agent goes on from what it
 * had counted. Thread-safe.
 */
final class XidCounters {

  private final XidCounts xids;
  private final Map<String, SwitchErrors> switches = new TreeMap<>();

  XidCounters(XidTable table) {
    this.xids = new XidCounts(table.callingForAction());
  }

  synchronized void note(Event event) {
    if (event instanceof Event.Booted) {
      xids.clear();
      switches.clear();
    } else if (event instanceof Event.Xid xid) {
      String gpu = xid.gpu().isEmpty() ? xid.pci() : xid.gpu();
      xids.add(new XidCounts.Event(gpu, xid.number(), xid.at(), xid.times()));
    } else if (event instanceof Event.SXid sxid) {
      switches.merge(
          sxid.device() + " " + sxid.number() + sxid.fatal(),
          new SwitchErrors(sxid.device(), sxid.number(), sxid.fatal(), sxid.times(), sxid.at()),
          (known, more) ->
              new SwitchErrors(
                  known.device(),
                  known.number(),
                  known.fatal(),
                  known.times() + more.times(),
                  more.last()));
    }
  }

  XidCounts xids() {
    return xids;
  }

  synchronized List<SwitchErrors> switches() {
    return List.copyOf(switches.values());
  }
}
