package io.lapwing.table;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of comma-separated values; a value in double quotes may hold commas, and a quote as two.
 */
public final class CsvLine {

  private CsvLine() {}

  /**
   * The trimmed values.
   *
   * @throws IllegalArgumentException where a quote is opened and not closed
   */
  public static List<String> split(String line) {
    List<String> values = new ArrayList<>();
    StringBuilder value = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
        value.append(c);
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        values.add(value.toString().strip());
        value.setLength(0);
      } else {
        value.append(c);
      }
    }
    if (quoted) {
      throw new IllegalArgumentException("a quote is opened and not closed");
    }
    values.add(value.toString().strip());
    return values;
  }
}
