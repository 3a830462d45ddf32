package io.lapwing.agent.health;

import java.util.Locale;

/** What a finding requires, mildest first. */
public enum Action {
  NONE,
  /** Watch for a repetition. */
  WATCH,
  RESTART_APP,
  RESET_GPU,
  REBOOT_NODE,
  REPLACE_NODE;

  /** The label value and the word in policies: {@code reset_gpu}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this one includes the other, or is the same. */
  public boolean covers(Action other) {
    return compareTo(other) >= 0;
  }
}
