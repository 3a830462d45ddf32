package io.lapwing.collect;

/** How often a collector runs; the configuration gives each its seconds. */
public enum Cadence {
  /**
   * What somebody waits for who has just begun something, and costs next to nothing to look at.
   * Every second, or as often as {@link #FAST} where that is more often.
   */
  QUICK,
  /** What moves with the work: utilisation, power, clocks. 5 s unless configured. */
  FAST,
  /** Counters and temperatures. 10 s unless configured. */
  MEDIUM,
  /** What hardly moves or costs more to read. 60 s unless configured. */
  SLOW
}
