package io.lapwing.agent.health;

import java.time.Duration;

public sealed interface DriverStatus {

  record Up(String version, int gpus) implements DriverStatus {}

  /** There is no NVML library. */
  record Absent(String why) implements DriverStatus {}

  /** It is installed and does not answer. */
  record Down(String reason, String why) implements DriverStatus {}

  /** A call has not returned for this long. */
  record Hung(Duration since) implements DriverStatus {}

  /**
   * An operator had the agent close the GPUs; not all may have been read again yet.
   *
   * @param closed no part of the agent has a GPU open
   */
  record Released(String why, boolean closed) implements DriverStatus {}

  /** The agent has just started, or GPU collectors are switched off. */
  record NotPolled() implements DriverStatus {}
}
