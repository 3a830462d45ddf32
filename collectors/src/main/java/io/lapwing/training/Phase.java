package io.lapwing.training;

import java.util.Locale;

/** What a loop is doing, as it reports it. The order is that of the numbers in the file. */
enum Phase {
  UNKNOWN,
  TRAINING,
  EVALUATION,
  CHECKPOINT,
  ENDED,
  STARTING;

  private static final Phase[] ALL = values();

  /** A number that this version does not know becomes {@link #UNKNOWN}. */
  static Phase of(long number) {
    return number >= 0 && number < ALL.length ? ALL[(int) number] : UNKNOWN;
  }

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
