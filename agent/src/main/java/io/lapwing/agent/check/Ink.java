package io.lapwing.agent.check;

import io.lapwing.agent.health.Verdict;

/** Colour, where the reader is a person at a terminal who has not asked for none. */
public record Ink(boolean on) {

  private static final String END = "\u001b[0m";

  String of(Verdict verdict, String text) {
    return switch (verdict) {
      case HEALTHY -> in("32", text);
      case DEGRADED -> in("33", text);
      case UNKNOWN -> in("35", text);
      case FAILING -> in("1;31", text);
    };
  }

  String loud(String text) {
    return in("1;37;41", text);
  }

  private String in(String code, String text) {
    return on ? "\u001b[" + code + "m" + text + END : text;
  }
}
