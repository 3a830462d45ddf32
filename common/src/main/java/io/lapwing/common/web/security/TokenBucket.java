package io.lapwing.common.web.security;

import io.lapwing.common.config.WebConfig.RateLimit;
import java.util.function.LongSupplier;

/** A token bucket that starts full and gains one token per interval. */
public final class TokenBucket {
  private final RateLimit limit;
  private final LongSupplier nanoTime;
  private double tokens;
  private long filled;

  public TokenBucket(RateLimit limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.tokens = limit.burst();
    this.filled = nanoTime.getAsLong();
  }

  public RateLimit limit() {
    return limit;
  }

  /** Takes a token; false if none is left. */
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
