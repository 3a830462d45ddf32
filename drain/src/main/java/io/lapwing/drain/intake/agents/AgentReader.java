package io.lapwing.drain.intake.agents;

import io.lapwing.drain.cluster.NodeName;
import java.io.IOException;

/** Reads the health document of a node. Every call ends within the reader's deadline. */
@FunctionalInterface
public interface AgentReader {

  /**
   * The document of exactly that node.
   *
   * @throws IOException if there is none that can be used, with the reason
   */
  HealthDocument read(NodeName node) throws IOException;
}
