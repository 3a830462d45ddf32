package io.lapwing.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Queries and labels of an annotation's template. */
record Template(String text) {

  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  /**
   * Possessive quantifiers: backtracking would recurse, and a long string would exhaust the stack.
   */
  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*+)\"|`([^`]*)`");

  private static final Pattern QUERIES = Pattern.compile("\\bquery\\b");
  private static final Pattern LABEL = Pattern.compile("\\$labels\\.([A-Za-z_][A-Za-z0-9_]*)");

  /** Its queries, with placeholders replaced by sample values. */
  List<String> queries() {
    return Pieces.of(text).actions().stream()
        .filter(action -> QUERIES.matcher(action).find())
        .map(Template::firstString)
        .toList();
  }

  /** The actions within double braces, in order, and the text between them. */
  private record Pieces(List<String> actions, String between) {

    /** In one pass. */
    static Pieces of(String text) {
      List<String> actions = new ArrayList<>();
      StringBuilder between = new StringBuilder();
      int at = 0;
      int open = text.indexOf(OPEN);
      int close = open < 0 ? -1 : text.indexOf(CLOSE, open + OPEN.length());
      while (close >= 0) {
        actions.add(text.substring(open + OPEN.length(), close));
        between.append(text, at, open).append(' ');
        at = close + CLOSE.length();
        open = text.indexOf(OPEN, at);
        close = open < 0 ? -1 : text.indexOf(CLOSE, open + OPEN.length());
      }
      return new Pieces(actions, between.append(text, at, text.length()).toString());
    }
  }

  private static String firstString(String action) {
    Matcher string = STRING.matcher(action);
    if (!string.find()) {
      throw new IllegalArgumentException("query is not a string: " + action);
    }
    String format =
        string.group(2) == null
            ? string.group(1).replace("\\\"", "\"").replace("\\\\", "\\")
            : string.group(2);
    return format.replace("%q", "\"x\"").replace("%s", "x").replace("%d", "1").replace("%%", "%");
  }

  /** The alert's labels that it names. */
  List<String> labels() {
    return LABEL.matcher(text).results().map(label -> label.group(1)).distinct().toList();
  }

  /** The text between its actions. */
  List<String> words() {
    return Pattern.compile("\\s+")
        .splitAsStream(Pieces.of(text).between())
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
