package io.lapwing.metric;

/** Makes a label value of foreign text: bounded and printable. */
public final class LabelText {

  /** The name of a pod, the longest of all that is legitimate, has at most 253 chars. */
  public static final int MOST = 256;

  private LabelText() {}

  /**
   * Drops control and format characters, unpaired surrogates and unassigned characters; at most
   * {@link #MOST} chars.
   */
  public static String clean(String text) {
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
        && type != Character.FORMAT
        && type != Character.SURROGATE
        && type != Character.UNASSIGNED
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR;
  }
}
