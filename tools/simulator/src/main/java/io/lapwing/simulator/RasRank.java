package io.lapwing.simulator;

import java.util.Map;
import java.util.TreeMap;

/** One rank of a job in RAS. */
final class RasRank {

  /** Reachability for RAS. */
  enum Contact {
    ANSWERS,
    UNRESPONSIVE,
    DEAD
  }

  String host;
  int pid;
  final int gpu;
  int asyncError;
  boolean aborted;
  boolean stopped;
  Contact contact = Contact.ANSWERS;
  final Map<String, Long> counts = new TreeMap<>();

  RasRank(String host, int pid, int gpu) {
    this.host = host;
    this.pid = pid;
    this.gpu = gpu;
    for (String operation :
        new String[] {"Broadcast", "Reduce", "AllGather", "ReduceScatter", "AllReduce"}) {
      counts.put(operation, 0L);
    }
  }
}
