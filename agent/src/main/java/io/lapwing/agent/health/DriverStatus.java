package io.lapwing.agent.health;

import java.time.Duration;

/** How the driver stands. */
public sealed interface DriverStatus {

  /** It answers. */
  record Up(String version, int gpus) implements DriverStatus {}

  /** There is no NVML library. */
  record Absent(String why) implements DriverStatus {}

  /** It should answer and does not. */
  record Down(String reason, String why) implements DriverStatus {}

  /** A call into it has not come back for so long. */
  record Hung(Duration since) implements DriverStatus {}

  /** The agent has only just started, or was told not to look. */
  record NotLookedAt() implements DriverStatus {}
}
