package io.lapwing.agent.sources;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.Part;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A source as it is to be seen now.
 *
 * @param part what part of the node it reads, where that is judged
 * @param up the series that says whether it answers
 * @param snapshot what its last finished round saw; empty before the first
 * @param now in nanoseconds of the clock that never jumps
 */
public record SourceView(
    SourceState state,
    Optional<Part> part,
    Optional<Series> up,
    Optional<SourceSnapshot> snapshot,
    long now) {

  public String name() {
    return state.source();
  }

  /** Whether the last round found it readable and no call hangs since. */
  public boolean answers() {
    return !state.hung()
        && snapshot.filter(last -> last.access() instanceof Access.Ready).isPresent();
  }

  /** The last run of each collector. */
  public List<CollectorRun> runs() {
    return snapshot.map(SourceSnapshot::runs).orElse(List.of());
  }

  /** When a collector last succeeded on this source. */
  public Optional<Instant> lastSuccess(String collector) {
    return snapshot.flatMap(last -> Optional.ofNullable(last.successes().get(collector)));
  }

  /** Whether a run is too old to say anything about now; it does not age when the clock is set. */
  public boolean overdue(CollectorRun run, Cadences cadences) {
    return state.hung() || now - run.ended() > cadences.validNanos(run.cadence());
  }

  /** The runs with samples that still hold. Asked of fifty sources for each page and judgement. */
  public List<CollectorRun.Collected> current(Cadences cadences) {
    List<CollectorRun.Collected> current = new ArrayList<>();
    for (CollectorRun run : runs()) {
      if (run instanceof CollectorRun.Collected collected && !overdue(run, cadences)) {
        current.add(collected);
      }
    }
    return current;
  }
}
