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

/**
 * A table with a line of column names. Blank lines and lines that start with {@code #} are skipped.
 */
public final class CsvTable {

  private CsvTable() {}

  /**
   * The rows of a resource.
   *
   * @param beside a class in the package of the resource
   * @throws IllegalStateException with the line number if the table is malformed
   */
  public static List<CsvRow> read(Class<?> beside, String resource) {
    InputStream table = Objects.requireNonNull(beside.getResourceAsStream(resource), resource);
    try (Reader text = new InputStreamReader(table, StandardCharsets.UTF_8)) {
      return read(resource, text);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static List<CsvRow> read(String name, Reader text) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    List<CsvRow> rows = new ArrayList<>();
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
        rows.add(new CsvRow(name + ":" + number, header, values));
      }
    }
    return List.copyOf(rows);
  }

  private static List<String> split(String place, String line) {
    try {
      return CsvLine.split(line);
    } catch (IllegalArgumentException unclosed) {
      throw new IllegalStateException(place + ": " + unclosed.getMessage(), unclosed);
    }
  }
}
