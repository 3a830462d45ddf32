package io.lapwing.drain.jobs;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * The cost of a stop of a job: work that has to be repeated, and GPUs that wait for the restart.
 *
 * @param gpuHours empty if unknown
 * @param dollars empty if the hours or the price are unknown
 */
public record Loss(OptionalDouble gpuHours, OptionalDouble dollars) {

  public static final Loss UNKNOWN = new Loss(OptionalDouble.empty(), OptionalDouble.empty());

  /** Of these hours, at a price for each. */
  public static Loss of(double gpuHours, OptionalDouble price) {
    return new Loss(
        OptionalDouble.of(gpuHours),
        price.isPresent()
            ? OptionalDouble.of(gpuHours * price.getAsDouble())
            : OptionalDouble.empty());
  }

  @Override
  public String toString() {
    if (gpuHours.isEmpty()) {
      return "an unknown amount";
    }
    String hours = String.format(Locale.ROOT, "%.1f GPU hours", gpuHours.getAsDouble());
    return dollars.isEmpty()
        ? hours
        : hours + String.format(Locale.ROOT, " ($%.0f)", dollars.getAsDouble());
  }
}
