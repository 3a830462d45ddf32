package io.lapwing.simulator;

import java.time.Instant;
import java.util.Locale;

/** Moments as the state file has them: seconds since 1970 with a fraction. */
final class Epoch {
  private Epoch() {}

  static String seconds(Instant moment) {
    return String.format(Locale.ROOT, "%d.%06d", moment.getEpochSecond(), moment.getNano() / 1000);
  }
}
