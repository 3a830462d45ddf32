package io.lapwing.drain.intake;

/** Untrusted texts for logs and people. */
public final class Words {

  private Words() {}

  /** On one line, without control characters, of at most that length. */
  public static String plain(String text, int most) {
    StringBuilder plain = new StringBuilder();
    int end = Math.min(text.length(), 4 * most);
    for (int i = 0; i < end && plain.length() < most; i++) {
      char c = text.charAt(i);
      boolean space = Character.isWhitespace(c) || Character.isISOControl(c) || isHidden(c);
      if (!space) {
        plain.append(c);
      } else if (!plain.isEmpty() && plain.charAt(plain.length() - 1) != ' ') {
        plain.append(' ');
      }
    }
    return plain.toString().strip();
  }

  /** Marks that change the direction of text, separators of lines, and halves of characters. */
  private static boolean isHidden(char c) {
    int type = Character.getType(c);
    return type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || type == Character.SURROGATE;
  }
}
