package io.lapwing.nccl;

import java.util.List;

/**
 * A communicator with a rank of this node, and what its other ranks are known for.
 *
 * @param size ranks that it has
 * @param answered ranks that told something of themselves
 * @param missing ranks that did not
 * @param missingHere those among them whose host is this node
 * @param unresponsive missing ranks that RAS cannot reach
 * @param dead missing ranks that RAS has given up
 * @param inError ranks, wherever they are, with an asynchronous error
 * @param most the highest count of each operation among all ranks
 * @param local the ranks of this node
 */
record RasCommunicator(
    CommunicatorId id,
    int size,
    int answered,
    int missing,
    int missingHere,
    int unresponsive,
    int dead,
    int inError,
    CollectiveCounts most,
    List<RasRank> local) {

  RasCommunicator {
    local = List.copyOf(local);
  }
}
