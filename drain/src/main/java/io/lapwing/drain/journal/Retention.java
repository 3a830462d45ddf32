package io.lapwing.drain.journal;

import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which entries are kept. All of open remediations are; the last entry of an ended one is kept
 * longer than its others, since it has its repairs, the jobs that were ended for it, and whether
 * another user took over the node.
 *
 * @param entries how long all entries of an ended remediation are kept
 * @param last how long its last entry is
 * @param most entries of one remediation, the latest
 */
public record Retention(Duration entries, Duration last, int most) {

  /** The count of lemons and restarts looks back for less than 90 days. */
  public static final Retention DEFAULT =
      new Retention(Duration.ofDays(30), Duration.ofDays(90), 100);

  /** For a journal that is read twice: all entries are counted, then chosen in the same order. */
  Plan plan(Instant now) {
    return new Plan(now);
  }

  /** The entries that are kept, in the same order. */
  public List<Entry> kept(List<Entry> all, Instant now) {
    Plan plan = plan(now);
    all.forEach(plan::count);
    return all.stream().filter(plan::keeps).toList();
  }

  /** Which entries are kept; needs little memory for each remediation. */
  final class Plan {
    private final Instant now;
    private final Map<String, Integer> left = new HashMap<>();
    private final Map<String, Integer> most = new HashMap<>();

    private Plan(Instant now) {
      this.now = now;
    }

    void count(Entry entry) {
      left.merge(entry.state().id(), 1, Integer::sum);
      most.put(entry.state().id(), Retention.this.most(entry, now));
    }

    /** Whether all entries that were counted are kept. */
    boolean keepsAll() {
      return left.entrySet().stream().allMatch(one -> one.getValue() <= most(one.getKey()));
    }

    /** Called once for each entry, in the order in which they were counted. */
    boolean keeps(Entry entry) {
      String id = entry.state().id();
      return left.merge(id, -1, Integer::sum) < most(id);
    }

    private int most(String id) {
      return most.getOrDefault(id, Integer.MAX_VALUE);
    }
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
