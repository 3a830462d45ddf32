package io.lapwing.agent.web;

import java.util.IdentityHashMap;

/**
 * The heap that answers may take while they are sent. A client that reads slowly, or not at all,
 * keeps its answer there, and hundreds of them would fill it: an answer that finds no room is not
 * sent. Answers that share their bytes take room once.
 */
final class ResponseBudget {
  /** A sentence always has room: who asks whether the agent lives is told. */
  private static final int SENTENCE = 512;

  private final long most;
  private final IdentityHashMap<byte[], Integer> held = new IdentityHashMap<>();
  private long taken;

  /**
   * @param most bytes at a time; a single answer may have more
   */
  ResponseBudget(long most) {
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
    Integer senders = held.get(body);
    if (senders != null && senders > 1) {
      held.put(body, senders - 1);
    } else {
      held.remove(body);
      taken -= body.length;
    }
  }
}
