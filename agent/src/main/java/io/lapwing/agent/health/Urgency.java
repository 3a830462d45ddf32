package io.lapwing.agent.health;

import java.util.Locale;

/** When the action is due, mildest first. */
public enum Urgency {
  /** Once the work that runs now has ended. */
  JOB_END,
  NOW;

  /** As it stands in policies: {@code job_end}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
