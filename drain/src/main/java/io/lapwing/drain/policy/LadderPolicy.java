package io.lapwing.drain.policy;

import java.time.Duration;

/**
 * How repairs follow each other.
 *
 * @param lemonRepairs a node that was repaired as often within {@code lemonWithin} is replaced at
 *     once
 * @param releaseWithin how long the agent may take to close the GPUs for a reset
 * @param releaseFor how long it leaves them closed, unless the reset is known to be done before
 * @param podsLeaveWithin how long pods without GPUs are evicted before a reboot or a replacement;
 *     then a person has to act
 * @param requireGpus whether the agent has to report as many GPUs as the scheduler expects before a
 *     node is returned
 */
public record LadderPolicy(
    int lemonRepairs,
    Duration lemonWithin,
    Duration releaseWithin,
    Duration releaseFor,
    Duration podsLeaveWithin,
    boolean requireGpus) {

  public static final LadderPolicy DEFAULT =
      new LadderPolicy(
          2,
          Duration.ofDays(7),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          true);
}
