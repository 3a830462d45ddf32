package io.lapwing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How tests wait: often polled, and with a limit that a busy machine does not reach. */
public final class Waiting {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(10);

  private Waiting() {}

  public static ConditionFactory await() {
    return Awaitility.await().atMost(LIMIT).pollDelay(Duration.ZERO).pollInterval(POLL);
  }
}
