package io.lapwing.agent.http;

import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The heap that answers may take while they are sent. A client that reads slowly, or not at all,
 * keeps its answer there, and hundreds of them would fill it: an answer that finds no room is not
 * sent. Answers that share their bytes take room once.
 */
final class Room {
  /** A sentence always has room: who asks whether the agent lives is told. */
  private static final int SENTENCE = 512;

  private final long most;
  private final Map<byte[], Integer> held = new IdentityHashMap<>();
  private long taken;

  /**
   * @param most bytes at a time; a single answer may have more
   */
  Room(long most) {
    this.most = most;
  }

  /** Whether there was room. Who got it calls {@link #leave} once, with the same bytes. */
  synchronized boolean enter(byte[] body) {
    boolean shared = held.containsKey(body);
    if (!shared && taken > 0 && body.length > SENTENCE && taken + body.length > most) {
      return false;
    }
    taken += shared ? 0 : body.length;
    held.merge(body, 1, Integer::sum);
    return true;
  }

  synchronized void leave(byte[] body) {
    if (held.merge(body, -1, Room::orNone) == null) {
      taken -= body.length;
    }
  }

  /** Null takes it out of the map. */
  private static @Nullable Integer orNone(Integer others, Integer one) {
    return others + one == 0 ? null : Integer.valueOf(others + one);
  }
}
