package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.NodeName;

/**
 * A site's own test of a repaired node, before it is returned. Answers at once: the first question
 * for an attempt begins the test.
 */
public interface SiteTest {

  /**
   * Of the last repair of a node.
   *
   * @param attempt the same for each question about the same repair, while the node is healthy
   */
  Result result(NodeName node, String attempt);

  /** Whether a job on the node would disturb it, and be disturbed. */
  default boolean needsAnIdleNode() {
    return true;
  }

  /** How far it is. */
  sealed interface Result {}

  record Passed() implements Result {}

  record Running() implements Result {}

  /**
   * The node does not pass.
   *
   * @param why for people
   */
  record Failed(String why) implements Result {}

  /**
   * No result: the test could not be run.
   *
   * @param why for people
   */
  record NotRun(String why) implements Result {}

  Result PASSED = new Passed();

  /** A site without one. */
  SiteTest NO_TEST =
      new SiteTest() {
        @Override
        public Result result(NodeName node, String attempt) {
          return PASSED;
        }

        @Override
        public boolean needsAnIdleNode() {
          return false;
        }
      };
}
