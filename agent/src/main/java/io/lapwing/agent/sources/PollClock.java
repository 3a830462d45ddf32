package io.lapwing.agent.sources;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** The wall clock, and a monotonic clock for durations. */
public interface PollClock extends InstantSource {

  PollClock SYSTEM =
      new PollClock() {
        @Override
        public Instant instant() {
          return Instant.now();
        }

        @Override
        public long nanoTime() {
          return System.nanoTime();
        }
      };

  /** Monotonic nanoseconds from an arbitrary origin. */
  long nanoTime();

  /**
   * Parks until {@link LockSupport#unpark} or the timeout; may return early. {@code who} is for
   * thread dumps.
   */
  default void park(Object who, long nanos) {
    LockSupport.parkNanos(who, nanos);
  }
}
