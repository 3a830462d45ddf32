package io.lapwing.agent.check;

import io.lapwing.agent.health.Verdict;

/** What a script reads off {@code lapwing check}. */
public final class ExitCode {

  public static final int HEALTHY = 0;
  public static final int DEGRADED = 1;
  public static final int FAILING = 2;
  public static final int UNKNOWN = 3;

  /** {@code EX_USAGE}: apart from the verdicts, which no mistyped flag may look like. */
  public static final int WRONG_USE = 64;

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
