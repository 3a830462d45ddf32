package io.lapwing.agent.check;

import java.util.Optional;

/**
 * What a check prints.
 *
 * @param out on standard output: the screen, one line or the JSON
 * @param err on standard error: what has no place there
 */
public record CheckReport(String out, String err) {

  public static CheckReport of(Outcome outcome, CheckRequest.Form form, Ink ink) {
    return switch (form) {
      case SCREEN -> new CheckReport(CheckText.of(outcome, ink), "");
      case BRIEF -> new CheckReport(BriefLine.of(outcome) + "\n", aside(outcome.note()));
      case JSON -> new CheckReport(outcome.json(), aside(outcome.note()) + aside(outcome.doubt()));
    };
  }

  private static String aside(Optional<String> words) {
    return words.map(text -> "lapwing: " + text + "\n").orElse("");
  }
}
