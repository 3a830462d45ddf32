package io.lapwing.agent.poll;

import io.lapwing.collect.Access;
import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.Part;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A source as it is to be seen now.
 *
 * @param part what part of the node it reads, where that is judged
 * @param up the series that says whether it answers
 * @param snapshot what its last finished round saw; empty before the first
 */
public record SourceView(
    SourceState state,
    Optional<Part> part,
    Optional<Series> up,
    Optional<SourceSnapshot> snapshot) {

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

  /** Whether a run is too old to say anything about now. */
  public boolean overdue(CollectorRun run, Cadences cadences, Instant now) {
    return state.hung() || run.at().plus(cadences.validity(run.cadence())).isBefore(now);
  }

  /** The runs with samples that still hold. */
  public List<CollectorRun.Collected> current(Cadences cadences, Instant now) {
    return runs().stream()
        .filter(run -> run instanceof CollectorRun.Collected && !overdue(run, cadences, now))
        .map(CollectorRun.Collected.class::cast)
        .toList();
  }
}
