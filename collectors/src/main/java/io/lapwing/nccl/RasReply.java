package io.lapwing.nccl;

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
    List<RasCommunicator> communicators,
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
  Set<LocalProcesses.LocalProcess> processes() {
    Set<LocalProcesses.LocalProcess> all = new HashSet<>();
    communicators.forEach(one -> one.local().forEach(rank -> all.add(rank.process())));
    return all;
  }

  /** A copy with its length, which is known at its end. */
  RasReply withBytes(long length) {
    return new RasReply(
        version, json, collectionSeconds, timeouts, communicators, dropped, withoutProcess, length);
  }
}
