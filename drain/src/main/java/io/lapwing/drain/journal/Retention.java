package io.lapwing.drain.journal;

import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which entries are kept. Those of open remediations are, so that none is forgotten; of an ended
 * one its last entry stays longer than the others, since it has its repairs, the jobs that were
 * ended for it, and whether another user took over the node.
 *
 * @param entries how long all entries of an ended remediation are kept
 * @param last how long its last entry is
 * @param most entries of one remediation, the latest
 */
public record Retention(Duration entries, Duration last, int most) {

  /** The count of lemons and restarts looks back for less than 90 days. */
  public static final Retention DEFAULT =
      new Retention(Duration.ofDays(30), Duration.ofDays(90), 100);

  /** What is kept, in the same order. */
  public List<Entry> kept(List<Entry> all, Instant now) {
    Map<String, Integer> left = new HashMap<>();
    Map<String, Entry> ends = new HashMap<>();
    for (Entry entry : all) {
      left.merge(entry.state().id(), 1, Integer::sum);
      ends.put(entry.state().id(), entry);
    }
    List<Entry> kept = new ArrayList<>();
    for (Entry entry : all) {
      String id = entry.state().id();
      int from = left.merge(id, -1, Integer::sum);
      Entry end = ends.getOrDefault(id, entry);
      if (from < most(end, now)) {
        kept.add(entry);
      }
    }
    return kept;
  }

  /** How many of the latest entries of a remediation are kept. */
  private int most(Entry end, Instant now) {
    Remediation state = end.state();
    if (!state.phase().ended() || end.at().isAfter(now.minus(entries))) {
      return most;
    }
    boolean counts =
        !state.attempts().isEmpty()
            || !state.endedJobs().isEmpty()
            || state.phase() == Phase.TAKEN_OVER;
    return counts && end.at().isAfter(now.minus(last)) ? 1 : 0;
  }
}
