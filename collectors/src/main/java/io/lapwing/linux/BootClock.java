package io.lapwing.linux;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * When the machine was booted, asked again once a minute: the wall clock may be set meanwhile, and
 * a storm of messages must not read procfs for each. For one thread.
 */
final class BootClock implements Supplier<Optional<Instant>> {

  private static final Duration GOOD_FOR = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final Supplier<Optional<Instant>> source;
  private Optional<Instant> boot = Optional.empty();
  private Optional<Instant> asked = Optional.empty();

  BootClock(InstantSource clock, Supplier<Optional<Instant>> source) {
    this.clock = clock;
    this.source = source;
  }

  @Override
  public Optional<Instant> get() {
    Instant now = clock.instant();
    if (asked.filter(at -> Duration.between(at, now).abs().compareTo(GOOD_FOR) < 0).isEmpty()) {
      boot = source.get();
      asked = Optional.of(now);
    }
    return boot;
  }
}
