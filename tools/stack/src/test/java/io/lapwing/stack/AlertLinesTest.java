package io.lapwing.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AlertLinesTest {

  private static Alert alert(String state) {
    return new Alert(
        Map.of(
            "alertname", "LapwingXid",
            "severity", "critical",
            "instance", "node-1",
            "action", "replace_node"),
        Map.of("description", "node-1 has\n  a fault. ", "runbook_url", "file:///x.md"),
        state,
        Instant.EPOCH);
  }

  @Test
  void alert_is_one_line_with_its_action_and_its_runbook() {
    assertThat(AlertLines.line(alert("firing")))
        .isEqualTo(
            "ALERT critical LapwingXid node-1 replace_node: node-1 has a fault. file:///x.md");
  }

  @Test
  void resolved_alert_prints_its_name_only() {
    assertThat(AlertLines.line(alert("resolved")))
        .isEqualTo("OVER  critical LapwingXid node-1 replace_node");
  }

  @Test
  void alert_with_several_receivers_is_printed_once_until_it_changes() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    AlertLines lines = new AlertLines(new PrintStream(printed, true, UTF_8));

    for (String state : List.of("firing", "firing", "resolved", "resolved", "firing")) {
      lines.print(new Notification("/", "people", Map.of(), List.of(alert(state)), Instant.EPOCH));
    }

    assertThat(printed.toString(UTF_8).lines().map(line -> line.substring(0, 5)))
        .containsExactly("ALERT", "OVER ", "ALERT");
  }

  @Test
  void what_an_alert_does_not_say_leaves_no_gap() {
    Alert watchdog =
        new Alert(Map.of("alertname", "LapwingWatchdog"), Map.of(), "resolved", Instant.EPOCH);

    assertThat(AlertLines.line(watchdog)).isEqualTo("OVER  LapwingWatchdog");
  }
}
