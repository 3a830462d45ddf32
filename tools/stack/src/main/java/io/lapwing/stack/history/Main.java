package io.lapwing.stack.history;

import io.lapwing.stack.ServerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * {@code tools/bench/alerts}: prints how often each alert of some rule files would have fired in
 * the past, by range queries of the alerts' expressions. Nothing is loaded, sent or changed.
 */
public final class Main {

  private static final Duration SHORTEST_STEP = Duration.ofSeconds(15);

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    try {
      System.out.print(run(List.of(arguments)));
    } catch (IllegalArgumentException wrong) {
      System.err.println("alerts: " + wrong.getMessage());
      System.exit(2);
    } catch (ServerException failed) {
      System.err.println("alerts: " + failed.getMessage());
      System.exit(1);
    }
  }

  /** Reads {@code --url=}, {@code --range=}, {@code --step=}, and the names of rule files. */
  static String run(List<String> arguments) throws IOException {
    Map<String, String> flags = new LinkedHashMap<>(Map.of("range", "14d", "step", "1m"));
    List<Path> files = new ArrayList<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--")) {
        files.add(Path.of(argument));
      } else if (equals > 0
          && List.of("url", "range", "step").contains(argument.substring(2, equals))) {
        flags.put(argument.substring(2, equals), argument.substring(equals + 1));
      } else {
        throw new IllegalArgumentException(
            argument + ": the flags are --url=, --range= and --step=");
      }
    }
    String url = flags.get("url");
    if (url == null) {
      throw new IllegalArgumentException("--url=http://... of a Prometheus is missing");
    }
    Duration range = Durations.read(flags.getOrDefault("range", ""));
    Duration step = Durations.read(flags.getOrDefault("step", ""));
    if (step.compareTo(SHORTEST_STEP) < 0 || step.compareTo(range) > 0) {
      throw new IllegalArgumentException("--step is at least 15s and at most --range");
    }
    return report(new HttpPrometheus(URI.create(url)), files, Instant.now(), range, step);
  }

  static String report(
      PrometheusApi prometheus, List<Path> files, Instant now, Duration range, Duration step)
      throws IOException {
    // Multiples of the step, so that the samples of one query follow those of the one before.
    long seconds = step.toSeconds();
    Instant end = Instant.ofEpochSecond(now.getEpochSecond() / seconds * seconds);
    AlertHistory history = new AlertHistory(prometheus, end, range, step);
    List<AlertHistory.Alert> alerts = AlertHistory.alerts(files);
    Coverage coverage = history.coverage(alerts);
    if (coverage.covered().isZero()) {
      throw new IllegalArgumentException(
          "the server has no samples of Lapwing in this time, so no alert can be judged");
    }
    Map<String, Outcome> outcomes = new LinkedHashMap<>();
    for (AlertHistory.Alert alert : alerts) {
      outcomes.merge(alert.name(), history.of(alert), Outcome::and);
    }
    Set<String> recorded =
        alerts.stream()
            .filter(one -> !one.recordings().isEmpty())
            .map(AlertHistory.Alert::name)
            .collect(Collectors.toCollection(TreeSet::new));
    return Report.of(List.copyOf(outcomes.values()), range, coverage, recorded);
  }
}
