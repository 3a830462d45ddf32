package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of each collector of a source; {@code up} is the series for whether it answers.
 * Immutable; values of one round are published together.
 */
record SourceSnapshot(
    String source, Optional<Series> up, Access access, List<CollectorState> collectors) {

  public SourceSnapshot {
    collectors = List.copyOf(collectors);
  }

  List<CollectorRun> runs() {
    return collectors.stream().map(CollectorState::run).toList();
  }

  /** The state of a collector; empty if its source has not run it. */
  Optional<CollectorState> of(String collector) {
    for (CollectorState one : collectors) {
      if (one.run().collector().equals(collector)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /**
   * The last run of a collector, and what is kept of its earlier ones.
   *
   * @param run its last one
   * @param before the run before that, where both have samples
   * @param success when it last succeeded
   */
  record CollectorState(
      CollectorRun run, Optional<CollectorRun.Collected> before, Optional<Instant> success) {

    static CollectorState first(CollectorRun run) {
      return new CollectorState(run, Optional.empty(), succeeded(run));
    }

    CollectorState then(CollectorRun next) {
      return new CollectorState(
          next,
          run instanceof CollectorRun.Collected last && next instanceof CollectorRun.Collected
              ? Optional.of(last)
              : Optional.empty(),
          succeeded(next).or(() -> success));
    }

    private static Optional<Instant> succeeded(CollectorRun run) {
      return run.success() ? Optional.of(run.at()) : Optional.empty();
    }
  }
}
