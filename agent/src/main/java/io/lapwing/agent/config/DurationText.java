package io.lapwing.agent.config;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as a whole number and a unit. */
public final class DurationText {
  private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");

  private DurationText() {}

  /** Parses {@code 500ms}, {@code 5s}, {@code 90m}, {@code 12h} or {@code 7d}; empty for zero. */
  public static Optional<Duration> read(String text) {
    try {
      return Optional.of(parse(text));
    } catch (ValueType.Invalid e) {
      return Optional.empty();
    }
  }

  static Duration parse(String text) throws ValueType.Invalid {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new ValueType.Invalid("is not a duration such as 500ms, 5s or 1m");
    }
    Duration duration = unit(form.group(2)).multipliedBy(Long.parseLong(form.group(1)));
    if (duration.isZero()) {
      throw new ValueType.Invalid("is zero; use a duration such as 500ms, 5s or 1m");
    }
    return duration;
  }

  /** The text with the largest unit that gives a whole number. */
  static String of(Duration duration) {
    for (String unit : new String[] {"d", "h", "m", "s"}) {
      long size = unit(unit).toMillis();
      if (duration.toMillis() % size == 0) {
        return duration.toMillis() / size + unit;
      }
    }
    return duration.toMillis() + "ms";
  }

  private static Duration unit(String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }
}
