package io.lapwing.drain.health;

import java.util.Locale;
import java.util.Optional;

/** When a node has to leave service, mildest first. */
public enum Urgency {
  JOB_END,
  NEXT_CHECKPOINT,
  NOW;

  /** The word in alerts: {@code job_end}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty if there is no such word. */
  public static Optional<Urgency> parse(String word) {
    for (Urgency urgency : values()) {
      if (urgency.word().equals(word)) {
        return Optional.of(urgency);
      }
    }
    return Optional.empty();
  }
}
