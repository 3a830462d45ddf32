package io.lapwing.training;

import java.util.Locale;

/** What a loop says it is doing, in the order of the numbers in the file. */
enum Phase {
  UNKNOWN,
  TRAINING,
  EVALUATION,
  CHECKPOINT,
  ENDED,
  STARTING;

  private static final Phase[] ALL = values();

  /** A number that this version does not know is unknown. */
  static Phase of(long number) {
    return number >= 0 && number < ALL.length ? ALL[(int) number] : UNKNOWN;
  }

  /** As it stands on the page. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
