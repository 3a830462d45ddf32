package io.lapwing.agent.check;

import java.util.Optional;

/**
 * The output of a check.
 *
 * @param out on standard output: the screen, one line or the JSON
 * @param err on standard error: notes that do not belong to the report
 */
public record CheckReport(String out, String err) {

  public static CheckReport of(CheckResult result, CheckRequest.Form form, AnsiColor color) {
    return switch (form) {
      case SCREEN -> new CheckReport(CheckText.of(result, color), "");
      case BRIEF -> new CheckReport(OneLineReport.of(result) + "\n", aside(result.note()));
      case JSON -> new CheckReport(result.json(), aside(result.note()) + aside(result.problem()));
    };
  }

  private static String aside(Optional<String> words) {
    return words.map(text -> "lapwing: " + text + "\n").orElse("");
  }
}
