package io.lapwing.agent.web;

import java.util.concurrent.atomic.AtomicInteger;

/** Limits concurrent requests; 0 for no limit. */
final class RequestLimit {
  private volatile int max;
  private final AtomicInteger inFlight = new AtomicInteger();

  RequestLimit(int max) {
    this.max = max;
  }

  /** If true, the caller must call {@link #release()} once. */
  boolean tryAcquire() {
    if (inFlight.incrementAndGet() <= max || max == 0) {
      return true;
    }
    inFlight.decrementAndGet();
    return false;
  }

  void setMax(int value) {
    max = value;
  }

  void release() {
    inFlight.decrementAndGet();
  }
}
