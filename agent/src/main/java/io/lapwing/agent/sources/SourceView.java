package io.lapwing.agent.sources;

import io.lapwing.collect.CollectorRun;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A source at one moment.
 *
 * @param part the part of the node that it reads, where health rules evaluate it
 * @param share whose series it has
 * @param up the series that is 1 while it answers
 * @param last what its last finished round saw; empty before the first
 * @param now {@link PollClock#nanoTime}
 */
public record SourceView(
    String name,
    SourceStatus status,
    Optional<Part> part,
    PageShare share,
    Optional<Series> up,
    Optional<SourceSnapshot> last,
    long now) {

  static SourceView of(SourceWorker worker, Optional<SourceSnapshot> last, long now) {
    SourceActivity activity = worker.activity();
    return new SourceView(
        activity.source(),
        SourceStatus.of(activity, last),
        worker.part(),
        worker.share(),
        worker.up(),
        last,
        now);
  }

  /** Whether the last round could read it and no call hangs since. */
  public boolean answers() {
    return status.answers();
  }

  /** Whether its status is known: it finished a round or hangs. */
  public boolean settled() {
    return !(status instanceof SourceStatus.Starting);
  }

  public List<CollectorRun> runs() {
    return last.map(SourceSnapshot::runs).orElse(List.of());
  }

  /** The run before the last one of the same collector, if both have samples. */
  public Optional<CollectorRun.Collected> before(CollectorRun.Collected run) {
    return last.flatMap(seen -> seen.of(run.collector()))
        .flatMap(SourceSnapshot.CollectorState::before);
  }

  /** When a collector last succeeded on this source. */
  public Optional<Instant> lastSuccess(String collector) {
    return last.flatMap(seen -> seen.of(collector)).flatMap(SourceSnapshot.CollectorState::success);
  }

  /** Whether a run is stale; it does not age when the clock is set. */
  public boolean overdue(CollectorRun run, Cadences cadences) {
    return status instanceof SourceStatus.Hung
        || now - run.ended() > cadences.validNanos(run.cadence());
  }

  /** The runs with valid samples. Called for about fifty sources at each scrape and evaluation. */
  public List<CollectorRun.Collected> current(Cadences cadences) {
    List<CollectorRun.Collected> current = new ArrayList<>();
    if (last.isPresent()) {
      for (SourceSnapshot.CollectorState one : last.get().collectors()) {
        if (one.run() instanceof CollectorRun.Collected collected
            && !overdue(collected, cadences)) {
          current.add(collected);
        }
      }
    }
    return current;
  }
}
