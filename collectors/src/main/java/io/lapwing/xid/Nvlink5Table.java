package io.lapwing.xid;

import io.lapwing.xid.XidDetail.Nvlink5Resolution;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What XIDs 144 to 150 call for: {@code nvlink5.csv}. */
final class Nvlink5Table {

  private static final String TABLE = "nvlink5.csv";

  private static final Map<Integer, List<Nvlink5Row>> BY_XID =
      load().stream().collect(Collectors.groupingBy(Nvlink5Row::xid));

  private Nvlink5Table() {}

  /** Reads the table now, so that a broken one is found at the start and not with the first XID. */
  static void check() {
    Objects.requireNonNull(BY_XID);
  }

  /** The resolution of the row that fits; UNKNOWN where none does. */
  static Nvlink5Resolution resolution(
      int xid, String unit, Nvlink5Layout layout, long intrInfo, long errorStatus) {
    for (Nvlink5Row row : BY_XID.getOrDefault(xid, List.of())) {
      if (row.fits(unit, layout, intrInfo, errorStatus)) {
        return row.resolution();
      }
    }
    return Nvlink5Resolution.UNKNOWN;
  }

  /**
   * Reads the table that comes with Lapwing.
   *
   * @throws IllegalArgumentException naming the line that is wrong
   */
  static List<Nvlink5Row> load() {
    try (InputStream in =
            Objects.requireNonNull(Nvlink5Table.class.getResourceAsStream(TABLE), TABLE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return parse(lines.lines().toList());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** The rows of the lines of a table. */
  static List<Nvlink5Row> parse(List<String> lines) {
    List<Nvlink5Row> rows = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("xid,")) {
        rows.add(row(i + 1, line));
      }
    }
    return rows;
  }

  private static Nvlink5Row row(int place, String line) {
    try {
      return Nvlink5Row.parse(line);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException(
          TABLE + ", line " + place + ": " + wrong.getMessage(), wrong);
    }
  }
}
