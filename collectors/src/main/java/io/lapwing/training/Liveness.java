package io.lapwing.training;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Whether the process that writes a file is still there. */
final class Liveness {

  /** So long a loop that nobody can see may keep silent. */
  private static final long SILENCE = TimeUnit.MINUTES.toNanos(15);

  private final TrainingProcesses processes;
  private final LongSupplier now;

  /**
   * By what can be seen of processes.
   *
   * @param now the time of day in nanoseconds since the epoch
   */
  Liveness(TrainingProcesses processes, LongSupplier now) {
    this.processes = processes;
    this.now = now;
  }

  /** Whether the number of its process means the same here. */
  boolean isOurs(StepHeader header) {
    OptionalLong ours = processes.namespace();
    return ours.isPresent() && ours.equals(header.pidNamespace());
  }

  /** A file says whose it is by its owner; a process that is gone says nothing. */
  boolean isOfItsOwner(StepFile file) {
    return !isOurs(file.header())
        || processes
            .find(file.header().pid())
            .map(TrainingProcesses.Seen::user)
            .filter(user -> user.isPresent() && user.getAsLong() != file.look().user())
            .isEmpty();
  }

  /**
   * By its process, where that can be seen; else by its lock; else by how long it has been silent.
   *
   * @param lastSign in nanoseconds since the epoch
   */
  boolean isAlive(StepFile file, long lastSign) {
    StepHeader header = file.header();
    if (isOurs(header)) {
      return isThere(header);
    }
    if (header.locked()) {
      try {
        return file.isLocked();
      } catch (IOException noLocksHere) {
        // Its age tells then.
      }
    }
    return Math.abs(now.getAsLong() - lastSign) < SILENCE;
  }

  /** Another process may have its number by now. */
  private boolean isThere(StepHeader header) {
    Optional<TrainingProcesses.Seen> seen = processes.find(header.pid());
    return seen.isPresent()
        && (seen.get().started().isEmpty()
            || header.processStart().isEmpty()
            || seen.get().started().equals(header.processStart()));
  }
}
