package io.lapwing.xid;

import io.lapwing.xid.XidDetail.Nvlink5Resolution;
import java.util.List;
import java.util.Locale;

/**
 * A row of {@code nvlink5.csv}.
 *
 * @param units the row's unit as a whole and each of its names
 * @param errorStatus any of these; empty for every one
 * @param source the row of NVIDIA's sheet
 */
record Nvlink5Row(
    int xid,
    List<String> units,
    BitPattern beforeR575,
    BitPattern sinceR575,
    List<Long> errorStatus,
    Nvlink5Resolution resolution,
    String source) {

  private static final int COLUMNS = 7;

  /** Bits that have to be as they are written, from bit 31 to bit 0; {@code -} is either. */
  record BitPattern(long mask, long value) {

    private static BitPattern parse(String text) {
      if (!text.matches("[01-]{32}")) {
        throw new IllegalArgumentException("not 32 of 0, 1 and -: " + text);
      }
      return new BitPattern(
          Long.parseLong(text.replace('0', '1').replace('-', '0'), 2),
          Long.parseLong(text.replace('-', '0'), 2));
    }

    boolean fits(long bits) {
      return (bits & mask) == value;
    }
  }

  /**
   * Reads one line.
   *
   * @throws IllegalArgumentException saying what is wrong
   */
  static Nvlink5Row parse(String line) {
    String[] values = line.split(",", -1);
    if (values.length != COLUMNS) {
      throw new IllegalArgumentException(COLUMNS + " values expected");
    }
    return new Nvlink5Row(
        Integer.parseInt(values[0]),
        units(values[1]),
        BitPattern.parse(values[2]),
        BitPattern.parse(values[3]),
        statuses(values[4]),
        Nvlink5Resolution.valueOf(values[5].toUpperCase(Locale.ROOT)),
        values[6]);
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
        : List.of(text.split("/", -1)).stream().map(Nvlink5Row::status).toList();
  }

  private static Long status(String text) {
    return Long.decode(text);
  }

  boolean fits(String unit, Nvlink5Layout layout, long intrInfo, long status) {
    return pattern(layout).fits(intrInfo)
        && units.contains(unit)
        && (errorStatus.isEmpty() || errorStatus.contains(status));
  }

  BitPattern pattern(Nvlink5Layout layout) {
    return layout == Nvlink5Layout.BEFORE_R575 ? beforeR575 : sinceR575;
  }
}
