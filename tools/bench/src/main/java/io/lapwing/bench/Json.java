package io.lapwing.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes maps, lists, numbers, booleans and strings as JSON; enough for reports. */
public final class Json {

  private Json() {}

  /** The JSON text with a final newline. */
  public static String write(Object value) {
    return write(value, "\n") + "\n";
  }

  private static String write(Object value, String newline) {
    if (value instanceof Map<?, ?> map) {
      String inner = newline + "  ";
      return map.entrySet().stream()
          .map(
              entry ->
                  inner
                      + quote(String.valueOf(entry.getKey()))
                      + ": "
                      + write(entry.getValue(), inner))
          .collect(Collectors.joining(",", "{", newline + "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream()
          .map(item -> write(item, newline))
          .collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Double number) {
      return String.format(Locale.ROOT, "%.6g", number);
    }
    return value instanceof Number || value instanceof Boolean
        ? value.toString()
        : quote(value.toString());
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
