package io.lapwing.drain.policy;

import java.time.Duration;

/**
 * How much of a cluster may be taken out of service.
 *
 * @param nodes that the controller holds at a time
 * @param share of all nodes that may be out of service, for whatever reason; from 0 to 1, rounded
 *     down, at least one node
 * @param groupShare the same of a partition or node group
 * @param jobNodes of one job that may be out of service at a time
 * @param domainNodes of one NVLink domain that may be out of service at a time
 * @param perHour nodes taken in an hour
 * @param replacementsPerHour replacements begun in an hour
 * @param gap least time between two; nodes of one job need none, since that job is affected already
 * @param systemicNodes of which as many have the same rule within {@code systemicWithin}: a fault
 *     of the fleet or of the rule, and no node is taken
 * @param coolDown how long none is taken after that
 */
public record Budget(
    int nodes,
    double share,
    double groupShare,
    int jobNodes,
    int domainNodes,
    int perHour,
    int replacementsPerHour,
    Duration gap,
    int systemicNodes,
    Duration systemicWithin,
    Duration coolDown) {

  public static final Budget DEFAULT =
      new Budget(
          5,
          0.1,
          0.2,
          4,
          2,
          10,
          2,
          Duration.ofSeconds(30),
          4,
          Duration.ofMinutes(10),
          Duration.ofMinutes(30));

  /** How many of {@code all} a share is: rounded down, at least one. */
  public static int nodes(double share, int all) {
    // 0.29 of 100 is 29, and 0.29 * 100 is less.
    return Math.max(1, (int) Math.floor(share * all + 1e-6));
  }
}
