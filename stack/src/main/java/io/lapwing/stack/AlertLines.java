package io.lapwing.stack;

import java.io.PrintStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Alerts in one line each, as they come and go. */
record AlertLines(PrintStream out) {

  void print(Notification notification) {
    notification.alerts().forEach(alert -> out.println(line(alert)));
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
