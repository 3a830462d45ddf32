package io.lapwing.agent.web;

import java.util.IdentityHashMap;

/**
 * Limits the heap of responses in flight: slow clients keep theirs in memory. Responses above the
 * budget are refused; those that share an array count once.
 */
final class ResponseBudget {
  /** Smaller responses bypass the budget, so that liveness probes always succeed. */
  private static final int EXEMPT_BYTES = 512;

  private final long max;
  private final IdentityHashMap<byte[], Integer> senders = new IdentityHashMap<>();
  private long used;

  /** {@code max} bytes in flight; a single response may exceed it. */
  ResponseBudget(long max) {
    this.max = max;
  }

  /** If true, the caller must call {@link #release} once with the same array. */
  synchronized boolean tryAcquire(byte[] body) {
    boolean shared = senders.containsKey(body);
    if (!shared && used > 0 && body.length > EXEMPT_BYTES && used + body.length > max) {
      return false;
    }
    used += shared ? 0 : body.length;
    senders.merge(body, 1, Integer::sum);
    return true;
  }

  synchronized void release(byte[] body) {
    Integer count = senders.get(body);
    if (count != null && count > 1) {
      senders.put(body, count - 1);
    } else {
      senders.remove(body);
      used -= body.length;
    }
  }
}
