package io.lapwing.agent.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The current values. Stale, hung and removed parts have no row, or a row without numbers.
 *
 * @param tables rows by JSON array name, in read order
 * @param problems sources and collectors that fail
 */
public record LiveSnapshot(Instant at, Map<String, List<LiveRow>> tables, List<Problem> problems) {

  /**
   * A source or collector that fails.
   *
   * @param collector empty for the whole source
   * @param state hung, down, starting or broken
   * @param hungFor the age of the hung call; zero for other states
   */
  public record Problem(
      String source, String collector, String state, String why, Duration hungFor) {}
}
