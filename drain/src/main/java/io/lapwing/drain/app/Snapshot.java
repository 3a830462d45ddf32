package io.lapwing.drain.app;

import io.lapwing.drain.decisions.DecisionLog;
import io.lapwing.drain.decisions.OpenRemediation;
import io.lapwing.drain.guard.Objection;
import io.lapwing.drain.remediation.ControllerState;
import java.util.List;
import java.util.Optional;

/**
 * What the controller does, as of its last round.
 *
 * @param state empty before the first
 * @param brake what stands against taking any node
 */
record Snapshot(Optional<ControllerState> state, List<Objection> brake) {

  static final Snapshot NONE = new Snapshot(Optional.empty(), List.of());

  Snapshot {
    brake = List.copyOf(brake);
  }

  /** Those that need a person first. */
  List<OpenRemediation> open() {
    return state.map(known -> DecisionLog.status(known).open()).orElse(List.of());
  }

  /** Why a person has to act, in words. */
  List<String> calls() {
    return state.map(known -> DecisionLog.status(known).calls()).orElse(List.of());
  }
}
