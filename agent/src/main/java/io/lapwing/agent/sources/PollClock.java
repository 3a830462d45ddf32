package io.lapwing.agent.sources;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** What time it is, and how long something took. */
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

  /** Nanoseconds that never go back, from an arbitrary origin. */
  long nanoTime();

  /**
   * Waits on the calling thread, which {@link LockSupport#unpark} ends early; as little as it likes
   * of the time, since the caller looks again.
   *
   * @param who waits, for thread dumps
   */
  default void park(Object who, long nanos) {
    LockSupport.parkNanos(who, nanos);
  }
}
