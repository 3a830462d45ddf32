package io.lapwing.collect;

/** How often a collector runs; the configuration gives each its seconds. */
public enum Cadence {
  /**
   * Cheap checks with a result that a user is waiting for, such as discovering a new rank. Every
   * second, or at the interval of {@link #FAST} if that is shorter.
   */
  QUICK,
  /** Values that follow the workload: utilisation, power, clocks. Default 5 s. */
  FAST,
  /** Counters and temperatures. Default 10 s. */
  MEDIUM,
  /** Values that rarely change or are expensive to read. Default 60 s. */
  SLOW
}
