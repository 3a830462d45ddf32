package io.lapwing.agent.health.rules.gpu;

/**
 * An hour or more in which a GPU's count of corrected errors grew; nobody knows when within it.
 *
 * @param from hours before now when it began
 * @param to hours before now when it ended; less than {@code from}
 * @param errors by how much the count grew
 */
record ErrorHour(double from, double to, double errors) {

  /** How long it was in hours: a moment of growth stands for its whole hour. */
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

  /** Errors since so many hours before now, spread evenly. */
  double errorsSince(double hours) {
    if (from <= hours) {
      return errors;
    }
    return to >= hours ? 0 : errors * (hours - to) / (from - to);
  }
}
