package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last run of each collector of one source. Immutable; values of one round are published
 * together.
 *
 * @param up the series that says whether the source answers
 * @param access the state of the source in the last round
 * @param successes when each collector last succeeded; collectors that never did are missing
 */
public record SourceSnapshot(
    String source,
    Optional<Series> up,
    Access access,
    List<CollectorRun> runs,
    Map<String, Instant> successes) {

  public SourceSnapshot {
    runs = List.copyOf(runs);
    successes = Map.copyOf(successes);
  }
}
