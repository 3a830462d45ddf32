package io.lapwing.agent.check;

import io.lapwing.agent.health.Verdict;

/** ANSI colors, if enabled. */
public record AnsiColor(boolean enabled) {

  private static final String END = "\u001b[0m";

  String of(Verdict verdict, String text) {
    return switch (verdict) {
      case HEALTHY -> in("32", text);
      case DEGRADED -> in("33", text);
      case UNKNOWN -> in("35", text);
      case FAILING -> in("1;31", text);
    };
  }

  String alert(String text) {
    return in("1;37;41", text);
  }

  private String in(String code, String text) {
    return enabled ? "\u001b[" + code + "m" + text + END : text;
  }
}
