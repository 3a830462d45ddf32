package io.lapwing.bench;

import java.time.Duration;

/**
 * Amount of measuring.
 *
 * @param rounds alternating rounds for each encoding
 * @param agentScrapes scrapes of the agent in one round; many, because one is too short for the
 *     kernel's CPU accounting
 * @param peerScrapes scrapes of the peer in one round
 * @param scrapesBeforeMemory scrapes before the memory is read
 * @param unattended duration with only scrapes at the real interval
 * @param starts cold starts of each server
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

  /** Scrapes of a new process before the first measured one, and the time between them. */
  static final int FIRST_SCRAPES = 50;

  static final Duration FIRST_INTERVAL = Duration.ofMillis(200);

  /** Measured scrapes of a new process; one rendering among them hardly counts. */
  static final int YOUNG_SCRAPES = 500;

  /** The usual scrape interval, which the budgets refer to. */
  static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(15);
}
