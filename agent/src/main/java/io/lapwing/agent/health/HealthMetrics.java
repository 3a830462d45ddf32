package io.lapwing.agent.health;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;

import io.lapwing.metric.Metric;

/** The metric families of health, the event log and the kernel log. */
public final class HealthMetrics {

  private static final String GPU = "gpu";
  private static final String UUID = "UUID";
  private static final String VERDICT = "verdict";
  private static final String ACTION = "action";
  private static final String RULE = "rule";
  private static final String SUBJECT = "subject";
  private static final String SEVERITY = "severity";
  private static final String TEST = "test";

  /** 0 on a finding that NVML could have confirmed and did not; absent from others. */
  private static final String CONFIRMED = "confirmed";

  private static final String XID_NAME = "xid_name";
  private static final String INSTANCE = "GPU_I_ID";

  private static final String DEVICE = "device";
  private static final String SXID = "sxid";
  private static final String FATAL = "fatal";

  public static final Metric NODE_VERDICT =
      gauge(
          "lapwing_node_verdict",
          "1 for the verdict on the node, 0 for the others (the worst finding).",
          VERDICT);
  public static final Metric NODE_VERDICT_SINCE =
      gauge(
          "lapwing_node_verdict_since_timestamp_seconds",
          "When the verdict on the node last changed (event log).");
  public static final Metric NODE_ACTION =
      gauge(
          "lapwing_node_action",
          "1 for the action the node requires, 0 for the others (the worst finding).",
          ACTION);
  public static final Metric NODE_ACTION_URGENCY =
      gauge(
          "lapwing_node_action_urgency",
          "1 with the time at which the action is due, now or job_end; only while the node requires an action (the worst finding).",
          "urgency");
  public static final Metric GPU_VERDICT =
      gauge(
          "lapwing_gpu_verdict",
          "1 for the verdict on the GPU, 0 for the others (its worst finding).",
          GPU,
          UUID,
          VERDICT);
  public static final Metric GPU_HARDWARE_EPISODES =
      gauge(
          "lapwing_gpu_hardware_episodes",
          "Episodes of hardware faults of the GPU within 90 days, one an hour at most (event log).",
          GPU,
          UUID);
  public static final Metric GPU_HARDWARE_SCORE =
      gauge(
          "lapwing_gpu_hardware_score",
          "Score of the hardware episodes of the last 90 days: 1 for each that required a reset, 2 for a reboot, 4 for a replacement (event log).",
          GPU,
          UUID);
  public static final Metric NODE_HARDWARE_EPISODES =
      gauge(
          "lapwing_node_hardware_episodes",
          "Episodes of hardware faults of the node within 90 days, its GPUs included (event log).");
  public static final Metric NODE_HARDWARE_SCORE =
      gauge(
          "lapwing_node_hardware_score",
          "Score of the node's hardware episodes of the last 90 days, its GPUs included: 1 for each that required a reset, 2 for a reboot, 4 for a replacement (event log).");
  public static final Metric FINDING =
      gauge(
          "lapwing_health_finding",
          "1 for each open finding; gpu is empty where its subject is not a GPU; confirmed is 0 if NVML could have confirmed an XID of the kernel log and did not, or a message is far older than the agent's first start, else absent: nothing automatic may act on it; test is 1 for a test finding, else absent; xid_name is the name of an XID, else absent; GPU_I_ID is the only MIG instance that has it, else absent; /api/v1/health has its text (the rule of that name).",
          RULE,
          SUBJECT,
          GPU,
          ACTION,
          SEVERITY,
          TEST,
          CONFIRMED,
          XID_NAME,
          INSTANCE);
  public static final Metric FINDING_SINCE =
      gauge(
          "lapwing_health_finding_since_timestamp_seconds",
          "When that finding started (the rule of that name).",
          RULE,
          SUBJECT,
          GPU,
          ACTION,
          SEVERITY,
          TEST,
          CONFIRMED,
          XID_NAME,
          INSTANCE);
  public static final Metric FINDINGS_LEFT_OUT =
      gauge(
          "lapwing_health_findings_left_out",
          "Findings without a series: the mildest beyond the limit (/api/v1/health has all).");
  public static final Metric TRENDS_LEFT_OUT =
      gauge(
          "lapwing_health_trends_left_out",
          "Counters that rules do not follow, because this node has too many of their kind (increases of counters).");
  public static final Metric MAINTENANCE =
      gauge(
          "lapwing_maintenance",
          "1 while the node is in maintenance, 0 otherwise (lapwing maintenance).");
  public static final Metric MAINTENANCE_END =
      gauge(
          "lapwing_maintenance_end_timestamp_seconds",
          "When the maintenance of the node ends, only while it is active (lapwing maintenance).");
  public static final Metric EVALUATION =
      gauge(
          "lapwing_health_evaluation_timestamp_seconds",
          "When health was last evaluated; a stalled evaluation shows here (the agent's clock).");
  public static final Metric EVENT_LOG_DURABLE =
      gauge(
          "lapwing_event_log_durable",
          "1 while events are written to disk; 0 while they are kept in memory only (--path.state).");
  public static final Metric EVENTS =
      counter(
          "lapwing_events_total", "Events since the agent started, by kind (event log).", "kind");
  public static final Metric EVENT_LOG_DROPPED =
      counter(
          "lapwing_event_log_dropped_total",
          "Events dropped because too many waited for the disk (event log).");
  public static final Metric KERNEL_LOG_READABLE =
      gauge("lapwing_kernel_log_readable", "1 while the kernel log can be read (--path.kmsg).");
  public static final Metric KERNEL_LOG_LOST =
      counter(
          "lapwing_kernel_log_lost_messages_total",
          "Messages that the kernel overwrote before they were read (--path.kmsg).");
  public static final Metric KERNEL_LOG_MESSAGES =
      counter(
          "lapwing_kernel_log_messages_total",
          "Messages of NVIDIA's drivers, and of those that may report a fault of the host, that were read (--path.kmsg).");
  public static final Metric HOST_FAULTS =
      counter(
          "lapwing_host_faults_total",
          "Faults of the host since boot, by kind (kernel log).",
          "fault");
  public static final Metric NVSWITCH_SXID_ERRORS =
      counter(
          "lapwing_nvswitch_sxid_errors_total",
          "SXids of an NVSwitch since boot, by number (kernel log).",
          DEVICE,
          SXID,
          FATAL);
  public static final Metric NVSWITCH_SXID_LAST_SEEN =
      gauge(
          "lapwing_nvswitch_sxid_last_seen_timestamp_seconds",
          "When this SXid was last seen (kernel log).",
          DEVICE,
          SXID,
          FATAL);

  public static final Metric TRAINING_LOST =
      counter(
          "lapwing_training_lost_seconds_total",
          "Step time that a rank lost, by cause; a cause needs two independent pieces of evidence; gpu is empty where the rank waited for another one, which has the cause (step records, and metrics of the node).",
          "job_id",
          "run",
          "rank",
          "local_rank",
          GPU,
          "cause");

  private HealthMetrics() {}
}
