package io.lapwing.agent.health;

import io.lapwing.metric.LabelWord;

/** What a finding requires, mildest first. */
public enum Action implements LabelWord {
  NONE,
  /** Watch for a repetition. */
  WATCH,
  RESTART_APP,
  /** Restart a service of the node, which the finding names. */
  RESTART_SERVICE,
  RESET_GPU,
  REBOOT_NODE,
  REPLACE_NODE;

  /** The next step where this one did not help. */
  public Action next() {
    return switch (this) {
      case RESET_GPU -> REBOOT_NODE;
      case REBOOT_NODE -> REPLACE_NODE;
      default -> this;
    };
  }

  /** Whether this one includes the other, or is the same. */
  public boolean covers(Action other) {
    return compareTo(other) >= 0;
  }
}
