package io.lapwing.nccl;

/**
 * A rank of this node on one communicator.
 *
 * @param rank on the communicator
 * @param gpu the index that NVML gives it in the rank's own container; -1 where it is not told
 * @param asyncError a {@code ncclResult_t}: 0 is none, 7 is in progress
 * @param aborted whether {@code ncclCommAbort} was called
 * @param counts operations begun
 */
record RasRank(
    int rank,
    int gpu,
    LocalProcess process,
    int asyncError,
    boolean aborted,
    CollectiveCounts counts) {}
