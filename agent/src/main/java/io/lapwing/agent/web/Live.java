package io.lapwing.agent.web;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What holds at one moment. What is too old, hangs or is gone has no row, or a row without numbers.
 *
 * @param tables rows by the name of their array, each array in the order of reading
 * @param troubles sources and collectors that do not answer as they should
 */
public record Live(Instant at, Map<String, List<LiveRow>> tables, List<Trouble> troubles) {

  /**
   * What does not answer.
   *
   * @param collector empty where it is the whole source
   * @param state hung, down, starting or broken
   * @param hungFor how long the call that hangs has been outstanding; zero for other states
   */
  public record Trouble(
      String source, String collector, String state, String why, Duration hungFor) {}
}
