package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import java.time.Instant;
import java.util.Set;

/**
 * An apparent application fault that occurs in several processes.
 *
 * @param place on the GPU, {@code GPC 1, TPC 3}; empty for the GPU as a whole
 * @param processes number of processes
 * @param times number of occurrences
 */
record Repeat(
    int number,
    String place,
    int processes,
    Instant first,
    Instant last,
    long times,
    Set<Event.Origin> origins) {

  /** Whether both match the pattern of one program that fails on several GPUs. */
  boolean isLike(Repeat other) {
    return number == other.number && place.equals(other.place);
  }
}
