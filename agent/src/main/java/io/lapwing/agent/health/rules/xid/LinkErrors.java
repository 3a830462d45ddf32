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
 * XID 74 of one GPU: errors that say nothing while they are single, and that the link is at fault
 * once they come again and again on the same one. No reset takes them off the count: a link that
 * goes on after it is all the more at fault.
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
   * Takes one into account, and says whether its link has had enough of them. What came within a
   * moment and was counted together is one: only the first of its messages is known.
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

  /** Another machine, or somebody's word that it is dealt with. */
  void forget() {
    links.clear();
  }
}
