package io.lapwing.stack.history;

import io.lapwing.stack.history.Episodes.Episode;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an alert would have done.
 *
 * @param severity the alert's fixed one; empty if each firing has its own
 * @param lacking recorded series that it reads and that the server does not record: not evaluated
 */
record Outcome(String alert, String severity, List<Episode> episodes, Set<String> lacking) {

  Outcome {
    episodes = List.copyOf(episodes);
    lacking = Set.copyOf(lacking);
  }

  static Outcome lacking(String alert, Set<String> recordings) {
    return new Outcome(alert, "", List.of(), recordings);
  }

  /** This and another rule of the same alert. */
  Outcome and(Outcome other) {
    return new Outcome(
        alert,
        severity.equals(other.severity) ? severity : "",
        joined(episodes, other.episodes),
        Set.copyOf(joined(List.copyOf(lacking), List.copyOf(other.lacking))));
  }

  private static <T> List<T> joined(List<T> some, List<T> more) {
    return Stream.concat(some.stream(), more.stream()).distinct().toList();
  }

  /** Test findings are no faults. */
  List<Episode> real() {
    return episodes.stream().filter(one -> !one.labels().containsKey("test")).toList();
  }

  long severities(String wanted) {
    return real().stream()
        .filter(one -> one.labels().getOrDefault("severity", severity).equals(wanted))
        .count();
  }

  long nodes() {
    return real().stream()
        .map(one -> one.labels().getOrDefault("cluster", "") + "/" + one.labels().get("instance"))
        .filter(node -> !node.endsWith("/null"))
        .distinct()
        .count();
  }

  /** Hours in which it fired, summed over nodes and jobs. */
  double hours() {
    return real().stream().map(Episode::length).reduce(Duration.ZERO, Duration::plus).toMinutes()
        / 60.0;
  }

  /** The largest number of firings that began on one day, in UTC. */
  long busiestDay() {
    Map<LocalDate, Long> days =
        real().stream()
            .collect(
                Collectors.groupingBy(
                    one -> one.start().atZone(ZoneOffset.UTC).toLocalDate(),
                    TreeMap::new,
                    Collectors.counting()));
    return days.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
