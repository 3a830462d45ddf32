package io.lapwing.training;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Whether the process that writes a file still runs. */
final class Liveness {

  /** How long a loop may be silent if neither its process nor its lock is visible. */
  private static final long SILENCE = TimeUnit.MINUTES.toNanos(15);

  private final TrainingProcesses processes;
  private final LongSupplier now;

  /**
   * @param now the time of day in nanoseconds since the epoch
   */
  Liveness(TrainingProcesses processes, LongSupplier now) {
    this.processes = processes;
    this.now = now;
  }

  /** Whether its pid is a pid of our PID namespace. */
  boolean isOurs(StepHeader header) {
    OptionalLong ours = processes.namespace();
    return ours.isPresent() && ours.equals(header.pidNamespace());
  }

  /** False if a running process of that pid belongs to another user than the file. */
  boolean ownerMatches(StepFile file) {
    return !isOurs(file.header())
        || processes
            .find(file.header().pid())
            .map(TrainingProcesses.Seen::user)
            .filter(user -> user.isPresent() && user.getAsLong() != file.attributes().user())
            .isEmpty();
  }

  /**
   * By its process, if that is visible; else by its lock; else by the time of its last activity.
   *
   * @param lastActivity in nanoseconds since the epoch
   */
  boolean isAlive(StepFile file, long lastActivity) {
    StepHeader header = file.header();
    if (isOurs(header)) {
      return isThere(header);
    }
    if (header.locked()) {
      try {
        return file.isLocked();
      } catch (IOException noLocksHere) {
        // Fall through to its age.
      }
    }
    return Math.abs(now.getAsLong() - lastActivity) < SILENCE;
  }

  /** The pid may have been reused. */
  private boolean isThere(StepHeader header) {
    Optional<TrainingProcesses.Seen> seen = processes.find(header.pid());
    return seen.isPresent()
        && (seen.get().started().isEmpty()
            || header.processStart().isEmpty()
            || seen.get().started().equals(header.processStart()));
  }
}
