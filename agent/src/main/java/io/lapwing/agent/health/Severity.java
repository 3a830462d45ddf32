package io.lapwing.agent.health;

import java.util.Locale;

/** The effect of a finding on the verdict, mildest first. */
public enum Severity {
  INFO,
  DEGRADED,
  /** Something cannot be read that should be. */
  UNKNOWN,
  FAILING;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
