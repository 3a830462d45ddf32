package io.lapwing.agent.health;

import io.lapwing.metric.LabelWord;

/** Health, best first. {@link #UNKNOWN} is worse than {@link #DEGRADED}: it may hide a failure. */
public enum Verdict implements LabelWord {
  HEALTHY,
  DEGRADED,
  UNKNOWN,
  FAILING;

  public static Verdict of(Severity severity) {
    return switch (severity) {
      case INFO -> HEALTHY;
      case DEGRADED -> DEGRADED;
      case UNKNOWN -> UNKNOWN;
      case FAILING -> FAILING;
    };
  }
}
