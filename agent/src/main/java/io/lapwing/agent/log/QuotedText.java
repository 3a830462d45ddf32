package io.lapwing.agent.log;

/** Quotes text by JSON's rules, which logfmt shares. The result is always a single line. */
final class QuotedText {
  private static final char DELETE = 0x7f;
  private static final char LAST_C1_CONTROL = 0x9f;

  private QuotedText() {}

  static void append(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      append(out, text, i);
    }
    out.append('"');
  }

  private static void append(StringBuilder out, String text, int i) {
    char c = text.charAt(i);
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> {
        if (isUnprintable(text, i)) {
          out.append(String.format("\\u%04x", (int) c));
        } else {
          out.append(c);
        }
      }
    }
  }

  /** Control characters, Unicode line separators and unpaired surrogates. */
  static boolean isUnprintable(String text, int i) {
    char c = text.charAt(i);
    return c < ' '
        || (c >= DELETE && c <= LAST_C1_CONTROL)
        || c == '\u2028'
        || c == '\u2029'
        || (Character.isSurrogate(c) && !isPaired(text, i));
  }

  private static boolean isPaired(String text, int i) {
    char c = text.charAt(i);
    return Character.isHighSurrogate(c)
        ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
