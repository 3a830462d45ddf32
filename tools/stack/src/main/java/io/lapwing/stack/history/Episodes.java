package io.lapwing.stack.history;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The times in which an alert with a {@code for} fires, from the samples of its query. */
final class Episodes {

  /**
   * One firing.
   *
   * @param start when its {@code for} was over
   * @param end the first time at which its query had no sample
   */
  record Episode(Map<String, String> labels, Instant start, Instant end) {

    Duration length() {
      return Duration.between(start, end);
    }
  }

  /** Samples without a gap: the query is true at each evaluation between. */
  private record Run(Instant first, Instant last) {}

  private final Duration hold;
  private final Duration step;
  private final Map<Map<String, String>, Run> open = new LinkedHashMap<>();
  private final List<Episode> ended = new ArrayList<>();

  Episodes(Duration hold, Duration step) {
    this.hold = hold;
    this.step = step;
  }

  /** Adds the samples of the query's series, later than those before. */
  void add(Map<Map<String, String>, List<Instant>> samples) {
    samples.forEach((labels, times) -> times.forEach(at -> add(labels, at)));
  }

  private void add(Map<String, String> labels, Instant at) {
    Run run = open.get(labels);
    if (run != null && at.isAfter(run.last().plus(step))) {
      end(labels, run);
      run = null;
    }
    open.put(labels, new Run(run == null ? at : run.first(), at));
  }

  private void end(Map<String, String> labels, Run run) {
    Instant fires = run.first().plus(hold);
    if (!fires.isAfter(run.last())) {
      ended.add(new Episode(labels, fires, run.last().plus(step)));
    }
  }

  /** All firings, those that last included. Nothing can be added afterwards. */
  List<Episode> all() {
    open.forEach(this::end);
    open.clear();
    return List.copyOf(ended);
  }
}
