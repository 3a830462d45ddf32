package io.lapwing.agent.health.rules.gpu;

import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Evidence that a GPU's corrected errors accelerate: {@code hours} of the window reached {@code
 * level} errors, {@code loud} of {@code before} past hours came near it, the rest had {@code
 * usual}. {@code siblings}: the median sibling's errors an hour; {@code chance}: probability under
 * an unchanged rate.
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
