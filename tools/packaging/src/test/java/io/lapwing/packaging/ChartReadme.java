package io.lapwing.packaging;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of the chart's values in its README, from values.yaml and its comments. */
final class ChartReadme {

  private static final Pattern COMMENT = Pattern.compile(" *# ?(?<text>.*)");

  /** Two spaces of indentation for each level, as in all of the file. */
  private static final Pattern KEY =
      Pattern.compile(
          "(?<indent> *)(?<key>[A-Za-z]+):(?: (?<value>\"[^\"]*\"|[^#]*?))?(?: +# (?<text>.*))?");

  private static final Pattern ITEM = Pattern.compile(" *- (?<text>.*)");

  private final List<Row> rows = new ArrayList<>();
  private final List<String> path = new ArrayList<>();
  private final List<String> comment = new ArrayList<>();

  /** A value; the default is empty for one that only groups others. */
  private record Row(String key, String preset, String text) {

    Row with(String item) {
      return new Row(key, preset.isEmpty() ? item : preset + ", " + item, text);
    }

    String markdown() {
      String code = preset.isEmpty() ? "" : "`" + preset.replace("|", "\\|") + "`";
      return "| `" + key + "` | " + code + " | " + text.replace("|", "\\|") + " |\n";
    }
  }

  private ChartReadme() {}

  static String table(List<String> values) {
    ChartReadme readme = new ChartReadme();
    values.forEach(readme::line);
    StringBuilder table = new StringBuilder("| value | default | |\n|---|---|---|\n");
    readme.rows.stream()
        .filter(row -> !row.preset().isEmpty() || !row.text().isEmpty())
        .forEach(row -> table.append(row.markdown()));
    return table.toString();
  }

  private void line(String line) {
    Matcher remark = COMMENT.matcher(line);
    Matcher key = KEY.matcher(line);
    Matcher item = ITEM.matcher(line);
    if (line.isBlank()) {
      comment.clear(); // of the file, or of what comes next in general
    } else if (remark.matches()) {
      comment.add(remark.group("text").strip());
    } else if (item.matches()) {
      rows.set(rows.size() - 1, rows.get(rows.size() - 1).with(item.group("text")));
    } else if (key.matches()) {
      key(key);
    } else {
      throw new IllegalArgumentException("neither a key, an item nor a comment: " + line);
    }
  }

  private void key(Matcher key) {
    int depth = key.group("indent").length() / 2;
    path.subList(depth, path.size()).clear();
    path.add(key.group("key"));
    String value = key.group("value");
    if (key.group("text") != null) {
      comment.add(key.group("text"));
    }
    rows.add(
        new Row(
            String.join(".", path), value == null ? "" : value.strip(), String.join(" ", comment)));
    comment.clear();
  }
}
