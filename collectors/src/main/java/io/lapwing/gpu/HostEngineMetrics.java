package io.lapwing.gpu;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** Families about DCGM's host engine, and what it provides. */
public final class HostEngineMetrics {

  public static final Metric UP =
      gauge("lapwing_dcgm_up", "1 if DCGM's host engine responds (dcgmEntitiesGetLatestValues).");
  public static final Metric INFO =
      gauge(
          "lapwing_dcgm_info",
          "Versions of libdcgm and of the host engine, and where it is; value is always 1"
              + " (dcgmHostengineVersionInfo).",
          "library_version",
          "engine_version",
          "engine");
  public static final Metric FIELD_REJECTED =
      gauge(
          "lapwing_dcgm_field_rejected",
          "1 for a field that the host engine does not sample; others are unaffected"
              + " (dcgmWatchFields).",
          "field",
          "reason");
  public static final Metric SAMPLE_TIME =
      gauge(
          "lapwing_dcgm_sample_timestamp_seconds",
          "Time of the host engine's latest sample, of the GPU with the oldest one"
              + " (dcgmEntitiesGetLatestValues).");
  public static final Metric ACTIVITY_INFO =
      gauge(
          "lapwing_gpu_activity_info",
          "Source of the activity (DCGM_FI_PROF_*) of a GPU without GPM: dcgm, or none and the"
              + " reason; value is always 1 (--dcgm.engine).",
          "gpu",
          "UUID",
          "source",
          "reason");
  public static final Metric HEALTH_INFO =
      gauge(
          "lapwing_gpu_dcgm_health_info",
          "Source of the results of health watches (DCGM_EXP_GPU_HEALTH_STATUS) of a GPU: dcgm, or"
              + " none and the reason; absent without DCGM; value is always 1 (--dcgm.engine).",
          "gpu",
          "UUID",
          "source",
          "reason");
  public static final Metric IMEX_DOMAIN_STATE =
      gauge(
          "lapwing_imex_domain_state",
          "1 for the state of the node's IMEX domain: UP, DOWN, DEGRADED, NOT_INSTALLED,"
              + " NOT_CONFIGURED or UNAVAILABLE, read by DCGM once a minute (DCGM field 1502).",
          "state");
  public static final Metric IMEX_DAEMON_STATE =
      gauge(
          "lapwing_imex_daemon_state",
          "1 for the state of the node's IMEX daemon, such as READY, WAITING_FOR_PEERS,"
              + " NOT_INSTALLED or NOT_CONFIGURED, read by DCGM once a minute (DCGM field 1503).",
          "state");
  public static final Metric POLICY_VIOLATIONS =
      counter(
          "lapwing_gpu_dcgm_policy_violations_total",
          "Violations of a policy that is set in DCGM (dcgmi policy --set), as often as DCGM reports"
              + " them: mostly again every 10 seconds while a limit is exceeded. Absent for"
              + " conditions without a policy (dcgmPolicyRegister_v2).",
          "gpu",
          "UUID",
          "condition");

  private HostEngineMetrics() {}
}
