package io.lapwing.common.config;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
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

  public static Duration parse(String text) throws ValueType.Invalid {
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

  private static Duration unit(String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(1);
      case "s" -> Duration.ofSeconds(1);
      case "m" -> Duration.ofMinutes(1);
      case "h" -> Duration.ofHours(1);
      default -> Duration.ofDays(1);
    };
  }

  /** Durations in Go's format: {@code 1h30m}, {@code 1.5s}, {@code 0}. */
  public static final class GoDurationText {
    private static final Pattern PART =
        Pattern.compile("\\G([0-9]{1,18}(?:\\.[0-9]{0,18})?|\\.[0-9]{1,18})(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("[0-9]{1,18}");
    private static final Map<String, Long> NANOS =
        Map.of(
            "ns",
            1L,
            "us",
            1_000L,
            "µs",
            1_000L,
            "μs",
            1_000L,
            "ms",
            1_000_000L,
            "s",
            1_000_000_000L,
            "m",
            60_000_000_000L,
            "h",
            3_600_000_000_000L);

    private GoDurationText() {}

    /** Empty if not a duration, negative, or over about 290 years (nanoseconds in a long). */
    public static Optional<Duration> read(String text) {
      // Go's YAML libraries read a number without a unit as nanoseconds.
      if (WHOLE.matcher(text).matches()) {
        return Optional.of(Duration.ofNanos(Long.parseLong(text)));
      }
      Matcher part = PART.matcher(text);
      BigDecimal nanos = BigDecimal.ZERO;
      int end = 0;
      while (part.find()) {
        nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit(part.group(2))));
        end = part.end();
      }
      if (end == 0 || end != text.length() || nanos.precision() - nanos.scale() > 18) {
        return Optional.empty();
      }
      return Optional.of(Duration.ofNanos(nanos.setScale(0, RoundingMode.DOWN).longValueExact()));
    }

    private static BigDecimal unit(String name) {
      return BigDecimal.valueOf(NANOS.getOrDefault(name, 1L));
    }
  }
}
