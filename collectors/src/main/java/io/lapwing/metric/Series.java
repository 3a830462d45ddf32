package io.lapwing.metric;

/** One line of the metrics page without its value. */
public record Series(Metric metric, Labels labels) {}
