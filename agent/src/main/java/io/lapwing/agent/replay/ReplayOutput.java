package io.lapwing.agent.replay;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;

/** Takes what a replay finds, in the order of the log. */
public interface ReplayOutput {

  /** A message of the driver. */
  void event(ReplayedEvent event);

  /** The verdict on the node changed. */
  void verdict(Instant at, Verdict from, Verdict to, Action action, String why);

  /**
   * The log has ended.
   *
   * @param last how the node was then
   * @param lines of the log
   * @param events of them that the driver wrote and that are understood
   */
  void end(HealthReport last, long lines, long events);
}
