package io.lapwing.dashboards;

import java.util.Arrays;
import java.util.List;

/** Thousands of ranks or nodes as five lines: their extremes, median and the middle 80 %. */
final class Bands {

  /** Names of the lines, which {@link FieldJson} fills the space between, with their quantiles. */
  private static final List<String> NAMES = List.of("max", "p90", "median", "p10", "min");

  private static final List<String> QUANTILES = List.of("1", "0.9", "0.5", "0.1", "0");

  private Bands() {}

  /**
   * Of a recording with a label {@code quantile}.
   *
   * @param recorded such as {@code job_id_quantile:x:mean5m}
   */
  static Query[] recorded(String recorded) {
    Query[] queries = new Query[NAMES.size()];
    for (int i = 0; i < queries.length; i++) {
      String selector = recorded + "{job, quantile=\"" + QUANTILES.get(i) + "\"}";
      queries[i] = Query.lines("max(" + selector + ")", NAMES.get(i));
    }
    return queries;
  }

  /** Of the series of a vector. */
  static Query[] of(String vector) {
    return new Query[] {
      Query.lines("max(" + vector + ")", "max"),
      Query.lines("quantile(0.9, " + vector + ")", "p90"),
      Query.lines("quantile(0.5, " + vector + ")", "median"),
      Query.lines("quantile(0.1, " + vector + ")", "p10"),
      Query.lines("min(" + vector + ")", "min")
    };
  }

  /** Of a histogram: rates or counts by bucket. */
  static Query[] ofHistogram(String buckets) {
    Query[] queries = new Query[NAMES.size()];
    for (int i = 0; i < queries.length; i++) {
      queries[i] =
          Query.lines(
              "histogram_quantile(" + QUANTILES.get(i) + ", " + buckets + ")", NAMES.get(i));
    }
    return queries;
  }

  /** With one more query. */
  static Query[] and(Query[] bands, Query more) {
    Query[] all = Arrays.copyOf(bands, bands.length + 1);
    all[bands.length] = more;
    return all;
  }
}
