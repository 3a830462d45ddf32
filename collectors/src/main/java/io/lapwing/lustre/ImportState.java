package io.lapwing.lustre;

import io.lapwing.metric.LabelWord;
import java.util.Optional;

/** State of a client's connection to one target: {@code enum lustre_imp_state}. */
enum ImportState implements LabelWord {
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

  /** Parses the kernel's name; empty for a state of a later version. */
  static Optional<ImportState> named(String name) {
    for (ImportState state : values()) {
      if (state.name().equals(name)) {
        return Optional.of(state);
      }
    }
    return Optional.empty();
  }

  /** An idle client disconnects by itself and reconnects with its next request. */
  boolean healthy() {
    return this == FULL || this == IDLE;
  }
}
