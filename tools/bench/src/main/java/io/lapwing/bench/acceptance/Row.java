package io.lapwing.bench.acceptance;

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
    /** nvidia-smi has no such value on this GPU or driver. */
    NO_REFERENCE
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
        verdict == Verdict.OK ? "ok" : verdict);
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

  /** Integers without a fraction. */
  static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.3f", value);
  }
}
