package io.lapwing.agent.health;

import java.util.Locale;

/** When the action is due, mildest first. */
public enum Urgency {
  /** After the running job. */
  JOB_END,
  NOW;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
