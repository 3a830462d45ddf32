package io.lapwing.agent.attribution;

/** Medians. */
final class Medians {

  private Medians() {}

  /** The median of at least one number, in ascending order. */
  static double of(double... sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
