package io.lapwing.agent.health;

import java.util.Locale;

/** What is to be done, mildest first. */
public enum Action {
  NONE,
  /** Keep an eye on it. */
  WATCH,
  /** The application that was hit has to be started again. */
  RESTART_APP,
  RESET_GPU,
  REBOOT_NODE,
  REPLACE_NODE;

  /** As it stands on the page and in policies: {@code reset_gpu}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this one makes the other superfluous, or is the same. */
  public boolean covers(Action other) {
    return compareTo(other) >= 0;
  }
}
