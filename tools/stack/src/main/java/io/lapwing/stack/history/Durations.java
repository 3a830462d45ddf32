package io.lapwing.stack.history;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Prometheus writes them: {@code 5m}, {@code 1h30m}, {@code 14d}. */
final class Durations {

  private static final Pattern WHOLE = Pattern.compile("(?:[0-9]+[smhdw])+");
  private static final Pattern PART = Pattern.compile("([0-9]+)([smhdw])");

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Duration read(String text) {
    if (!WHOLE.matcher(text).matches()) {
      throw new IllegalArgumentException(text + " is not a duration such as 14d, 6h or 1m");
    }
    Duration sum = Duration.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      long number = Long.parseLong(part.group(1));
      sum =
          sum.plus(
              switch (part.group(2)) {
                case "w" -> Duration.ofDays(7 * number);
                case "d" -> Duration.ofDays(number);
                case "h" -> Duration.ofHours(number);
                case "m" -> Duration.ofMinutes(number);
                default -> Duration.ofSeconds(number);
              });
    }
    return sum;
  }
}
