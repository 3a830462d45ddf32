package io.lapwing.metric;

/** One line of the page without its value. */
public record Series(Metric metric, Labels labels) {}
