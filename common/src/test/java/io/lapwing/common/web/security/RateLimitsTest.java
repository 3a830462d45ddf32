package io.lapwing.common.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.WebConfig.RateLimit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitsTest {
  private long now;
  private final RateLimits limits =
      new RateLimits(new RateLimit(Duration.ofSeconds(1), 2), () -> now);

  @Test
  void eachClientHasItsOwn() {
    for (int i = 0; i < 100; i++) {
      limits.take("flood");
    }

    assertThat(limits.take("flood")).isFalse();
    assertThat(limits.take("scraper")).isTrue();
    now += Duration.ofSeconds(1).toNanos();
    assertThat(limits.take("flood")).isTrue();
    assertThat(limits.take("flood")).isFalse();
  }

  @Test
  void clientsAreForgottenBeyondAThousand() {
    limits.take("old");
    limits.take("old");
    assertThat(limits.take("old")).isFalse();
    for (int i = 0; i < 1023; i++) {
      limits.take(i);
    }
    assertThat(limits.take("old")).as("kept, and the latest now").isFalse();
    for (int i = 0; i < 1024; i++) {
      limits.take(i + 10_000);
    }

    assertThat(limits.take("old")).isTrue();
  }
}
