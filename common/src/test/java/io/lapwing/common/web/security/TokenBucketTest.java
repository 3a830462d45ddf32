package io.lapwing.common.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.common.config.WebConfig.RateLimit;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private long now = Long.MAX_VALUE - 5;

  @Test
  void aBurstIsAllowedAndThenOnePerInterval() {
    TokenBucket bucket = bucket(Duration.ofSeconds(1), 3);

    assertThat(taken(10, bucket)).isEqualTo(3);
    pass(Duration.ofMillis(999));
    assertThat(taken(10, bucket)).isZero();
    pass(Duration.ofMillis(1));
    assertThat(taken(10, bucket)).isEqualTo(1);
    pass(Duration.ofDays(1000));
    assertThat(taken(10, bucket)).isEqualTo(3);
  }

  @Test
  void smallWaitsAddUp() {
    TokenBucket bucket = bucket(Duration.ofSeconds(1), 1);
    taken(1, bucket);
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofMillis(101));
      taken(i < 9 ? 0 : 1, bucket);
    }
    assertThat(taken(1, bucket)).isZero();
  }

  @Test
  void aBurstOfZeroAllowsNothing() {
    TokenBucket bucket = bucket(Duration.ofSeconds(1), 0);
    pass(Duration.ofHours(1));

    assertThat(taken(10, bucket)).isZero();
  }

  private TokenBucket bucket(Duration interval, int burst) {
    return new TokenBucket(new RateLimit(interval, burst), () -> now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private static long taken(int times, TokenBucket bucket) {
    return IntStream.range(0, times).filter(i -> bucket.take()).count();
  }
}
