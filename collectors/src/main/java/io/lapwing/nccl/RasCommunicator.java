package io.lapwing.nccl;

import java.util.List;
import java.util.OptionalInt;

/**
 * A communicator with a rank on this node, and the state of its other ranks.
 *
 * @param size number of its ranks
 * @param answered ranks that reported to RAS
 * @param missing ranks that did not
 * @param missingHere missing ranks whose host is this node
 * @param unresponsive missing ranks that RAS cannot reach
 * @param dead missing ranks that RAS has given up
 * @param inError ranks on all nodes with an asynchronous error
 * @param highest the highest count of each operation among all ranks
 * @param local the ranks of this node
 */
record RasCommunicator(
    Id id,
    int size,
    int answered,
    int missing,
    int missingHere,
    int unresponsive,
    int dead,
    int inError,
    CollectiveCounts highest,
    List<Rank> local) {

  RasCommunicator {
    local = List.copyOf(local);
  }

  /**
   * Identifies a communicator.
   *
   * @param hash 16 hexadecimal digits, as in NCCL's log
   * @param secondary makes it unique; as in the reply
   */
  record Id(String hash, String secondary) {}

  /**
   * A rank of this node on one communicator.
   *
   * @param rank on the communicator
   * @param gpu the NVML index in the rank's own container; empty if absent
   * @param asyncError a {@code ncclResult_t}: 0 is success, 7 in progress
   * @param aborted whether {@code ncclCommAbort} was called
   * @param counts operations started
   */
  record Rank(
      int rank,
      OptionalInt gpu,
      LocalProcesses.LocalProcess process,
      int asyncError,
      boolean aborted,
      CollectiveCounts counts) {}
}
