package io.lapwing.collect;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** Metrics of the collection itself. */
public final class CollectMetrics {

  private static final String COLLECTOR = "collector";

  public static final Metric BUILD_INFO =
      gauge(
          "lapwing_build_info",
          "Versions of the agent and its Java runtime; value is always 1.",
          "version",
          "revision",
          "java_version");
  public static final Metric PRESET =
      gauge(
          "lapwing_metrics_preset",
          "Preset of metric families in the scrape response; value is always 1 (--metrics).",
          "preset");
  public static final Metric CONFIG_RELOADED =
      gauge(
          "lapwing_config_last_reload_successful",
          "1 if the last configuration reload succeeded; 0 if the previous configuration is still"
              + " active.");
  public static final Metric CONFIG_RELOAD_TIME =
      gauge(
          "lapwing_config_last_reload_success_timestamp_seconds",
          "Time of the last successful configuration load.");
  public static final Metric SUCCESS =
      gauge(
          "lapwing_collector_success",
          "1 if the last run succeeded on every source; a source with nothing to read is a"
              + " success.",
          COLLECTOR);
  public static final Metric DURATION =
      gauge(
          "lapwing_collector_duration_seconds",
          "Duration of the last run on the slowest source.",
          COLLECTOR);
  public static final Metric LAST_SUCCESS =
      gauge(
          "lapwing_collector_last_success_timestamp_seconds",
          "Time of the last successful run on the source with the oldest one; 0 before the first. Below"
              + " the preset full, only of collectors whose last run failed.",
          COLLECTOR);
  public static final Metric OVERDUE =
      gauge(
          "lapwing_collector_overdue_sources",
          "Sources on which this collector is overdue. Below the preset full, only of collectors whose"
              + " last run failed.",
          COLLECTOR);
  public static final Metric READ_ERRORS =
      counter(
          "lapwing_collector_read_errors_total",
          "Failed reads by reason; an unsupported value is not a failure.",
          COLLECTOR,
          "reason");
  public static final Metric SOURCE_HUNG =
      gauge(
          "lapwing_source_hung",
          "1 while a call to this source has been outstanding for longer than the deadline.",
          "source");
  public static final Metric SOURCE_HUNG_SECONDS =
      gauge(
          "lapwing_source_hung_seconds",
          "Age of the outstanding call to a hung source; absent if the source is not hung.",
          "source");
  public static final Metric SERIES =
      gauge(
          "lapwing_page_series",
          "Series in the scrape response, without those of the agent's own process.");
  public static final Metric SOURCES_LEFT_OUT =
      gauge(
          "lapwing_page_sources_left_out",
          "Sources whose series the scrape response lacks because it would be too large.",
          "kind");
  public static final Metric SERIES_LEFT_OUT =
      gauge(
          "lapwing_page_series_left_out",
          "Series that the scrape response lacks because it would be too large.",
          "kind");

  private CollectMetrics() {}
}
