package io.lapwing.drain.health;

import io.lapwing.drain.cluster.NodeName;

/** Asks the agent of a node for its verdict. Every call ends within the reader's timeout. */
public interface HealthReader {

  Answer ask(NodeName node);

  /** What came back. */
  sealed interface Answer {}

  /** The agent's verdict. */
  record Told(NodeHealth health) implements Answer {}

  /**
   * No usable answer. Means neither healthy nor failing.
   *
   * @param why for people
   */
  record Silent(String why) implements Answer {}
}
