package io.lapwing.metric;

/** What a metric's value means over time. */
public enum MetricType {
  /** May go up and down. */
  GAUGE,
  /** Only grows, but for a reset to zero. */
  COUNTER;

  /** The word on a {@code # TYPE} line of the text format 0.0.4. */
  public String text() {
    return this == GAUGE ? "gauge" : "counter";
  }
}
