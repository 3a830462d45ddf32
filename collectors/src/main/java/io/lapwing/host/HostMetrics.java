package io.lapwing.host;

import io.lapwing.metric.Metric;

/** The metric families of pressure stall information. */
public final class HostMetrics {

  public static final Metric PRESSURE =
      Metric.counter(
          "lapwing_host_pressure_seconds_total",
          "Time during which some or all tasks were stalled on a resource (total of pressure/cpu, memory and io in procfs).",
          "resource",
          "tasks");

  private HostMetrics() {}
}
