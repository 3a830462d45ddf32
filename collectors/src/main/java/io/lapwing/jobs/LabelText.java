package io.lapwing.jobs;

/** Makes a text of others fit for a label. */
final class LabelText {

  /** The name of a pod, the longest of all that is legitimate, has at most 253. */
  static final int MOST = 256;

  private LabelText() {}

  /** Without control characters and halves of characters, and of {@link #MOST} chars at most. */
  static String clean(String text) {
    int at = 0;
    while (at < text.length() && at < MOST && isPlain(text.charAt(at))) {
      at++;
    }
    return at == text.length() ? text : cleaned(text);
  }

  /** Nearly every text is this, and is passed on as it is. */
  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x7f;
  }

  private static String cleaned(String text) {
    StringBuilder clean = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int code = text.codePointAt(at);
      int width = Character.charCount(code);
      if (clean.length() + width > MOST) {
        break;
      }
      if (isFit(code)) {
        clean.appendCodePoint(code);
      }
      at += width;
    }
    return clean.toString();
  }

  private static boolean isFit(int code) {
    int type = Character.getType(code);
    return type != Character.CONTROL
        && type != Character.SURROGATE
        && type != Character.UNASSIGNED
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR;
  }
}
