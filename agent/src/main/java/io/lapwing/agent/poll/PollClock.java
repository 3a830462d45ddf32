package io.lapwing.agent.poll;

import java.time.Instant;
import java.time.InstantSource;

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
}
