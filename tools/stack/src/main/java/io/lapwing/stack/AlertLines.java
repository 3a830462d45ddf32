package io.lapwing.stack;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints a line for each alert that starts or resolves, once for all receivers. */
final class AlertLines {

  private final PrintStream out;
  private final Map<Map<String, String>, String> states = new HashMap<>();

  AlertLines(PrintStream out) {
    this.out = out;
  }

  /** Not thread-safe. */
  void print(Notification notification) {
    for (Alert alert : notification.alerts()) {
      if (!alert.state().equals(states.put(alert.labels(), alert.state()))) {
        out.println(line(alert));
      }
    }
  }

  /** Joins descriptions of several lines. */
  static String line(Alert alert) {
    boolean over = alert.state().equals("resolved");
    String what =
        Stream.of(
                over ? "OVER " : "ALERT",
                alert.label("severity"),
                alert.name(),
                alert.label("instance"),
                alert.label("action"))
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    if (over) {
      return what;
    }
    String description = alert.annotation("description").strip().replaceAll("\\s+", " ");
    return what + ": " + description + " " + alert.annotation("runbook_url");
  }
}
