package io.lapwing.drain.policy;

import io.lapwing.drain.health.Remedy;
import java.util.Locale;

/** The operations of the controller, mildest first. */
public enum Verb {
  /** No new work starts; running jobs continue. */
  DRAIN,
  /** Ends a job on a drained node, so that its scheduler starts it again elsewhere. */
  END_JOB,
  RESET,
  REBOOT,
  REPLACE;

  /** The word of the configuration: {@code drain}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The one that carries a remedy out.
   *
   * @throws IllegalArgumentException if the node does not have to leave service for it
   */
  public static Verb of(Remedy remedy) {
    return switch (remedy) {
      case RESET_GPU -> RESET;
      case REBOOT_NODE -> REBOOT;
      case REPLACE_NODE -> REPLACE;
      case NONE, WATCH, RESTART_APP, RESTART_SERVICE ->
          throw new IllegalArgumentException(remedy.word() + " takes no node");
    };
  }
}
