package io.lapwing.simulator;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;

/** Times in the state file: seconds since 1970 with a fraction. */
final class Epoch {
  private Epoch() {}

  static String seconds(Instant moment) {
    return String.format(Locale.ROOT, "%d.%06d", moment.getEpochSecond(), moment.getNano() / 1000);
  }

  /** The time for a number of seconds. */
  static Instant moment(String seconds) {
    BigDecimal exact = new BigDecimal(seconds);
    long whole = exact.longValue();
    BigDecimal rest = exact.subtract(BigDecimal.valueOf(whole)).movePointRight(9);
    return Instant.ofEpochSecond(whole, rest.longValue());
  }
}
