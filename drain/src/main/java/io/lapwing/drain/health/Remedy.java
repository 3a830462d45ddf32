package io.lapwing.drain.health;

import java.util.Locale;
import java.util.Optional;

/** What a node requires, mildest first; the words are the agent's. */
public enum Remedy {
  NONE,
  WATCH,
  RESTART_APP,
  RESTART_SERVICE,
  RESET_GPU,
  REBOOT_NODE,
  REPLACE_NODE;

  /** The word on the agent's page and in alerts: {@code reset_gpu}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty if there is no such word. */
  public static Optional<Remedy> parse(String word) {
    for (Remedy remedy : values()) {
      if (remedy.word().equals(word)) {
        return Optional.of(remedy);
      }
    }
    return Optional.empty();
  }

  /** Whether a node has to leave service for it. */
  public boolean takesNode() {
    return compareTo(RESET_GPU) >= 0;
  }

  /** The next one where this one did not help. */
  public Optional<Remedy> next() {
    return switch (this) {
      case RESET_GPU -> Optional.of(REBOOT_NODE);
      case REBOOT_NODE -> Optional.of(REPLACE_NODE);
      default -> Optional.empty();
    };
  }

  /** The stronger of two. */
  public Remedy orStronger(Remedy other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
