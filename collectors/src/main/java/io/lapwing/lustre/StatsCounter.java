package io.lapwing.lustre;

import java.util.OptionalDouble;

/**
 * One line of a {@code stats} file. Its least, its most and its sum of squares are left out: they
 * are since the file was cleared, which no query can make use of.
 *
 * @param name in snake case
 * @param count how many samples
 * @param unit of the sum, as of 2.15: {@code usecs}, {@code bytes}, {@code pages}, {@code reqs} ...
 * @param sum of the samples in that unit; empty for a line that only counts
 */
record StatsCounter(String name, double count, String unit, OptionalDouble sum) {

  private static final double MICROSECONDS = 1e6;

  boolean isTime() {
    return unit.equals("usecs") || unit.equals("secs");
  }

  /** By what a sum is to be divided to be in seconds, bytes or pieces. */
  double perBaseUnit() {
    return unit.equals("usecs") ? MICROSECONDS : 1;
  }
}
