package io.lapwing.nccl;

import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a service told of one job, as far as it is about this node.
 *
 * @param version of NCCL
 * @param json whether it spoke JSON; a service before NCCL 2.28.7 tells only its version
 * @param collectionSeconds how long it asked the other processes; empty where it does not say
 * @param timeouts how often it waited for one of them in vain
 * @param communicators those with a rank here, largest first
 * @param dropped communicators with a rank here that are too many
 * @param withoutProcess ranks whose host is this node and whose process is not to be found
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

  /** Of a service that speaks only text. */
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

  /** The same with its length, which is known behind its end. */
  RasReply withBytes(long length) {
    return new RasReply(
        version, json, collectionSeconds, timeouts, communicators, dropped, withoutProcess, length);
  }
}
