package io.lapwing.common.text;

/** Wraps text at a fixed width. */
public final class Paragraph {

  /** Maximum line length in characters. */
  public static final int WIDTH = 100;

  private Paragraph() {}

  /** The sanitized text as lines with prefixes; a word longer than a line is not broken. */
  public static String of(String first, String rest, String text) {
    StringBuilder all = new StringBuilder(first);
    int column = first.length();
    boolean hasWord = false;
    for (String word : PlainText.of(text).split(" ", -1)) {
      if (hasWord && column + 1 + word.length() > WIDTH) {
        all.append('\n').append(rest).append(word);
        column = rest.length() + word.length();
      } else {
        all.append(hasWord ? " " : "").append(word);
        column += word.length() + (hasWord ? 1 : 0);
      }
      hasWord = true;
    }
    return all.append('\n').toString();
  }
}
