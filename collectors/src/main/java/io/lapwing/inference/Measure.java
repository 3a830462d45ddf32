package io.lapwing.inference;

import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricType;

/** The measures, in the order of exposition. */
@SuppressWarnings("ImmutableEnumChecker") // Metric is a record of immutable lists.
enum Measure {
  TIME_TO_FIRST_TOKEN(InferenceMetrics.TIME_TO_FIRST_TOKEN),
  INTER_TOKEN_LATENCY(InferenceMetrics.INTER_TOKEN_LATENCY),
  REQUEST_DURATION(InferenceMetrics.REQUEST_DURATION),
  QUEUE_TIME(InferenceMetrics.QUEUE_TIME),
  RUNNING(InferenceMetrics.RUNNING),
  WAITING(InferenceMetrics.WAITING),
  KV_CACHE_USAGE(InferenceMetrics.KV_CACHE_USAGE),
  PREFIX_CACHE_QUERIES(InferenceMetrics.PREFIX_CACHE_QUERIES),
  PREFIX_CACHE_HITS(InferenceMetrics.PREFIX_CACHE_HITS),
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

  /** Always the same object: series are recognized by its identity. */
  Metric metric() {
    return metric;
  }

  /** The label that distinguishes the series of one model; empty if there is one series. */
  String ownLabel() {
    if (isHistogram()) {
      return Metric.LE;
    }
    return this == REQUESTS_FINISHED ? InferenceMetrics.REASON : "";
  }

  Metric sum() {
    return sum;
  }

  Metric count() {
    return count;
  }

  /** How several series of one engine and model are combined. */
  enum Fold {
    /** Series that count disjoint requests, by engine index, finish reason or endpoint. */
    SUM,
    /** Usage of several caches: the fullest one limits the engine. */
    MAX,
    /**
     * SGLang's schedulers: those of one worker and {@code dp_rank} count the same requests, so one
     * of them is taken; different ranks are added. With priorities, the series without one is the
     * total.
     */
    REPLICAS
  }
}
