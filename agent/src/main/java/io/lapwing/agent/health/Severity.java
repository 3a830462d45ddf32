package io.lapwing.agent.health;

import java.util.Locale;

/** What a finding makes of the verdict, mildest first. */
public enum Severity {
  /** Worth knowing; the verdict stays as it is. */
  INFO,
  DEGRADED,
  /** Something cannot be seen that should be. */
  UNKNOWN,
  FAILING;

  /** As it stands on the page and in policies. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
