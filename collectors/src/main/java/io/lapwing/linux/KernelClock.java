package io.lapwing.linux;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The clock of the kernel's messages, which NTP does not correct: after weeks it is off by seconds
 * or minutes. A message for which the reader had to wait has just been written, and shows by how
 * much. If the process was stopped meanwhile, the error is too large until the next such message.
 * Used by one thread.
 */
final class KernelClock {

  /** A longer read has waited for a new message; of older ones each read returns at once. */
  private static final long WAITED = Duration.ofMillis(50).toNanos();

  /** 500 ppm, the most that NTP corrects: a larger difference is not an error of the clock. */
  private static final long MAX_ERROR = 2_000;

  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Supplier<Optional<Instant>> boot;
  private long reading;
  private boolean reads;
  private Duration error = Duration.ZERO;

  /** {@code boot}: the boot time by the wall clock, as far as it is known. */
  KernelClock(InstantSource clock, LongSupplier nanoTime, Supplier<Optional<Instant>> boot) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.boot = boot;
  }

  /** The next message may be an old one. */
  void reopened() {
    reads = false;
  }

  /** A message with this time was read, in microseconds of the kernel's clock. */
  void read(long usec) {
    if (reads && nanoTime.getAsLong() - reading > WAITED) {
      boot.get()
          .map(zero -> Duration.between(zero.plus(usec, ChronoUnit.MICROS), clock.instant()))
          .filter(late -> late.abs().toNanos() / 1000 < usec / MAX_ERROR)
          .ifPresent(late -> error = late);
    }
  }

  /** The message was handled; the next one is waited for. */
  void handled() {
    reading = nanoTime.getAsLong();
    reads = true;
  }

  /** When the kernel's clock was 0, as far as it is known. */
  Optional<Instant> zero() {
    return boot.get().map(zero -> zero.plus(error));
  }
}
