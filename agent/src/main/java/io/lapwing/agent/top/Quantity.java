package io.lapwing.agent.top;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers in a few columns; a missing value is a dash. */
final class Quantity {

  static final String NONE = "-";

  private static final String[] UNITS = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"};
  private static final double STEP = 1000;
  private static final double SHORT = 99.95;
  private static final double MEBIBYTES = 1024;
  private static final int BAR = 10;

  private Quantity() {}

  static String whole(OptionalDouble value) {
    return value.isPresent() ? format("%.0f", value.getAsDouble()) : NONE;
  }

  /** From 0 to 1 as a percentage. */
  static String percent(OptionalDouble ratio) {
    return value(ratio, 100, "%.0f");
  }

  /** As {@link #percent}, for shares that matter while they are small. */
  static String finePercent(OptionalDouble ratio) {
    return value(ratio, 100, "%.2f");
  }

  static String value(OptionalDouble value, double factor, String form) {
    return value.isPresent() ? format(form, value.getAsDouble() * factor) : NONE;
  }

  /** {@code 688/700}, or the first alone. */
  static String of(OptionalDouble part, OptionalDouble limit) {
    return part.isEmpty() || limit.isEmpty() ? whole(part) : whole(part) + "/" + whole(limit);
  }

  /** MiB as {@code 61/80} GiB. */
  static String gibibytes(OptionalDouble used, OptionalDouble all) {
    return of(scaled(used), scaled(all));
  }

  private static OptionalDouble scaled(OptionalDouble mebibytes) {
    return mebibytes.isPresent()
        ? OptionalDouble.of(mebibytes.getAsDouble() / MEBIBYTES)
        : OptionalDouble.empty();
  }

  /** {@code [######....]}; empty if either is unknown. */
  static String bar(OptionalDouble part, OptionalDouble all) {
    if (part.isEmpty() || all.isEmpty() || all.getAsDouble() <= 0) {
      return "";
    }
    double share = Math.max(0, Math.min(1, part.getAsDouble() / all.getAsDouble()));
    int full = (int) Math.round(share * BAR);
    return "[" + "#".repeat(full) + ".".repeat(BAR - full) + "]";
  }

  /** Bytes per second with a decimal unit: {@code 12.3 GB/s}. */
  static String rate(OptionalDouble bytesPerSecond) {
    if (bytesPerSecond.isEmpty()) {
      return NONE;
    }
    double left = bytesPerSecond.getAsDouble();
    int unit = 0;
    while (left >= STEP && unit < UNITS.length - 1) {
      left /= STEP;
      unit++;
    }
    return format(unit > 0 && left < SHORT ? "%.1f " : "%.0f ", left) + UNITS[unit];
  }

  /** Seconds as {@code 0.52 s}, {@code 31 s} or, below 10 ms, {@code 0.8 ms}. */
  static String seconds(OptionalDouble seconds) {
    if (seconds.isEmpty()) {
      return NONE;
    }
    double value = seconds.getAsDouble();
    if (value > 0 && value < 0.01) {
      return format("%.1f ms", value * STEP);
    }
    return format(value < 10 ? "%.2f s" : "%.0f s", value);
  }

  private static String format(String form, double value) {
    return String.format(Locale.ROOT, form, value);
  }
}
