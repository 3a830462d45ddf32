package io.lapwing.agent.text;

import java.util.regex.Pattern;

/**
 * Texts of others, such as a process name that its user chose, made fit for a terminal: nothing in
 * them moves the cursor, sets a colour or begins a line.
 */
public final class PlainText {

  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final Pattern UNSEEN = Pattern.compile("[\\p{Cntrl}\\p{Cc}\\p{Cf}]");

  private PlainText() {}

  /** The text on one line, with a question mark for each character that is no text. */
  public static String of(String text) {
    return UNSEEN.matcher(SPACE.matcher(text).replaceAll(" ")).replaceAll("?").strip();
  }

  /** The same, cut where it is longer than so many characters. */
  public static String of(String text, int most) {
    String whole = of(text);
    return whole.length() <= most
        ? whole
        : whole.substring(0, Math.max(0, most - 3)).stripTrailing() + "...";
  }
}
