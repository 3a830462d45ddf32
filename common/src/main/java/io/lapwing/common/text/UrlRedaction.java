package io.lapwing.common.text;

import java.util.regex.Pattern;

/**
 * Removes the user information, query and fragment parameters of URLs in a text, by their place in
 * the URL: any parameter may be a secret, whatever its name. Takes linear time.
 */
final class UrlRedaction {

  private static final String SEPARATOR = "://";
  private static final int LONGEST_SCHEME = 20;
  private static final int LONGEST_PASSWORD = 1_000;
  private static final Pattern PORT = Pattern.compile(":\\d{0,5}");
  private static final Pattern ANCHOR = Pattern.compile("[^=?@/&]*");
  private static final Pattern LISTED = Pattern.compile(".*,[A-Za-z][A-Za-z0-9+.-]*");

  /** The query of a URL without a scheme; {@code word? a=b} is plain text. */
  private static final Pattern RELATIVE =
      Pattern.compile("(?<=[^\\s?\"'])\\?(?=[\\w.~%\\[\\]-]{1,200}=)[^\\s\"'<>\\\\]+");

  private final String text;
  private final StringBuilder out;

  private UrlRedaction(String text) {
    this.text = text;
    this.out = new StringBuilder(text.length());
  }

  static String of(String text) {
    return RELATIVE.matcher(new UrlRedaction(text).all()).replaceAll("?" + Redaction.REMOVED);
  }

  private String all() {
    int done = 0;
    for (int at = text.indexOf(SEPARATOR); at >= 0; at = text.indexOf(SEPARATOR, done)) {
      int start = at + SEPARATOR.length();
      out.append(text, done, start);
      done = path(authority(start));
    }
    return out.append(text, done, text.length()).toString();
  }

  /** Returns where the host starts. */
  private int authority(int start) {
    int end = start;
    while (!isEnd(end) && "/?#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String authority = text.substring(start, end);
    int at = start + authority.lastIndexOf('@');
    if (at < start) {
      at = isHost(authority) ? start - 1 : lastAt(end);
    }
    if (at >= start) {
      out.append(Redaction.REMOVED);
      return at;
    }
    return start;
  }

  private static boolean isHost(String authority) {
    int colon = authority.indexOf(':');
    return colon < 0
        || authority.startsWith("[")
        || PORT.matcher(authority.substring(colon)).matches();
  }

  /** A password with a slash, which is not valid, is a password nevertheless. */
  private int lastAt(int from) {
    int last = -1;
    for (int i = from; i < from + LONGEST_PASSWORD && !isEnd(i); i++) {
      last = text.charAt(i) == '@' ? i : last;
    }
    return last;
  }

  /** Copies host and path; returns where the URL ends, or the next one in it begins. */
  private int path(int start) {
    for (int i = start; !isEnd(i); i++) {
      char c = text.charAt(i);
      if (c == '?' || c == '#') {
        out.append(text, start, i + 1);
        return parameters(i + 1, c == '?');
      }
      if (text.startsWith(SEPARATOR, i)) {
        out.append(text, start, i);
        return i;
      }
    }
    int end = end(start);
    out.append(text, start, end);
    return end;
  }

  /** A fragment such as {@code #xid-79} is a place in a document. */
  private int parameters(int start, boolean query) {
    int end = end(start);
    String content = text.substring(start, end);
    boolean shown = content.isEmpty() || (!query && ANCHOR.matcher(content).matches());
    out.append(shown ? content : Redaction.REMOVED);
    return end;
  }

  /** The end of the URL: before the next one of a list {@code URL,URL}, too. */
  private int end(int start) {
    int i = start;
    while (!isEnd(i)) {
      if (text.startsWith(SEPARATOR, i)) {
        String before = text.substring(Math.max(start, i - LONGEST_SCHEME), i);
        if (LISTED.matcher(before).matches()) {
          return text.lastIndexOf(',', i);
        }
      }
      i++;
    }
    return i;
  }

  private boolean isEnd(int at) {
    if (at >= text.length()) {
      return true;
    }
    char c = text.charAt(at);
    return c <= ' ' || "\"'<>`".indexOf(c) >= 0 || (c == '\\' && endsQuote(at));
  }

  /** An escaped quote of JSON, or backslashes before the end of a text. */
  private boolean endsQuote(int at) {
    int next = at;
    while (next < text.length() && next < at + 4 && text.charAt(next) == '\\') {
      next++;
    }
    return next < text.length() && text.charAt(next) == '"';
  }
}
