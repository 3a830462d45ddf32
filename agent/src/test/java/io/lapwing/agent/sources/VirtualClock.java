package io.lapwing.agent.sources;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that a test advances. Waiting threads poll it every millisecond. */
public final class VirtualClock implements PollClock {

  /** 2026-01-01T00:00:00Z. */
  public static final Instant START = Instant.ofEpochSecond(1_767_225_600L);

  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(1);

  private final AtomicLong nanos = new AtomicLong();

  public void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** How far it went since it was made. */
  public Duration passed() {
    return Duration.ofNanos(nanos.get());
  }

  @Override
  public Instant instant() {
    return START.plusNanos(nanos.get());
  }

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public void park(Object who, long wait) {
    LockSupport.parkNanos(who, Math.min(wait, LOOK));
  }
}
