package io.lapwing.bench;

/**
 * One window in which the agent refreshed its EFA devices and the peer was scraped, both at the
 * same rate.
 *
 * @param refreshes how often the agent read all counters, from the number of its reads
 * @param scrapes scrapes of the peer
 * @param agentMicros CPU time of the agent per refresh
 * @param idleMicros CPU time of the same agent without EFA in the same time
 * @param peerMicros CPU time of the peer per scrape
 */
record EfaRound(
    double refreshes, int scrapes, double agentMicros, double idleMicros, double peerMicros) {

  /** The cost of the devices alone. */
  double readingMicros() {
    return agentMicros - idleMicros;
  }
}
