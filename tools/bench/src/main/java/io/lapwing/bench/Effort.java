package io.lapwing.bench;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param rounds alternating rounds for each encoding
 * @param agentScrapes scrapes of the agent in one round; many, because one costs so little that the
 *     kernel's accounting would hardly see it
 * @param peerScrapes scrapes of the peer in one round
 * @param scrapesBeforeMemory how many scrapes each server has served when its memory is read
 * @param unattended how long both are left alone at the real scrape interval
 * @param starts cold starts of each
 */
record Effort(
    int rounds,
    int agentScrapes,
    int peerScrapes,
    int scrapesBeforeMemory,
    Duration unattended,
    int starts) {

  static final Effort FULL = new Effort(9, 2_000, 300, 10_000, Duration.ofMinutes(5), 7);
  static final Effort QUICK = new Effort(3, 500, 100, 2_000, Duration.ofSeconds(60), 7);

  /** What Prometheus users commonly configure, and what the budgets speak of. */
  static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(15);
}
