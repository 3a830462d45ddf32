package io.lapwing.agent.replay;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;

/** Receives the results of a replay, in the order of the log. */
public interface ReplayOutput {

  /** A message of the driver. */
  void event(ReplayedEvent event);

  /** The verdict on the node changed. */
  void verdict(Instant at, Verdict from, Verdict to, Action action, String why);

  /**
   * The log has ended.
   *
   * @param last the report at the end
   * @param lines of the log
   * @param events lines of the driver that were parsed
   */
  void end(HealthReport last, long lines, long events);
}
