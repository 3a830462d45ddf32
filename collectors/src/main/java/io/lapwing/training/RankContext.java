package io.lapwing.training;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What all ranks share.
 *
 * @param now the time of day in nanoseconds since the epoch
 */
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

  /**
   * When the loop last showed activity: the latest of the creation of its file, a change of phase
   * and the end of a step.
   *
   * @return nanoseconds since the epoch
   */
  long lastActivity(StepFile file) {
    long phaseSince = Math.min(file.phaseSince(), now.getAsLong());
    return Math.max(Math.max(file.header().created(), phaseSince), lastStepEnd(file));
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
}
