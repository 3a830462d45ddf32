package io.lapwing.metric;

public enum MetricType implements LabelWord {
  /** May go up and down. */
  GAUGE,
  /** Never decreases, except for a reset to zero. */
  COUNTER,
  /** Bucket counts; never decrease, except for a reset to zero. */
  HISTOGRAM;
}
