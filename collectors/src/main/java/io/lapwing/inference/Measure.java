package io.lapwing.inference;

import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricType;

/** What is measured, in the order of the page. */
@SuppressWarnings("ImmutableEnumChecker") // A metric is a record of lists that are copies.
enum Measure {
  TIME_TO_FIRST_TOKEN(InferenceMetrics.TIME_TO_FIRST_TOKEN),
  INTER_TOKEN_LATENCY(InferenceMetrics.INTER_TOKEN_LATENCY),
  REQUEST_DURATION(InferenceMetrics.REQUEST_DURATION),
  RUNNING(InferenceMetrics.RUNNING),
  WAITING(InferenceMetrics.WAITING),
  KV_CACHE_USAGE(InferenceMetrics.KV_CACHE_USAGE),
  PROMPT_TOKENS(InferenceMetrics.PROMPT_TOKENS),
  GENERATION_TOKENS(InferenceMetrics.GENERATION_TOKENS),
  REQUESTS_FINISHED(InferenceMetrics.REQUESTS_FINISHED),
  PREEMPTIONS(InferenceMetrics.PREEMPTIONS);

  /** A gauge, a counter, or the buckets of a histogram. */
  private final Metric metric;

  private final Metric sum;
  private final Metric count;

  Measure(Metric metric) {
    this.metric = metric;
    sum = metric.type() == MetricType.HISTOGRAM ? metric.sum() : metric;
    count = metric.type() == MetricType.HISTOGRAM ? metric.count() : metric;
  }

  boolean isHistogram() {
    return metric.type() == MetricType.HISTOGRAM;
  }

  /** The very same object each time, as for the others: a series is known again by it. */
  Metric metric() {
    return metric;
  }

  Metric sum() {
    return sum;
  }

  Metric count() {
    return count;
  }
}
