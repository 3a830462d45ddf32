package io.lapwing.agent.check;

import io.lapwing.agent.health.Verdict;

/** The exit codes of {@code lapwing check}. */
public final class ExitCode {

  public static final int HEALTHY = 0;
  public static final int DEGRADED = 1;
  public static final int FAILING = 2;
  public static final int UNKNOWN = 3;

  /** {@code EX_USAGE}, distinct from every verdict: a mistyped flag must not look like one. */
  public static final int USAGE = 64;

  private ExitCode() {}

  public static int of(Verdict verdict) {
    return switch (verdict) {
      case HEALTHY -> HEALTHY;
      case DEGRADED -> DEGRADED;
      case FAILING -> FAILING;
      case UNKNOWN -> UNKNOWN;
    };
  }
}
