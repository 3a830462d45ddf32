package io.lapwing.drain.health;

import io.lapwing.drain.cluster.NodeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Asks the agent of a node for its verdict. Every call ends within the reader's timeout. */
public interface HealthReader {

  Answer ask(NodeName node);

  /** Asks several nodes; the answer of each. A reader whose calls take time asks them at once. */
  default Map<NodeName, Answer> askAll(List<NodeName> nodes) {
    Map<NodeName, Answer> answers = new LinkedHashMap<>();
    nodes.forEach(node -> answers.put(node, ask(node)));
    return answers;
  }

  /** What came back. */
  sealed interface Answer {}

  /** The agent's verdict. */
  record Answered(NodeHealth health) implements Answer {}

  /**
   * No usable answer. Means neither healthy nor failing.
   *
   * @param why for people
   */
  record Silent(String why) implements Answer {}

  /**
   * There was no time to ask. Says nothing about the node, not even that its agent is silent.
   *
   * @param why for people
   */
  record NotAsked(String why) implements Answer {}
}
