package io.lapwing.gpu;

import io.lapwing.table.CsvTable;
import java.util.Map;
import java.util.stream.Collectors;

/** The names of DCGM's error codes: {@code dcgm-errors.csv}. */
final class DcgmErrors {

  /** No error. */
  static final int OK = 0;

  /** {@code DCGM_FR_IMEX_UNHEALTHY}: of the node, in the health system NVLink. */
  static final int IMEX_UNHEALTHY = 122;

  private static final Map<Integer, String> NAMES =
      CsvTable.read(DcgmErrors.class, "dcgm-errors.csv").stream()
          .collect(Collectors.toMap(row -> row.number("code"), row -> row.text("name")));

  private DcgmErrors() {}

  /** As dcgm-exporter writes it: {@code DCGM_FR_NVLINK_DOWN}, {@code DCGM_FR_UNKNOWN(424242)}. */
  static String name(int code) {
    String known = NAMES.get(code);
    return known == null ? "DCGM_FR_UNKNOWN(" + Integer.toUnsignedString(code) + ")" : known;
  }
}
