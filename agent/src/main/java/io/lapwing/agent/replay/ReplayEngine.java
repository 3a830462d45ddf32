package io.lapwing.agent.replay;

import io.lapwing.agent.config.ConfigException;
import java.io.IOException;

/** Reads a kernel log that was kept and judges it as the agent would have. */
public interface ReplayEngine {

  /**
   * From the first line to the last.
   *
   * @throws ConfigException for a policy or a profile that is wrong
   * @throws IOException for a log that cannot be read to its end
   */
  void replay(ReplayRequest request, ReplayOutput output) throws ConfigException, IOException;
}
