package io.lapwing.stack.history;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The table that is printed, most firings first. */
final class Report {

  private Report() {}

  /** {@code recorded}: the alerts that read recordings. */
  static String of(
      List<Outcome> outcomes, Duration range, Coverage coverage, Set<String> recorded) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "The server has samples of Lapwing for %.1f of %.1f hours.%n%n",
            hours(coverage.covered()),
            hours(range)));
    text.append(
        row("ALERT", "CRITICAL", "WARNING", "INFO", "NODES", "BUSIEST DAY", "HOURS FIRING"));
    List<Outcome> fired =
        outcomes.stream()
            .filter(one -> !one.real().isEmpty())
            .sorted(
                Comparator.comparingInt((Outcome one) -> -one.real().size())
                    .thenComparing(Outcome::alert))
            .toList();
    for (Outcome one : fired) {
      text.append(
          row(
              one.alert(),
              String.valueOf(one.severities("critical")),
              String.valueOf(one.severities("warning")),
              String.valueOf(one.severities("info")),
              String.valueOf(one.nodes()),
              String.valueOf(one.busiestDay()),
              String.format(Locale.ROOT, "%.1f", one.hours())));
    }
    double weeks = hours(coverage.covered()) / (7 * 24);
    text.append(
        String.format(
            Locale.ROOT,
            "%nA week of samples: %.1f critical, %.1f warning, before grouping and inhibition.%n",
            sum(fired, "critical") / weeks,
            sum(fired, "warning") / weeks));
    List<Outcome> lacking = outcomes.stream().filter(one -> !one.lacking().isEmpty()).toList();
    Set<String> unknown = new TreeSet<>(coverage.lacksRecordings() ? recorded : Set.of());
    lacking.forEach(one -> unknown.remove(one.alert()));
    long silent =
        outcomes.stream()
            .filter(one -> one.real().isEmpty() && one.lacking().isEmpty())
            .filter(one -> !unknown.contains(one.alert()))
            .count();
    text.append(silent).append(" alerts would not have fired.\n");
    if (!unknown.isEmpty()) {
      text.append("Nothing is known of these before ")
          .append(coverage.firstRecorded().map(Instant::toString).orElse("now"))
          .append(", when the server has the first of the recordings that they read: ")
          .append(String.join(", ", unknown))
          .append('\n');
    }
    if (!lacking.isEmpty()) {
      text.append(
          "Not evaluated, because this server does not record what they read; load the rules there:\n");
      lacking.forEach(
          one ->
              text.append("  ")
                  .append(one.alert())
                  .append(": ")
                  .append(String.join(", ", new TreeSet<>(one.lacking())))
                  .append('\n'));
    }
    return text.toString();
  }

  private static double hours(Duration time) {
    return time.toMinutes() / 60.0;
  }

  private static long sum(List<Outcome> outcomes, String severity) {
    return outcomes.stream().mapToLong(one -> one.severities(severity)).sum();
  }

  private static String row(String... cells) {
    StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-32s", cells[0]));
    for (int at = 1; at < cells.length; at++) {
      row.append(String.format(Locale.ROOT, "%14s", cells[at]));
    }
    return row.append('\n').toString();
  }
}
