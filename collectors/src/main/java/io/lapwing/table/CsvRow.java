package io.lapwing.table;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One row of a table.
 *
 * @param place {@code xid.csv:12}, for messages
 */
public record CsvRow(String place, List<String> columns, List<String> values) {

  public CsvRow {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
    if (columns.size() != values.size()) {
      throw new IllegalStateException(
          place + ": " + values.size() + " values for " + columns.size() + " columns");
    }
  }

  /** The text of a value; may be empty. */
  public String text(String column) {
    int index = columns.indexOf(column);
    if (index < 0) {
      throw new IllegalStateException(place + ": there is no column " + column);
    }
    return values.get(index);
  }

  /**
   * A whole number.
   *
   * @throws IllegalStateException if it is not one
   */
  public int number(String column) {
    return optionalNumber(column).orElseThrow(() -> bad(column, "is empty", null));
  }

  /** A whole number; empty for an empty value. */
  public OptionalInt optionalNumber(String column) {
    String text = text(column);
    try {
      return text.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
    } catch (NumberFormatException wrong) {
      throw bad(column, "'" + text + "' is not a whole number", wrong);
    }
  }

  private IllegalStateException bad(String column, String what, @Nullable Throwable cause) {
    return new IllegalStateException(place + ": " + column + ": " + what, cause);
  }
}
