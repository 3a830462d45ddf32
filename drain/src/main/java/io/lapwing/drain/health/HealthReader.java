package io.lapwing.drain.health;

import io.lapwing.drain.cluster.NodeName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the verdict of a node from its agent. Every call ends within the reader's timeout. */
public interface HealthReader {

  Answer ask(NodeName node);

  /** Reads several nodes; the answer of each. A reader with slow calls reads them in parallel. */
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
   * There was no time to query it, so nothing is known, not even whether its agent answers.
   *
   * @param why for people
   */
  record NotAsked(String why) implements Answer {}
}
