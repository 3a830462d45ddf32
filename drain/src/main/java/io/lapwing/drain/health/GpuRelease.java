package io.lapwing.drain.health;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeName;
import java.time.Duration;

/**
 * Makes the agent of a node close its GPUs, without which none can be reset. Repeating a command
 * changes nothing. Every call ends within the driver's timeout. One thread calls it, unless {@link
 * BackgroundRelease} does.
 */
public interface GpuRelease {

  State state(NodeName node);

  /**
   * Begins to close them; {@link #state} shows when they are closed.
   *
   * @param time after which the agent opens them again by itself
   */
  CommandResult release(NodeName node, Duration time);

  /** Lets the agent open them again. */
  CommandResult end(NodeName node);

  /** Of the agent's handles. */
  enum State {
    OPEN,
    CLOSING,
    RELEASED,
    /** The agent does not answer. */
    UNKNOWN
  }

  /** Where the driver that resets releases the GPUs itself. */
  GpuRelease BY_DRIVER =
      new GpuRelease() {
        @Override
        public State state(NodeName node) {
          return State.RELEASED;
        }

        @Override
        public CommandResult release(NodeName node, Duration time) {
          return CommandResult.ACCEPTED;
        }

        @Override
        public CommandResult end(NodeName node) {
          return CommandResult.ACCEPTED;
        }
      };
}
