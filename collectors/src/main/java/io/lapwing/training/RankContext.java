package io.lapwing.training;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What all ranks share; {@code now} is in nanoseconds since the epoch. */
record RankContext(
    RejectionCounts faults,
    Liveness liveness,
    TrainingGpus gpus,
    PeakFlops peaks,
    RecordBlock.Pool blocks,
    LongSupplier now) {

  /** The GPU of a rank: by UUID, else by index, else by pid. */
  Optional<TrainingGpus.RankGpu> gpu(StepHeader header) {
    Optional<TrainingGpus.RankGpu> named =
        header.gpuUuid().isEmpty() ? Optional.empty() : gpus.byUuid(header.gpuUuid());
    return named
        .or(
            () ->
                header.gpuIndex().isPresent()
                    ? gpus.byIndex(header.gpuIndex().getAsInt())
                    : Optional.empty())
        .or(() -> liveness.isOurs(header) ? gpus.byPid(header.pid()) : Optional.empty());
  }

  /** When the file was created or a phase or step ended last; nanoseconds since the epoch. */
  long lastActivity(StepFile file) {
    return lastActivity(file, lastStepEnd(file));
  }

  long lastActivity(StepFile file, long lastStepEnd) {
    long phaseSince = Math.min(file.phaseSince(), now.getAsLong());
    return Math.max(Math.max(file.header().created(), phaseSince), lastStepEnd);
  }

  private long lastStepEnd(StepFile file) {
    long last = file.written() - 1;
    if (last < 0) {
      return 0;
    }
    RecordBlock block = blocks.take();
    try {
      block.load(file, (int) (last % file.header().capacity()), 1);
      block.choose(0);
      double seconds = block.number(StepLayout.AT_DURATION);
      return block.isWhole(last) && seconds > 0
          ? block.integer(StepLayout.AT_START) + (long) (seconds * TimeUnit.SECONDS.toNanos(1))
          : 0;
    } catch (IOException | StepFile.RejectedException unreadable) {
      return 0;
    } finally {
      blocks.release(block);
    }
  }

  /** Whether the process that writes a file still runs; {@code now} as in {@link RankContext}. */
  record Liveness(TrainingProcesses processes, LongSupplier now) {

    /** How long a loop may be silent if neither its process nor its lock is visible. */
    private static final long SILENCE = TimeUnit.MINUTES.toNanos(15);

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

    /** By its process, if visible; else by its lock; else by the time of its last activity. */
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
}
