package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one source: the last run of each of its collectors. Immutable; values of one
 * round come together.
 *
 * @param up the series that says whether the source answers
 * @param access what the source was found to be in the last round
 * @param successes when each collector last succeeded; those that never did are missing
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
