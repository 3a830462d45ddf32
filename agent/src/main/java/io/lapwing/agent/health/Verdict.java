package io.lapwing.agent.health;

import java.util.Locale;

/** Health, best first. {@link #UNKNOWN} is worse than {@link #DEGRADED}: it may hide a failure. */
public enum Verdict {
  HEALTHY,
  DEGRADED,
  UNKNOWN,
  FAILING;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Verdict of(Severity severity) {
    return switch (severity) {
      case INFO -> HEALTHY;
      case DEGRADED -> DEGRADED;
      case UNKNOWN -> UNKNOWN;
      case FAILING -> FAILING;
    };
  }
}
