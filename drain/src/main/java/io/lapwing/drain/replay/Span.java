package io.lapwing.drain.replay;

import java.time.Duration;
import java.time.Instant;

/**
 * A time with two ends.
 *
 * @param end not part of it
 */
record Span(Instant start, Instant end) {

  boolean contains(Instant at) {
    return !at.isBefore(start) && at.isBefore(end);
  }

  Duration time() {
    return end.isAfter(start) ? Duration.between(start, end) : Duration.ZERO;
  }
}
