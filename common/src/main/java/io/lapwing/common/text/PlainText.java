package io.lapwing.common.text;

import java.util.regex.Pattern;

/**
 * Sanitizes foreign text for a terminal: it cannot move the cursor, set a color or start a line.
 */
public final class PlainText {

  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\p{Cc}\\p{Cf}]");

  private static final double MAX_INTEGER = 1e15;

  private PlainText() {}

  /** The text on one line, with a question mark for each control or format character. */
  public static String of(String text) {
    return CONTROL.matcher(SPACE.matcher(text).replaceAll(" ")).replaceAll("?").strip();
  }

  /** As {@link #of(String)}, truncated to {@code max} characters. */
  public static String of(String text, int max) {
    String whole = of(text);
    return whole.length() <= max
        ? whole
        : whole.substring(0, Math.max(0, max - 3)).stripTrailing() + "...";
  }

  /** {@code 1 node}, {@code 2 nodes}. */
  public static String count(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** A number without a needless fraction: 20, not 20.0. */
  public static String number(double number) {
    boolean whole = number == Math.rint(number) && Math.abs(number) < MAX_INTEGER;
    return whole ? String.valueOf((long) number) : String.valueOf(number);
  }
}
