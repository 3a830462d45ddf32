package io.lapwing.agent.health.rules.gpu;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Figures as they appear in sentences. */
public final class RuleText {

  private RuleText() {}

  /** {@code 1 row}, {@code 2 rows}. */
  public static String count(double number, String noun) {
    return number(number) + " " + noun + (number == 1 ? "" : "s");
  }

  /** {@code 5}, {@code 5 and 7}, {@code 1, 5 and 7}. */
  public static String list(Collection<?> things) {
    List<String> words = things.stream().map(String::valueOf).toList();
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  /** {@code link 5}, {@code links 5 and 7}. */
  public static String named(String noun, Collection<?> things) {
    return noun + (things.size() == 1 ? " " : "s ") + list(things);
  }

  /** An integer without a decimal point. */
  public static String number(double number) {
    if (number == (int) number && Double.compare(number, 0) >= 0) {
      return Integer.toString((int) number); // a hundredth of the time of a format
    }
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.format(Locale.ROOT, "%.1f", number);
  }

  /** {@code 35 %} for 0.35; never 0 for a positive share. */
  public static String percent(double share) {
    double percent = share * 100;
    return percent > 0 && percent < 1 ? "less than 1 %" : Math.round(percent) + " %";
  }

  /** {@code 42 s}, {@code 10 min}. */
  public static String duration(Duration duration) {
    return duration.compareTo(Duration.ofMinutes(2)) < 0
        ? duration.toSeconds() + " s"
        : duration.toMinutes() + " min";
  }
}
