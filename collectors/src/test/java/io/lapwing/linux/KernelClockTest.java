package io.lapwing.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KernelClockTest {

  private static final Instant BOOT = Instant.parse("2026-03-01T00:00:00Z");

  private Duration uptime = Duration.ofDays(30);
  private long nanos;

  private final KernelClock clock =
      new KernelClock(() -> BOOT.plus(uptime), () -> nanos, () -> Optional.of(BOOT));

  /** A message that was written {@code ago}, by a clock that is slow by this much. */
  private void message(Duration waited, Duration ago, Duration slow) {
    uptime = uptime.plus(waited);
    nanos += waited.toNanos();
    clock.read(uptime.minus(ago).minus(slow).toNanos() / 1000);
    clock.handled();
  }

  @Test
  void aMessageThatWasWaitedForShowsTheErrorOfTheKernelsClock() {
    Duration slow = Duration.ofSeconds(31);
    message(Duration.ZERO, Duration.ofHours(3), slow);
    assertThat(clock.zero()).as("an old one was read first").contains(BOOT);
    message(Duration.ofMillis(1), Duration.ofSeconds(10), slow);
    assertThat(clock.zero()).as("as was this").contains(BOOT);
    message(Duration.ofMinutes(5), Duration.ZERO, slow);
    assertThat(clock.zero()).contains(BOOT.plus(slow));
    message(Duration.ofMinutes(5), Duration.ZERO, Duration.ofSeconds(-2));
    assertThat(clock.zero()).as("a clock may be fast").contains(BOOT.minusSeconds(2));
    clock.reopened();
    message(Duration.ofMinutes(5), Duration.ofMinutes(1), slow);
    assertThat(clock.zero()).as("old ones first").contains(BOOT.minusSeconds(2));
  }

  @Test
  void whatNoClockIsOffByIsNotAnError() {
    message(Duration.ZERO, Duration.ZERO, Duration.ZERO);
    message(Duration.ofMinutes(5), Duration.ofMinutes(30), Duration.ZERO);
    assertThat(clock.zero()).contains(BOOT);
  }
}
