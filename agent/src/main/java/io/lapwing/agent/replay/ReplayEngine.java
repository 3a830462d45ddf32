package io.lapwing.agent.replay;

import io.lapwing.agent.config.ConfigException;
import java.io.IOException;

/** Reads a saved kernel log and evaluates it as the agent would have. */
public interface ReplayEngine {

  /**
   * Replays the whole log.
   *
   * @throws ConfigException for an invalid policy or profile
   * @throws IOException for a log that cannot be read to its end
   */
  void replay(ReplayRequest request, ReplayOutput output) throws ConfigException, IOException;
}
