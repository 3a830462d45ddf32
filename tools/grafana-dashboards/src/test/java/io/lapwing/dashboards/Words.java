package io.lapwing.dashboards;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** Values formatted roughly as in Grafana. */
final class Words {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private Words() {}

  static String of(Unit unit, Scale scale, double value) {
    return word(scale, number(value)).map(Scale.Word::text).orElseGet(() -> plain(unit, value));
  }

  static Optional<Scale.Word> word(Scale scale, String value) {
    return scale.words().stream().filter(word -> word.value().equals(value)).findFirst();
  }

  static String color(Scale scale, double value) {
    return word(scale, number(value))
        .map(Scale.Word::color)
        .orElseGet(
            () -> {
              String color = scale.steps().get(0).color();
              for (Scale.Step step : scale.steps()) {
                Double from = step.from();
                if (from != null && value >= from) {
                  color = step.color();
                }
              }
              return color;
            });
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  private static String plain(Unit unit, double value) {
    return switch (unit) {
      case RATIO -> format(value * 100) + "%";
      case PERCENT -> format(value) + "%";
      case CELSIUS -> format(value) + " °C";
      case WATT -> metric(value, 1000, "W");
      case MEGAHERTZ -> format(value) + " MHz";
      case BYTES -> metric(value, 1024, "B");
      case MEBIBYTES -> metric(value * 1024 * 1024, 1024, "B");
      case BYTES_PER_SECOND -> metric(value, 1000, "B/s");
      case SECONDS -> value != 0 && value < 1 ? format(value * 1000) + " ms" : format(value) + " s";
      case DURATION -> lasting(value);
      case AGO -> lasting((Instant.now().toEpochMilli() - value) / 1000) + " ago";
      case PER_SECOND -> metric(value, 1000, "/s");
      case OPERATIONS_PER_SECOND -> format(value) + " ops/s";
      case REQUESTS_PER_SECOND -> format(value) + " req/s";
      case TOKENS_PER_SECOND -> format(value) + " tok/s";
      case GPU_HOURS -> format(value) + " GPU-h";
      case MORE -> "+" + format(value);
      case TIME -> TIME.format(Instant.ofEpochMilli((long) value));
      case DOLLARS -> "$" + format(value);
      case FLOPS -> metric(value, 1000, "FLOPS");
      case COUNT, WORD -> metric(value, 1000, "");
    };
  }

  private static String lasting(double seconds) {
    if (seconds < 0) {
      return "in " + Duration.ofSeconds((long) -seconds).toDays() + " days";
    }
    Duration time = Duration.ofSeconds((long) seconds);
    return time.toHours() > 0
        ? time.toHours() + " h " + time.toMinutesPart() + " min"
        : time.toMinutes() > 0
            ? time.toMinutes() + " min " + time.toSecondsPart() + " s"
            : time.toSeconds() + " s";
  }

  private static String metric(double value, int base, String unit) {
    String[] prefixes = {"", "K", "M", "G", "T", "P"};
    int power = 0;
    double scaled = value;
    while (Math.abs(scaled) >= base && power < prefixes.length - 1) {
      scaled /= base;
      power++;
    }
    return (format(scaled) + " " + prefixes[power] + unit).strip();
  }

  static String format(double value) {
    if (value == Math.rint(value)) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(
        Locale.ROOT,
        Math.abs(value) >= 100 ? "%.0f" : Math.abs(value) >= 1 ? "%.2f" : "%.3g",
        value);
  }
}
