package io.lapwing.agent.health;

import java.util.Locale;

/**
 * The health of a GPU or the node, best first: its worst finding. {@link #UNKNOWN} is worse than
 * {@link #DEGRADED}, since it may hide a failure.
 */
public enum Verdict {
  HEALTHY,
  DEGRADED,
  UNKNOWN,
  FAILING;

  /** The label value: {@code healthy}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The verdict of one finding. */
  public static Verdict of(Severity severity) {
    return switch (severity) {
      case INFO -> HEALTHY;
      case DEGRADED -> DEGRADED;
      case UNKNOWN -> UNKNOWN;
      case FAILING -> FAILING;
    };
  }
}
