package io.lapwing.agent.health.rules.gpu;

/**
 * An hour or more in which a GPU's count of corrected errors increased; the time within it is
 * unknown.
 *
 * @param from start, in hours before now
 * @param to end, in hours before now; less than {@code from}
 * @param errors the increase of the count
 */
record ErrorHour(double from, double to, double errors) {

  /** Length in hours, at least one: growth within a moment counts for its whole hour. */
  double length() {
    return Math.max(1, from - to);
  }

  /** Errors an hour. */
  double rate() {
    return errors / length();
  }

  /** Which side of a border it is on. */
  double middle() {
    return (from + to) / 2;
  }

  /** Errors later than so many hours before now, assuming an even spread. */
  double errorsSince(double hours) {
    if (from <= hours) {
      return errors;
    }
    return to >= hours ? 0 : errors * (hours - to) / (from - to);
  }
}
