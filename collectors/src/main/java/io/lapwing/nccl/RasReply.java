package io.lapwing.nccl;

import io.lapwing.nccl.LocalProcesses.LocalProcess;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The part of a reply that concerns this node.
 *
 * @param version of NCCL
 * @param json false for a service before NCCL 2.28.7, which reports only its version
 * @param collectionSeconds how long it queried the other processes; empty if absent
 * @param timeouts how many of these queries timed out
 * @param communicators those with a rank here, largest first
 * @param dropped communicators with a rank here beyond the limit
 * @param withoutProcess ranks whose host is this node but whose process is not visible
 * @param bytes its length
 */
record RasReply(
    String version,
    boolean json,
    OptionalDouble collectionSeconds,
    OptionalInt timeouts,
    List<Communicator> communicators,
    int dropped,
    int withoutProcess,
    long bytes) {

  RasReply {
    communicators = List.copyOf(communicators);
  }

  /** Of a service that supports text only. */
  static RasReply ofText(String version, long bytes) {
    return new RasReply(
        version, false, OptionalDouble.empty(), OptionalInt.empty(), List.of(), 0, 0, bytes);
  }

  /** The processes of this node that have a rank. */
  Set<LocalProcess> processes() {
    Set<LocalProcess> all = new HashSet<>();
    communicators.forEach(one -> one.local().forEach(rank -> all.add(rank.process())));
    return all;
  }

  /** A copy with its length, which is known at its end. */
  RasReply withBytes(long length) {
    return new RasReply(
        version, json, collectionSeconds, timeouts, communicators, dropped, withoutProcess, length);
  }

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
  record Communicator(
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

    Communicator {
      local = List.copyOf(local);
    }

    /** 16 hexadecimal digits, as in NCCL's log, and what makes them unique in the reply. */
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
        LocalProcess process,
        int asyncError,
        boolean aborted,
        CollectiveCounts counts) {}
  }
}
