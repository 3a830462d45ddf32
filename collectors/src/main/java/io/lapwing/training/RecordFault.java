package io.lapwing.training;

import java.util.Locale;

/** Why one record of a file is not counted. */
enum RecordFault {
  /** Its writer never finished it. */
  TORN,
  /** Its duration is negative, no number, or longer than a week. */
  BAD_DURATION,
  /** Its start is of long ago or to come. */
  BAD_START,
  /** It starts before the one before it. */
  CLOCK_BACK,
  /** Its totals cannot be. */
  BAD_TOTALS;

  /** As it stands on the page. */
  String reason() {
    return name().toLowerCase(Locale.ROOT);
  }
}
