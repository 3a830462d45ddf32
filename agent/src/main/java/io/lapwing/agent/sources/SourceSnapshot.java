package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The last run of each collector of a source; {@code up} is the series for whether it answers,
 * {@code before} the runs before those of {@code runs}, where both have samples. Immutable; values
 * of one round are published together.
 */
record SourceSnapshot(
    String source,
    Optional<Series> up,
    Access access,
    List<CollectorRun> runs,
    Map<String, CollectorRun.Collected> before,
    Map<String, Instant> successes) {

  public SourceSnapshot {
    runs = List.copyOf(runs);
    before = Map.copyOf(before);
    successes = Map.copyOf(successes);
  }
}
