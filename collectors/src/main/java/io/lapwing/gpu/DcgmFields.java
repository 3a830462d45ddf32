package io.lapwing.gpu;

import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The DCGM fields that Lapwing knows: {@code dcgm-fields.csv}. */
public final class DcgmFields {

  /** Names of DCGM 3 that dcgm-exporter accepts, with the classic name of each. */
  private static final Map<String, String> OLD_NAMES =
      Map.of("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "DCGM_FI_DEV_CLOCKS_EVENT_REASONS");

  private final Map<String, DcgmField> byName = new LinkedHashMap<>();

  private DcgmFields(List<DcgmField> fields) {
    for (DcgmField field : fields) {
      byName.put(field.name(), field);
      byName.putIfAbsent(field.newName(), field);
    }
    for (DcgmNames.Rename rename : DcgmNames.SHIPPED.all()) {
      byName.computeIfAbsent(rename.name(), unknown -> byName.get(rename.classic()));
    }
    OLD_NAMES.forEach((old, classic) -> byName.put(old, byName.get(classic)));
  }

  public static DcgmFields load() {
    return new DcgmFields(
        CsvTable.read(DcgmFields.class, "dcgm-fields.csv").stream()
            .map(DcgmFields::field)
            .toList());
  }

  private static DcgmField field(Row row) {
    return new DcgmField(
        row.number("id"),
        row.text("name"),
        row.text("name_4_6"),
        DcgmField.Answer.valueOf(row.text("answer").toUpperCase(Locale.ROOT)),
        row.text("why_not"));
  }

  public Collection<DcgmField> all() {
    return byName.values().stream().distinct().toList();
  }

  /** The field of a name of DCGM 3, a classic name, or one of DCGM 4.6 or dcgm-exporter 4.9. */
  public Optional<DcgmField> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** The known name with the smallest edit distance, if it is small enough for a typo. */
  Optional<String> nearest(String name) {
    int reach = Math.max(2, name.length() / 6);
    return byName.keySet().stream()
        // The length difference is a lower bound of the distance: long names cost nothing.
        .filter(known -> Math.abs(known.length() - name.length()) <= reach)
        .min(Comparator.comparingInt(known -> distance(known, name)))
        .filter(known -> distance(known, name) <= reach);
  }

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

  /**
   * A field that DCGM has.
   *
   * @param id DCGM's number
   * @param name the classic name, under which it is exposed
   * @param newName the name of the header since DCGM 4.6, accepted in a field file
   * @param answer how Lapwing answers it
   * @param whyNot why it does not, where {@code answer} is {@code NONE}
   */
  public record DcgmField(int id, String name, String newName, Answer answer, String whyNot) {

    public enum Answer {
      /** As a family of that name. */
      METRIC,
      /** As a label on the families of the GPU. */
      LABEL,
      NONE
    }
  }
}
