package io.lapwing.drain.intake.agents;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The times between a job's checkpoints, as far as two in a row were seen. Between two questions
 * that lie apart there may have been others, which would make the interval too long.
 *
 * @param last when the last checkpoint became durable
 * @param asked when it was asked last
 * @param times the last intervals
 */
record Intervals(Optional<Instant> last, Instant asked, List<Duration> times) {

  static final Intervals NONE = new Intervals(Optional.empty(), Instant.MIN, List.of());

  private static final Duration GAP = Duration.ofMinutes(1);
  private static final int KEPT = 5;

  Intervals {
    times = List.copyOf(times);
  }

  /** With the answer to another question. */
  Intervals and(Optional<Instant> durable, Instant now) {
    List<Duration> all = new ArrayList<>(times);
    boolean inARow = last.isPresent() && !now.isAfter(asked.plus(GAP));
    if (inARow && durable.isPresent() && durable.get().isAfter(last.get())) {
      all.add(Duration.between(last.get(), durable.get()));
    }
    return new Intervals(durable, now, all.subList(Math.max(0, all.size() - KEPT), all.size()));
  }

  /** Empty before the second checkpoint. */
  Optional<Duration> median() {
    return times.stream().sorted().skip(times.size() / 2).findFirst();
  }
}
