package io.lapwing.agent.health.rules.gpu;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Evidence that a GPU's corrected errors accelerate.
 *
 * @param search which hours are compared with which
 * @param lastHour errors in the last hour
 * @param level minimum errors an hour in each of {@code hours}
 * @param hours how many separate hours of the window reached the level
 * @param before hours of history before the window
 * @param loud how many of those hours came near the level
 * @param usual errors an hour in the rest of them
 * @param siblings errors an hour of the median sibling within the window; empty without siblings
 * @param chance probability of so many hours if the rate had not changed
 */
record Acceleration(
    AccelerationSearch search,
    double lastHour,
    double level,
    int hours,
    double before,
    double loud,
    double usual,
    OptionalDouble siblings,
    double chance) {

  String text() {
    return String.format(
        Locale.ROOT,
        "%s in the last hour, at least %s in each of %d of the last %d hours;"
            + " %s an hour in the %s %s%s; %s",
        number(lastHour),
        number(level),
        hours,
        search.window(),
        number(usual),
        span(before),
        search.past() > search.window() ? "until " + span(search.past()) + " ago" : "before",
        without(Math.round(loud)),
        siblings.isPresent()
            ? "its siblings' median is " + number(siblings.getAsDouble()) + " an hour"
            : "it has no siblings to compare with");
  }

  private static String without(long hours) {
    return hours == 0 ? "" : ", without " + hours + (hours == 1 ? " louder hour" : " louder hours");
  }

  private static String span(double hours) {
    long days = Duration.ofMinutes(Math.round(hours * 60)).toDays();
    return days >= 2 ? days + " days" : Math.round(hours) + " hours";
  }

  private static String number(double value) {
    String text = String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
