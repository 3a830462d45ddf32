package io.lapwing.training;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What every rank needs to know beside its file.
 *
 * @param now the time of day in nanoseconds since the epoch
 */
record RankSurroundings(
    FaultCounts faults,
    Liveness liveness,
    TrainingGpus gpus,
    PeakFlops peaks,
    BlockPool blocks,
    LongSupplier now) {

  /** The GPU of a rank, by what its header says best. */
  Optional<TrainingGpu> gpu(StepHeader header) {
    Optional<TrainingGpu> named =
        header.gpuUuid().isEmpty() ? Optional.empty() : gpus.byUuid(header.gpuUuid());
    return named
        .or(
            () ->
                header.gpuIndex().isPresent()
                    ? gpus.byIndex(header.gpuIndex().getAsInt())
                    : Optional.empty())
        .or(() -> liveness.isOurs(header) ? gpus.byPid(header.pid()) : Optional.empty());
  }
}
