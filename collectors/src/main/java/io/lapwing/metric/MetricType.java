package io.lapwing.metric;

import java.util.Locale;

public enum MetricType {
  /** May go up and down. */
  GAUGE,
  /** Never decreases, except for a reset to zero. */
  COUNTER,
  /** Bucket counts; never decrease, except for a reset to zero. */
  HISTOGRAM;

  /** The word in a {@code # TYPE} line of the text format 0.0.4. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
