package io.lapwing.stack.fleet;

import java.util.HexFormat;
import java.util.Locale;

/**
 * Identity of a played node: its differences from the recorded one.
 *
 * @param index its number in the fleet, from 0
 * @param name "node-00042"
 * @param hex eight hexadecimal digits unique to the node
 * @param digits five decimal digits that no other node has
 * @param scenario scenario of its recording
 * @param jobId id of its training job
 * @param nodeOfJob its number in that job, from 0
 * @param nodesOfJob how many nodes that job has
 */
record PlayedNode(
    int index,
    String name,
    String hex,
    String digits,
    String scenario,
    String jobId,
    int nodeOfJob,
    int nodesOfJob) {

  static PlayedNode of(int index, String scenario, int job, int nodeOfJob, int nodesOfJob) {
    String digits = String.format(Locale.ROOT, "%05d", index);
    return new PlayedNode(
        index,
        "node-" + digits,
        HexFormat.of().toHexDigits(0x10_0000 + index),
        digits,
        scenario,
        Integer.toString(4_000 + job),
        nodeOfJob,
        nodesOfJob);
  }

  /** Factor by which its counters are faster than recorded, so that nodes differ. */
  double speed() {
    return 0.97 + 0.06 * scatter(index, 0);
  }

  /** A reproducible pseudo-random number from 0 to 1. */
  static double scatter(long first, long second) {
    long bits = (first * 0x9E3779B97F4A7C15L) ^ (second * 0xC2B2AE3D27D4EB4FL);
    bits = (bits ^ (bits >>> 29)) * 0xBF58476D1CE4E5B9L;
    return ((bits ^ (bits >>> 32)) & 0xFFFF_FFFFL) / (double) 0xFFFF_FFFFL;
  }
}
