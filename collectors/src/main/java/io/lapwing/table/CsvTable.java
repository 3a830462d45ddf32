package io.lapwing.table;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A table with a line of column names; skips blank lines and those that start with {@code #}. */
public final class CsvTable {

  private CsvTable() {}

  /** The rows of a resource beside a class; {@link IllegalStateException} if malformed. */
  public static List<Row> read(Class<?> beside, String resource) {
    InputStream table = Objects.requireNonNull(beside.getResourceAsStream(resource), resource);
    try (Reader text = new InputStreamReader(table, StandardCharsets.UTF_8)) {
      return read(resource, text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static List<Row> read(String name, Reader text) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    List<Row> rows = new ArrayList<>();
    List<String> header = List.of();
    int number = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      List<String> values = split(name + ":" + number, line);
      if (header.isEmpty()) {
        header = values;
      } else {
        rows.add(new Row(name + ":" + number, header, values));
      }
    }
    return List.copyOf(rows);
  }

  private static List<String> split(String place, String line) {
    try {
      return split(line);
    } catch (IllegalArgumentException unclosed) {
      throw new IllegalStateException(place + ": " + unclosed.getMessage(), unclosed);
    }
  }

  /**
   * Splits one line into trimmed values; a value in double quotes may hold commas, and a quote as
   * two. An open quote is an {@link IllegalArgumentException}.
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

  /** One row of a table; its place {@code xid.csv:12} is for messages. */
  public record Row(String place, List<String> columns, List<String> values) {

    public Row {
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
}
