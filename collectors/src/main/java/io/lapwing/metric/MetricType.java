package io.lapwing.metric;

import java.util.Locale;

/** What a metric's value means over time. */
public enum MetricType {
  /** May go up and down. */
  GAUGE,
  /** Only grows, but for a reset to zero. */
  COUNTER,
  /** Counts by size; only grows, but for a reset to zero. */
  HISTOGRAM;

  /** The word on a {@code # TYPE} line of the text format 0.0.4. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
