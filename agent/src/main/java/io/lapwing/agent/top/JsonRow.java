package io.lapwing.agent.top;

import io.lapwing.common.text.PlainText;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object of {@code /api/v1/live} or {@code /api/v1/node}. A member that is missing or of another
 * type is absent: later agents may add and change members.
 */
record JsonRow(Map<?, ?> members) {

  /** Longer names do not fit into any column. */
  private static final int MAX_TEXT = 200;

  private static final JsonRow NOTHING = new JsonRow(Map.of());

  static JsonRow of(@Nullable Object value) {
    return value instanceof Map<?, ?> members ? new JsonRow(members) : NOTHING;
  }

  /** On one line; empty if absent. */
  String text(String name) {
    return members.get(name) instanceof String text ? PlainText.of(text, MAX_TEXT) : "";
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  OptionalDouble number(String name) {
    return members.get(name) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  /** The increase of a counter per second between its last two readings. */
  OptionalDouble rate(String name) {
    return row("per_second").number(name);
  }

  JsonRow row(String name) {
    return of(members.get(name));
  }

  List<JsonRow> rows(String name) {
    return members.get(name) instanceof List<?> list
        ? list.stream().map(JsonRow::of).toList()
        : List.of();
  }

  /** The numbers of an object, by name. */
  Map<String, Double> group(String name) {
    Map<String, Double> group = new TreeMap<>();
    row(name)
        .members
        .forEach(
            (key, value) -> {
              if (value instanceof Number number) {
                group.put(PlainText.of(String.valueOf(key), MAX_TEXT), number.doubleValue());
              }
            });
    return group;
  }
}
