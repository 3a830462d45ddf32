package io.lapwing.simulator;

/**
 * One counter of a {@code stats} file. The kernel keeps minimum and maximum since the file was
 * cleared, and omits events that never happened.
 */
final class StatsLine {
  private static final int NAME_WIDTH = 25;

  /** Relative deviation of samples from their mean. */
  private static final double LEAST = 0.35;

  private static final double MOST = 6;
  private static final double SQUARE = 1.3;
  private static final double BITS_63 = 0x1p63;

  private final String name;
  private final String unit;
  private final boolean measured;
  private final boolean squared;
  private double count;
  private double sum;
  private double squares;
  private double least = Double.MAX_VALUE;
  private double most;

  private StatsLine(String name, String unit, boolean measured, boolean squared) {
    this.name = name;
    this.unit = unit;
    this.measured = measured;
    this.squared = squared;
  }

  /** Count only. */
  static StatsLine counted(String name, String unit) {
    return new StatsLine(name, unit, false, false);
  }

  /** With minimum, maximum and sum. */
  static StatsLine summed(String name, String unit) {
    return new StatsLine(name, unit, true, false);
  }

  /** Also with the sum of squares. */
  static StatsLine squared(String name, String unit) {
    return new StatsLine(name, unit, true, true);
  }

  /**
   * Counts events.
   *
   * @param mean mean value in the unit
   */
  void add(double times, double mean) {
    if (times > 0) {
      count += times;
      sum += times * mean;
      squares += times * mean * mean * SQUARE;
      least = Math.min(least, Math.max(1, mean * LEAST));
      most = Math.max(most, mean * MOST);
    }
  }

  /** Counts events of equal value. */
  void addEqual(double times, double each) {
    add(times, each);
    if (times > 0) {
      least = each;
      most = each;
    }
  }

  void add(double times) {
    count += times;
  }

  void clear() {
    count = 0;
    sum = 0;
    squares = 0;
    least = Double.MAX_VALUE;
    most = 0;
  }

  double count() {
    return count;
  }

  double sum() {
    return sum;
  }

  void appendTo(StringBuilder text) {
    if ((long) count == 0) {
      return;
    }
    text.append(name).append(" ".repeat(Math.max(0, NAME_WIDTH - name.length())));
    text.append(' ').append((long) count).append(" samples [").append(unit).append(']');
    if (measured) {
      text.append(' ').append((long) least).append(' ').append((long) most);
      text.append(' ').append((long) sum);
    }
    if (squared) {
      text.append(' ').append(wrapped(squares));
    }
    text.append('\n');
  }

  /** Sums of squares of bytes overflow 64 bits within an hour. */
  private static String wrapped(double sum) {
    double rest = sum % (2 * BITS_63);
    return rest < BITS_63
        ? Long.toString((long) rest)
        : Long.toUnsignedString((long) (rest - BITS_63) + Long.MIN_VALUE);
  }
}
