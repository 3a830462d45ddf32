package io.lapwing.agent.health;

import java.time.Duration;
import java.util.List;

public sealed interface DriverStatus {

  /**
   * It answers.
   *
   * @param gpus that it counts
   * @param silent those of them that have not answered since the agent started: no UUID is known
   */
  record Up(String version, int gpus, List<SilentGpu> silent) implements DriverStatus {

    public Up {
      silent = List.copyOf(silent);
    }

    public Up(String version, int gpus) {
      this(version, gpus, List.of());
    }
  }

  /**
   * A GPU that the driver counts, and about which no call has returned a UUID.
   *
   * @param index of NVML
   * @param reason why it is not opened; empty if a call to it hangs
   * @param hung for how long
   */
  record SilentGpu(int index, String reason, Duration hung) {

    public boolean hangs() {
      return reason.isEmpty();
    }
  }

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
