package io.lapwing.drain.decisions;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Phase;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry of the journal.
 *
 * @param id of its remediation, as in the scheduler's reason
 * @param what was decided or happened
 * @param phase from then on
 * @param cost what it touched, if it was a decision to act
 */
public record Decision(
    Instant at, String id, NodeName node, String what, Phase phase, Optional<BlastRadius> cost) {

  static Decision of(Entry entry) {
    return new Decision(
        entry.at(),
        entry.state().id(),
        entry.state().node(),
        entry.what(),
        entry.state().phase(),
        entry.radius());
  }
}
