package io.lapwing.common.web.security;

import io.lapwing.common.config.WebConfig.RateLimit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** A {@link TokenBucket} for each client, so that none uses up the limit of another. */
public final class RateLimits {
  /** About 100 bytes each. An evicted client gets a full bucket again. */
  private static final int MAX_CLIENTS = 1024;

  private final RateLimit limit;
  private final LongSupplier nanoTime;
  private final Map<Object, TokenBucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, TokenBucket> eldest) {
          return size() > MAX_CLIENTS;
        }
      };

  public RateLimits(RateLimit limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
  }

  public RateLimit limit() {
    return limit;
  }

  /** Takes a token of this client; false if none is left. */
  public synchronized boolean take(Object client) {
    return buckets.computeIfAbsent(client, unused -> new TokenBucket(limit, nanoTime)).take();
  }
}
