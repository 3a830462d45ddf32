package io.lapwing.drain.decisions;

import io.lapwing.drain.cluster.NodeName;
import java.util.List;
import java.util.Optional;

/**
 * The explanation of a node's state.
 *
 * @param now what is in progress; empty if nothing is
 * @param courses all remediations that are known, latest first
 */
public record Explanation(NodeName node, Optional<OpenRemediation> now, List<Course> courses) {

  public Explanation {
    courses = List.copyOf(courses);
  }
}
