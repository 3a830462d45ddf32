package io.lapwing.rules;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an annotation's template asks for. */
record Template(String text) {

  private static final Pattern ACTION = Pattern.compile("\\{\\{(.*?)}}", Pattern.DOTALL);
  private static final Pattern STRING = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|`([^`]*)`");
  private static final Pattern QUERIES = Pattern.compile("\\bquery\\b");
  private static final Pattern LABEL = Pattern.compile("\\$labels\\.([A-Za-z_][A-Za-z0-9_]*)");

  /** The queries that it makes, each with something in place of what printf puts in. */
  List<String> queries() {
    return ACTION
        .matcher(text)
        .results()
        .map(action -> action.group(1))
        .filter(action -> QUERIES.matcher(action).find())
        .map(Template::firstString)
        .toList();
  }

  private static String firstString(String action) {
    Matcher string = STRING.matcher(action);
    if (!string.find()) {
      throw new IllegalArgumentException("a query that is no string: " + action);
    }
    String format =
        string.group(2) == null
            ? string.group(1).replace("\\\"", "\"").replace("\\\\", "\\")
            : string.group(2);
    return format.replace("%q", "\"x\"").replace("%s", "x").replace("%d", "1").replace("%%", "%");
  }

  /** The labels of the alert that it names. */
  List<String> labels() {
    return LABEL.matcher(text).results().map(label -> label.group(1)).distinct().toList();
  }

  /** The words that stand between its actions. */
  List<String> words() {
    return Pattern.compile("\\s+")
        .splitAsStream(ACTION.matcher(text).replaceAll(" "))
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
