package io.lapwing.stack.fleet;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The scenario of each node: jobs of sixteen nodes, most of them training, one in eight idle; one
 * node in fifty has a fault.
 */
record FleetPlan(List<PlayedNode> nodes) {

  static final int NODES_OF_JOB = 16;

  /** The scenario of most nodes. */
  static final String TRAINING = "training";

  static final String IDLE = "idle";

  /** The scenarios of one node in fifty, in turn. */
  static final List<String> FAULTS =
      List.of(
          "xid-79",
          "row-remap-failure",
          "sbe-acceleration",
          "efa-retransmits",
          "lustre-evicted",
          "straggler");

  FleetPlan {
    nodes = List.copyOf(nodes);
  }

  static FleetPlan of(int nodes) {
    return new FleetPlan(IntStream.range(0, nodes).mapToObj(i -> node(i, nodes)).toList());
  }

  /** Every scenario that needs a recording. */
  static List<String> scenarios() {
    return Stream.concat(Stream.of(TRAINING, IDLE), FAULTS.stream()).toList();
  }

  private static PlayedNode node(int index, int nodes) {
    int job = index / NODES_OF_JOB;
    int nodesOfJob = Math.min(NODES_OF_JOB, nodes - job * NODES_OF_JOB);
    return PlayedNode.of(index, scenario(index, job), job, index % NODES_OF_JOB, nodesOfJob);
  }

  private static String scenario(int index, int job) {
    if (index % 50 == 7) {
      return FAULTS.get(index / 50 % FAULTS.size());
    }
    return job % 8 == 7 ? IDLE : TRAINING;
  }
}
