package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import java.time.Instant;
import java.util.Set;

/**
 * What looks like the fault of an application, from one process after the other.
 *
 * @param place where on the GPU, {@code GPC 1, TPC 3}; empty where the GPU as a whole is meant
 * @param processes how many had it
 * @param times how often it came
 */
record Repeat(
    int number,
    String place,
    int processes,
    Instant first,
    Instant last,
    long times,
    Set<Event.Origin> origins) {

  /** Whether both would be seen where one program fails on several GPUs. */
  boolean isLike(Repeat other) {
    return number == other.number && place.equals(other.place);
  }
}
