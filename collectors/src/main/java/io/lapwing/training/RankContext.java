package io.lapwing.training;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * What all ranks share; {@code accounts} has the account of a uid, {@code now} is in nanoseconds
 * since the epoch, warnings are logged.
 */
record RankContext(
    RejectionCounts faults,
    TrainingProcesses processes,
    TrainingGpus gpus,
    LongFunction<String> accounts,
    PeakFlops peaks,
    RecordBlock.Pool blocks,
    LongSupplier now,
    Consumer<String> warnings) {

  /** The GPU of a rank: the one on which its process computes, else by UUID, else by index. */
  Optional<TrainingGpus.RankGpu> gpu(StepHeader header, RankWriter writer) {
    OptionalLong pid = writer.pid();
    Optional<TrainingGpus.RankGpu> used =
        pid.isPresent() ? gpus.byPid(pid.getAsLong()) : Optional.empty();
    return used.or(
            () -> header.gpuUuid().isEmpty() ? Optional.empty() : gpus.byUuid(header.gpuUuid()))
        .or(
            () ->
                header.gpuIndex().isPresent() && !header.isOnMigDevice()
                    ? gpus.byIndex(header.gpuIndex().getAsInt())
                    : Optional.empty());
  }
}
