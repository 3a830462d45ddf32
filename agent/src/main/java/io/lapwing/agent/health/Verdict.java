package io.lapwing.agent.health;

import java.util.Locale;

/**
 * On a GPU or the node, best first: the worst of its findings. What cannot be seen weighs more than
 * what is only degraded, since it may hide what fails.
 */
public enum Verdict {
  HEALTHY,
  DEGRADED,
  UNKNOWN,
  FAILING;

  /** As it stands on the page: {@code healthy}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What one finding makes of it. */
  public static Verdict of(Severity severity) {
    return switch (severity) {
      case INFO -> HEALTHY;
      case DEGRADED -> DEGRADED;
      case UNKNOWN -> UNKNOWN;
      case FAILING -> FAILING;
    };
  }
}
