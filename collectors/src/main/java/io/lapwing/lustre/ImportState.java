package io.lapwing.lustre;

import java.util.Locale;
import java.util.Optional;

/** How a client's connection to one target stands: {@code enum lustre_imp_state}. */
public enum ImportState {
  CLOSED,
  NEW,
  DISCONN,
  CONNECTING,
  REPLAY,
  REPLAY_LOCKS,
  REPLAY_WAIT,
  RECOVER,
  FULL,
  EVICTED,
  IDLE;

  /** As the kernel writes it; empty for a state that only a later version knows. */
  static Optional<ImportState> named(String name) {
    for (ImportState state : values()) {
      if (state.name().equals(name)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  /** An idle client disconnects by itself and connects again with its next request. */
  public boolean healthy() {
    return this == FULL || this == IDLE;
  }

  /** As a label says it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
