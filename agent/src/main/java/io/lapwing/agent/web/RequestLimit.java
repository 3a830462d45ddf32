package io.lapwing.agent.web;

import java.util.concurrent.atomic.AtomicInteger;

/** At most so many at a time; 0 for no limit. */
final class RequestLimit {
  private volatile int most;
  private final AtomicInteger taken = new AtomicInteger();

  RequestLimit(int most) {
    this.most = most;
  }

  /** Whether there was room. Who got it calls {@link #leave()} once. */
  boolean enter() {
    if (taken.incrementAndGet() <= most || most == 0) {
      return true;
    }
    taken.decrementAndGet();
    return false;
  }

  void change(int other) {
    most = other;
  }

  void leave() {
    taken.decrementAndGet();
  }
}
