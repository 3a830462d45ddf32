package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.xid.XidDetail;
import io.lapwing.xid.XidDetail.NvlinkRegisters;
import io.lapwing.xid.XidDetail.RegisterJudgement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * XID 74 of one GPU: repeated errors on one link mean a faulty link. A reset does not clear the
 * count: errors after it are certain.
 */
final class LinkErrors {

  private static final Set<RegisterJudgement> COUNTED =
      Set.of(RegisterJudgement.HARDWARE_IF_REPEATED, RegisterJudgement.SIGNAL);

  private final Duration window;
  private final long enough;
  private final Map<Integer, List<Instant>> links = new TreeMap<>();

  LinkErrors(Duration window, long enough) {
    this.window = window;
    this.enough = enough;
  }

  /**
   * Counts one XID; true if its link reached the limit. Aggregated messages count once: only the
   * first is stored.
   */
  boolean repeated(Event.Xid xid, XidDetail detail) {
    if (!(detail instanceof NvlinkRegisters error) || !COUNTED.contains(error.judgement())) {
      return false;
    }
    List<Instant> times = links.computeIfAbsent(error.link(), unseen -> new ArrayList<>());
    times.removeIf(before -> Duration.between(before, xid.at()).compareTo(window) > 0);
    times.add(xid.at());
    return times.size() >= enough;
  }

  /** Clears the counts: another machine, or an operator's acknowledgement. */
  void clear() {
    links.clear();
  }
}
