package io.lapwing.drain.intake;

import io.lapwing.drain.cluster.NodeName;

/** Finds a node by its name in an alert. */
@FunctionalInterface
public interface NodeResolver {

  Resolution resolve(String name);

  /** What was found. */
  sealed interface Resolution {}

  /** The name in the scheduler. */
  record Found(NodeName node) implements Resolution {}

  /**
   * The scheduler has no such node, or several.
   *
   * @param why for people
   */
  record NotFound(String why) implements Resolution {}

  /** The scheduler has not answered yet. */
  record NotYet() implements Resolution {}
}
