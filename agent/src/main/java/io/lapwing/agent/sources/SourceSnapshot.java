package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last run of each collector of a source; {@code up} is the series for whether it answers.
 * Immutable; values of one round are published together.
 */
record SourceSnapshot(
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
