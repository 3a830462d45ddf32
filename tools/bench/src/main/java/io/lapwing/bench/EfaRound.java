package io.lapwing.bench;

/**
 * One window in which the agent refreshed its EFA devices and the peer was scraped, both at the
 * same pace.
 *
 * @param refreshes how often the agent read all counters, by the number of its reads
 * @param scrapes how often the peer was asked
 * @param agentMicros CPU of the whole agent a refresh
 * @param idleMicros CPU of the same agent without EFA in as long a time
 * @param peerMicros CPU of the whole peer a scrape
 */
record EfaRound(
    double refreshes, int scrapes, double agentMicros, double idleMicros, double peerMicros) {

  /** What the devices cost. */
  double readingMicros() {
    return agentMicros - idleMicros;
  }
}
