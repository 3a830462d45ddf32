package io.lapwing.bench.acceptance;

import java.util.List;
import java.util.Locale;

/** One row of the table: one comparison on one GPU. */
record Row(
    String phase,
    int gpu,
    String what,
    String ours,
    String theirs,
    String closeness,
    Verdict verdict) {

  enum Verdict {
    OK,
    MISMATCH,
    /** Not compared, for the reason in the place of nvidia-smi's value. */
    SKIPPED
  }

  boolean isMismatch() {
    return verdict == Verdict.MISMATCH;
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "%-7s %3s  %-52s %-22s %-26s %-14s %s",
        phase,
        gpu < 0 ? "" : String.valueOf(gpu),
        what,
        ours,
        theirs,
        closeness,
        switch (verdict) {
          case OK -> "ok";
          case MISMATCH -> "MISMATCH";
          case SKIPPED -> "skipped";
        });
  }

  static Row of(
      String phase,
      int gpu,
      String what,
      String ours,
      String theirs,
      String closeness,
      boolean ok) {
    return new Row(phase, gpu, what, ours, theirs, closeness, ok ? Verdict.OK : Verdict.MISMATCH);
  }

  static Row skipped(String phase, int gpu, String what, String ours, String reason) {
    return new Row(phase, gpu, what, ours, reason, "", Verdict.SKIPPED);
  }

  /** The lowest and the highest of several readings. */
  static String range(List<Double> values) {
    double lowest = values.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double highest = values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return lowest == highest ? number(lowest) : number(lowest) + " .. " + number(highest);
  }

  /** Integers without a fraction. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
