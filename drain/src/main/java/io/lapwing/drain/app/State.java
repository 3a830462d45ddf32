package io.lapwing.drain.app;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * What other threads may read of the controller.
 *
 * @param paused why the kill switch stops it; empty if it does not
 * @param notReloaded why the last reload left the configuration as it was; empty if it did not
 * @param inputs whether faults can reach it
 */
record State(
    Loop loop,
    WatchedCluster cluster,
    WatchedJournal journal,
    Supplier<Optional<String>> paused,
    Supplier<Optional<String>> notReloaded,
    InputWatch inputs) {

  Snapshot snapshot() {
    return loop.snapshot();
  }

  /** Why nothing can be decided now; empty if it can. */
  Optional<String> notReady() {
    if (snapshot().state().isEmpty()) {
      return Optional.of("the first round is not complete");
    }
    return journal
        .problem()
        .map(why -> "the journal cannot be written: " + why)
        .or(loop::failure)
        .or(
            () ->
                cluster.blind().isEmpty()
                    ? Optional.empty()
                    : Optional.of("the cluster cannot be seen: " + cluster.blind()));
  }
}
