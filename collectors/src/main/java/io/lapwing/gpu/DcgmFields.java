package io.lapwing.gpu;

import io.lapwing.table.CsvLine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The fields of DCGM that Lapwing knows of: {@code dcgm-fields.csv}. */
public final class DcgmFields {

  private static final String TABLE = "dcgm-fields.csv";

  private final Map<String, DcgmField> byName = new LinkedHashMap<>();

  private DcgmFields(List<DcgmField> fields) {
    for (DcgmField field : fields) {
      byName.put(field.name(), field);
      byName.putIfAbsent(field.newName(), field);
    }
  }

  /** Reads the table that comes with Lapwing. */
  public static DcgmFields load() {
    try (InputStream in =
            Objects.requireNonNull(DcgmFields.class.getResourceAsStream(TABLE), TABLE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return new DcgmFields(
          lines
              .lines()
              .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("id,"))
              .map(DcgmFields::field)
              .toList());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static DcgmField field(String line) {
    List<String> values = CsvLine.split(line);
    return new DcgmField(
        Integer.parseInt(values.get(0)),
        values.get(1),
        values.get(2),
        DcgmField.Answer.valueOf(values.get(3).toUpperCase(Locale.ROOT)),
        values.get(4));
  }

  public Collection<DcgmField> all() {
    return byName.values().stream().distinct().toList();
  }

  /** By the classic name or the one since DCGM 4.6. */
  public Optional<DcgmField> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The known name with the fewest letters to change, if few enough to be meant. */
  Optional<String> nearest(String name) {
    int reach = Math.max(2, name.length() / 6);
    return byName.keySet().stream()
        // As many letters more or less are changes already: a name of any length costs nothing.
        .filter(known -> Math.abs(known.length() - name.length()) <= reach)
        .min(Comparator.comparingInt(known -> distance(known, name)))
        .filter(known -> distance(known, name) <= reach);
  }

  /** Levenshtein's distance. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
