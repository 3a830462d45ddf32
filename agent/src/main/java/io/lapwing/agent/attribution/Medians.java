package io.lapwing.agent.attribution;

/** The middle of numbers. */
final class Medians {

  private Medians() {}

  /** Of at least one, in ascending order. */
  static double of(double... sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
