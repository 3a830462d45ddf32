package io.lapwing.exposition;

/** What stands between a label's quotes. */
final class LabelText {

  private LabelText() {}

  /** {@code \\}, {@code \"} and {@code \n} become what they stand for; any other stays. */
  static String unescaped(String written) {
    if (written.indexOf('\\') < 0) {
      return written;
    }
    StringBuilder text = new StringBuilder(written.length());
    for (int at = 0; at < written.length(); at++) {
      char one = written.charAt(at);
      char next = one == '\\' && at + 1 < written.length() ? written.charAt(at + 1) : 0;
      if (next == '\\' || next == '"' || next == 'n') {
        text.append(next == 'n' ? '\n' : next);
        at++;
      } else {
        text.append(one);
      }
    }
    return text.toString();
  }
}
