package io.lapwing.xid;

import io.lapwing.table.CsvTable;
import io.lapwing.xid.XidDetail.Nvlink5Resolution;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Resolutions of XIDs 144 to 150: {@code nvlink5.csv}. */
final class Nvlink5Table {

  private static final String TABLE = "nvlink5.csv";

  private static final Map<Integer, List<Row>> BY_XID =
      load().stream().collect(Collectors.groupingBy(Row::xid));

  private Nvlink5Table() {}

  /** Loads the table now, so that a malformed one fails at the start and not at the first XID. */
  static void check() {
    Objects.requireNonNull(BY_XID);
  }

  /** The resolution of the matching row; UNKNOWN if none matches. */
  static Nvlink5Resolution resolution(
      int xid, String unit, Layout layout, long intrInfo, long errorStatus) {
    for (Row row : BY_XID.getOrDefault(xid, List.of())) {
      if (row.matches(unit, layout, intrInfo, errorStatus)) {
        return row.resolution();
      }
    }
    return Nvlink5Resolution.UNKNOWN;
  }

  static List<Row> load() {
    return CsvTable.read(Nvlink5Table.class, TABLE).stream().map(Row::of).toList();
  }

  /** The bits of intrInfo that carry the subcode; driver R575 moved them. */
  enum Layout {
    /** Bits 9:5. */
    BEFORE_R575(5, 0x1F),
    /** Bits 6:0. */
    SINCE_R575(0, 0x7F);

    private static final int R575 = 575;
    private static final int BRANCH_DIGITS = 4;

    private final int shift;
    private final int mask;

    Layout(int shift, int mask) {
      this.shift = shift;
      this.mask = mask;
    }

    /** The layout of a driver such as {@code 580.95.05}; empty if that starts with no branch. */
    static Optional<Layout> of(String version) {
      Cursor cursor = new Cursor(version);
      long branch = cursor.number(BRANCH_DIGITS).orElse(0);
      if (branch == 0 || !(cursor.atEnd() || cursor.skip("."))) {
        return Optional.empty();
      }
      return Optional.of(branch < R575 ? BEFORE_R575 : SINCE_R575);
    }

    int subcode(long intrInfo) {
      return (int) (intrInfo >> shift) & mask;
    }
  }

  /**
   * A resolution and the layout that gave it. Without a known layout both are tried: if one
   * matches, it counts, if both do, the graver resolution. No registers match both today.
   */
  record Resolved(
      Optional<Layout> layout,
      Nvlink5Resolution resolution,
      Optional<Nvlink5Resolution> otherwise) {

    static Resolved of(Optional<Layout> known, Function<Layout, Nvlink5Resolution> table) {
      if (known.isPresent()) {
        return new Resolved(known, table.apply(known.get()), Optional.empty());
      }
      Nvlink5Resolution before = table.apply(Layout.BEFORE_R575);
      Nvlink5Resolution since = table.apply(Layout.SINCE_R575);
      boolean graver = before.compareTo(since) > 0;
      Nvlink5Resolution worse = graver ? before : since;
      Nvlink5Resolution other = graver ? since : before;
      if (other == Nvlink5Resolution.UNKNOWN && worse != Nvlink5Resolution.UNKNOWN) {
        return new Resolved(
            Optional.of(graver ? Layout.BEFORE_R575 : Layout.SINCE_R575), worse, Optional.empty());
      }
      return new Resolved(
          Optional.empty(), worse, worse == other ? Optional.empty() : Optional.of(other));
    }
  }

  /** Required bits, from bit 31 to bit 0; {@code -} matches both. */
  record BitPattern(long mask, long value) {

    private static BitPattern parse(String text) {
      if (!text.matches("[01-]{32}")) {
        throw new IllegalArgumentException("not 32 of 0, 1 and -: " + text);
      }
      return new BitPattern(
          Long.parseLong(text.replace('0', '1').replace('-', '0'), 2),
          Long.parseLong(text.replace('-', '0'), 2));
    }

    private boolean matches(long bits) {
      return (bits & mask) == value;
    }
  }

  /** The unit column's text, and its names; accepted statuses, empty for any. */
  record Row(
      int xid,
      List<String> units,
      BitPattern beforeR575,
      BitPattern sinceR575,
      List<Long> errorStatus,
      Nvlink5Resolution resolution,
      String source) {

    static Row of(CsvTable.Row row) {
      try {
        return new Row(
            row.number("xid"),
            units(row.text("unit")),
            BitPattern.parse(row.text("intr_info_before_r575")),
            BitPattern.parse(row.text("intr_info_since_r575")),
            statuses(row.text("error_status")),
            Nvlink5Resolution.valueOf(row.text("resolution").toUpperCase(Locale.ROOT)),
            row.text("source"));
      } catch (IllegalArgumentException malformed) {
        throw new IllegalStateException(row.place() + ": " + malformed.getMessage(), malformed);
      }
    }

    private static List<String> units(String text) {
      int slash = text.indexOf('/');
      return slash < 0
          ? List.of(text)
          : List.of(text, text.substring(0, slash), text.substring(slash + 1));
    }

    private static List<Long> statuses(String text) {
      return text.equals("any")
          ? List.of()
          : List.of(text.split("/", -1)).stream().map(status -> Long.decode(status)).toList();
    }

    boolean matches(String unit, Layout layout, long intrInfo, long status) {
      return pattern(layout).matches(intrInfo)
          && units.contains(unit)
          && (errorStatus.isEmpty() || errorStatus.contains(status));
    }

    BitPattern pattern(Layout layout) {
      return layout == Layout.BEFORE_R575 ? beforeR575 : sinceR575;
    }
  }
}
