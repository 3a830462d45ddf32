package io.lapwing.stack;

import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Alerts in one line each, as they come and go: once, however many receivers are told of them. */
final class AlertLines {

  private final PrintStream out;
  private final Map<Map<String, String>, String> states = new HashMap<>();

  AlertLines(PrintStream out) {
    this.out = out;
  }

  /** One thread's business. */
  void print(Notification notification) {
    for (Alert alert : notification.alerts()) {
      if (!alert.state().equals(states.put(alert.labels(), alert.state()))) {
        out.println(line(alert));
      }
    }
  }

  /** Also what the description says in several lines. */
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
