package io.lapwing.agent.web.security;

import io.lapwing.agent.config.WebConfig.RateLimit;
import java.util.function.LongSupplier;

/** A bucket that is full at first and gets one token each interval; a request takes one. */
public final class TokenBucket {
  private final RateLimit limit;
  private final LongSupplier nanoTime;
  private double tokens;
  private long filled;

  /**
   * @param nanoTime a clock that never goes back
   */
  public TokenBucket(RateLimit limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.tokens = limit.burst();
    this.filled = nanoTime.getAsLong();
  }

  public RateLimit limit() {
    return limit;
  }

  /** Whether there was one. */
  public synchronized boolean take() {
    long now = nanoTime.getAsLong();
    tokens = Math.min(limit.burst(), tokens + (double) (now - filled) / limit.interval().toNanos());
    filled = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
