package io.lapwing.nccl;

import java.time.Duration;

/** A moment of the monotonic clock until which something may take. */
record Deadline(long nanos) {

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** What is left in milliseconds, at least 1, for calls to which 0 means for ever. */
  int millis() throws RasFailure {
    long left = (nanos - System.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new RasFailure(RasFailure.TIMED_OUT, "no answer within the deadline");
    }
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  /** The nearer of this and one in so much time. */
  Deadline atMost(Duration time) {
    Deadline other = in(time);
    return other.nanos - nanos < 0 ? other : this;
  }
}
