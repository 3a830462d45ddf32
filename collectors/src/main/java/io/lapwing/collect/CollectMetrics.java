package io.lapwing.collect;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** What the agent says of its own reading. */
public final class CollectMetrics {

  private static final String COLLECTOR = "collector";

  public static final Metric BUILD_INFO =
      gauge(
          "lapwing_build_info",
          "1, with the version of the agent and of its Java runtime.",
          "version",
          "revision",
          "java_version");
  public static final Metric CONFIG_RELOADED =
      gauge(
          "lapwing_config_last_reload_successful",
          "1 where the configuration was in order when it was last read, 0 where an older one holds.");
  public static final Metric CONFIG_RELOAD_TIME =
      gauge(
          "lapwing_config_last_reload_success_timestamp_seconds",
          "When the configuration that holds was read.");
  public static final Metric SUCCESS =
      gauge(
          "lapwing_collector_success",
          "1 where the last run succeeded on every source it reads; nothing to read is a success.",
          COLLECTOR);
  public static final Metric DURATION =
      gauge(
          "lapwing_collector_duration_seconds",
          "How long the last run took, on the source where it took longest.",
          COLLECTOR);
  public static final Metric LAST_SUCCESS =
      gauge(
          "lapwing_collector_last_success_timestamp_seconds",
          "When the last run succeeded, on the source where that is longest ago; 0 before the first.",
          COLLECTOR);
  public static final Metric OVERDUE =
      gauge(
          "lapwing_collector_overdue_sources",
          "Sources on which this collector should have run again by now.",
          COLLECTOR);
  public static final Metric READ_ERRORS =
      counter(
          "lapwing_collector_read_errors_total",
          "Reads that failed, by reason; what a device does not have is no failure.",
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
          "For how long the call that hangs has been outstanding; 0 while none hangs.",
          "source");
  public static final Metric SERIES =
      gauge("lapwing_page_series", "Series that the collectors put on the page.");

  private CollectMetrics() {}
}
