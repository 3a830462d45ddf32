package io.lapwing.collect;

/** How often a collector runs; the configuration gives each its seconds. */
public enum Cadence {
  /** Values that follow the workload: utilisation, power, clocks. Default 5 s. */
  FAST,
  /** Counters and temperatures. Default 10 s. */
  MEDIUM,
  /** Values that rarely change or are expensive to read. Default 60 s. */
  SLOW
}
