package io.lapwing.lustre;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;
import static io.lapwing.metric.Metric.histogram;

import io.lapwing.metric.Metric;
import java.util.List;
import java.util.stream.Stream;

/** The families of the Lustre client; targets as labels in {@link LustreDetail#FULL}. */
public final class LustreMetrics {

  private static final String FS = "fs";
  private static final String TARGET = "target";
  private static final String OPERATION = "operation";

  public static final Metric CLIENT_INFO =
      gauge(
          "lapwing_lustre_client_info",
          "Version of the Lustre modules; value is always 1 (version).",
          "version");
  public static final Metric HEALTHY =
      gauge(
          "lapwing_lustre_healthy",
          "1 if the modules report healthy; a disconnected target does not change it (health_check).");
  public static final Metric LBUG =
      gauge(
          "lapwing_lustre_lbug",
          "1 after an assertion of the modules failed: the affected threads are stuck until a reboot (health_check).");
  public static final Metric MEMORY_USED =
      gauge("lapwing_lustre_memory_used_bytes", "Memory allocated by the modules (memused).");
  public static final Metric MEMORY_MAX =
      gauge(
          "lapwing_lustre_memory_max_bytes", "Peak memory allocated by the modules (memused_max).");
  public static final Metric FILE_SYSTEMS =
      gauge("lapwing_lustre_file_systems", "Mounted Lustre file systems (llite).");
  public static final Metric DEBUGFS_READABLE =
      gauge(
          "lapwing_lustre_debugfs_readable",
          "1 if the counters of the client can be read; 0 if they are in a debugfs that is not readable or not mounted (llite/*/stats).");

  public static final Metric MOUNTS =
      fsGauge("lapwing_lustre_mounts", "Mounts of a file system on this node (llite).");
  public static final Metric READ_BYTES =
      fsCounter(
          "lapwing_lustre_read_bytes_total",
          "Bytes that applications read (read_bytes of llite/*/stats).");
  public static final Metric WRITE_BYTES =
      fsCounter(
          "lapwing_lustre_write_bytes_total",
          "Bytes that applications wrote (write_bytes of llite/*/stats).");
  public static final Metric OPERATIONS =
      fsCounter(
          "lapwing_lustre_operations_total",
          "Operations of applications on a file system (llite/*/stats).",
          OPERATION);
  public static final Metric OPERATION_SECONDS =
      fsCounter(
          "lapwing_lustre_operation_seconds_total",
          "Time spent in operations of applications; clients 2.15 and newer (llite/*/stats).",
          OPERATION);
  public static final Metric READ_AHEAD =
      fsCounter(
          "lapwing_lustre_read_ahead_pages_total",
          "Pages by result of read-ahead (llite/*/read_ahead_stats).",
          "event");
  public static final Metric STATAHEAD =
      fsCounter(
          "lapwing_lustre_statahead_total",
          "Statahead runs of directory listings, and how many were wrong (llite/*/statahead_stats).",
          "event");
  public static final Metric CACHE_LIMIT =
      fsGauge(
          "lapwing_lustre_cache_limit_bytes",
          "Limit of the page cache of a file system (max_cached_mb of llite/*/max_cached_mb).");
  public static final Metric CACHE_USED =
      fsGauge(
          "lapwing_lustre_cache_used_bytes",
          "Page cache used by a file system (used_mb of llite/*/max_cached_mb).");
  public static final Metric CACHE_RECLAIMS =
      fsCounter(
          "lapwing_lustre_cache_reclaims_total",
          "Times that pages were reclaimed to make room for others (reclaim_count of llite/*/max_cached_mb).");
  public static final Metric TARGETS =
      fsGauge("lapwing_lustre_targets", "Targets of a file system (osc and mdc).");

  public static final Metric CONNECTED =
      targetGauge(
          "lapwing_lustre_import_connected",
          "1 if a target is connected or idle: FULL or IDLE for every mount (osc/*/import, mdc/*/import).");
  public static final Metric STATE =
      targetGauge(
          "lapwing_lustre_import_state",
          "State of the newest mount's connection to a target; value is always 1 (osc/*/import, mdc/*/import).",
          "state");
  public static final Metric TARGET_INFO =
      targetGauge(
          "lapwing_lustre_target_info",
          "Server that a target is connected to, with its network and version; value is always 1 (osc/*/import, mdc/*/import).",
          "nid",
          "network",
          "server_version");
  public static final Metric IN_FLIGHT =
      targetGauge(
          "lapwing_lustre_rpcs_in_flight",
          "RPCs in flight to a target (inflight of osc/*/import, mdc/*/import).");
  public static final Metric IN_FLIGHT_LIMIT =
      targetGauge(
          "lapwing_lustre_rpcs_in_flight_limit",
          "Limit of RPCs in flight to a target (osc/*/max_rpcs_in_flight, mdc/*/max_rpcs_in_flight).");
  public static final Metric RPC_WAIT =
      targetCounter(
          "lapwing_lustre_rpc_wait_seconds_total",
          "Time from sending RPCs to a target until their replies (req_waittime of osc/*/stats, mdc/*/stats).");
  public static final Metric RPCS =
      targetCounter(
          "lapwing_lustre_rpcs_total",
          "RPCs that a target replied to (req_waittime of osc/*/stats, mdc/*/stats).");
  public static final Metric AVERAGE_WAIT =
      targetGauge(
          "lapwing_lustre_rpc_average_wait_seconds",
          "Mean time until a target replied, since the mount (avg_waittime of osc/*/import, mdc/*/import).");
  public static final Metric RPC_TIMEOUTS =
      targetCounter(
          "lapwing_lustre_rpc_timeouts_total",
          "RPCs to a target that timed out (timeouts of osc/*/import, mdc/*/import).");
  public static final Metric CONNECTION_ATTEMPTS =
      targetCounter(
          "lapwing_lustre_connection_attempts_total",
          "Attempts to connect to a target (connection_attempts of osc/*/import, mdc/*/import).");
  public static final Metric EVICTIONS =
      targetCounter(
          "lapwing_lustre_evictions_total",
          "Evictions of this client by a target: open files fail and unwritten data is lost (osc/*/state, mdc/*/state).");
  public static final Metric RECONNECTS =
      targetCounter(
          "lapwing_lustre_reconnects_total",
          "Times that a lost connection was restored; waking from idle does not count (osc/*/state, mdc/*/state).");
  public static final Metric LAST_EVICTION =
      targetGauge(
          "lapwing_lustre_last_eviction_timestamp_seconds",
          "When a target last evicted this client, from the last 16 state changes (osc/*/state, mdc/*/state).");
  public static final Metric GRANT =
      targetGauge(
          "lapwing_lustre_grant_bytes",
          "Write cache space that a target has granted to this client (osc/*/cur_grant_bytes).");
  public static final Metric LOST_GRANT =
      targetGauge(
          "lapwing_lustre_lost_grant_bytes",
          "Bytes of grant that writes used beyond their size, until they are returned (osc/*/cur_lost_grant_bytes).");
  public static final Metric DIRTY =
      targetGauge(
          "lapwing_lustre_dirty_bytes",
          "Dirty bytes not yet written to a target (osc/*/cur_dirty_bytes).");
  public static final Metric DIRTY_LIMIT =
      targetGauge(
          "lapwing_lustre_dirty_limit_bytes",
          "Limit of dirty bytes of a target (osc/*/max_dirty_mb).");

  public static final Metric SERVICE_ESTIMATE =
      targetGauge(
          "lapwing_lustre_service_estimate_seconds",
          "Estimated service time of the slowest service of a target (osc/*/timeouts, mdc/*/timeouts).");
  public static final Metric NETWORK_ESTIMATE =
      targetGauge(
          "lapwing_lustre_network_estimate_seconds",
          "Estimated network latency to a target (osc/*/timeouts, mdc/*/timeouts).");
  public static final Metric LAST_REPLY =
      targetGauge(
          "lapwing_lustre_last_reply_timestamp_seconds",
          "Time of the last reply from a target (osc/*/timeouts, mdc/*/timeouts).");
  public static final Metric CACHED =
      targetGauge(
          "lapwing_lustre_cached_bytes",
          "Bytes of a target in the page cache (used_mb of osc/*/osc_cached_mb).");
  public static final Metric LOCKS =
      targetGauge(
          "lapwing_lustre_locks",
          "Locks of a target that this client holds (ldlm/namespaces/*/lock_count).");

  public static final Metric RPC_OPERATIONS =
      fsCounter(
          "lapwing_lustre_rpc_operations_total",
          "RPCs that targets replied to, by operation (osc/*/stats, mdc/*/stats).",
          OPERATION);
  public static final Metric RPC_OPERATION_SECONDS =
      fsCounter(
          "lapwing_lustre_rpc_operation_seconds_total",
          "Time until RPCs were replied to, by operation (osc/*/stats, mdc/*/stats).",
          OPERATION);
  public static final Metric RPC_BYTES =
      fsCounter(
          "lapwing_lustre_rpc_bytes_total",
          "Bytes transferred by RPCs (read_bytes and write_bytes of osc/*/stats, mdc/*/stats).",
          OPERATION);
  public static final Metric RPC_PAGES =
      histogram(
          "lapwing_lustre_rpc_pages",
          "RPCs by number of pages (osc/*/rpc_stats, mdc/*/rpc_stats).",
          FS,
          OPERATION);
  public static final Metric RPC_CONCURRENCY =
      histogram(
          "lapwing_lustre_rpc_concurrency",
          "RPCs by number of RPCs in flight to the target when they were sent (osc/*/rpc_stats, mdc/*/rpc_stats).",
          FS,
          OPERATION);

  public static final Metric SIZE =
      fsGauge("lapwing_lustre_size_bytes", "Size of a file system (llite/*/kbytestotal).");
  public static final Metric FREE =
      fsGauge("lapwing_lustre_free_bytes", "Free bytes of a file system (llite/*/kbytesfree).");
  public static final Metric AVAILABLE =
      fsGauge("lapwing_lustre_available_bytes", "Bytes available to users (llite/*/kbytesavail).");
  public static final Metric FILES =
      fsGauge("lapwing_lustre_files", "Inodes of a file system (llite/*/filestotal).");
  public static final Metric FILES_FREE =
      fsGauge("lapwing_lustre_files_free", "Free inodes of a file system (llite/*/filesfree).");
  public static final Metric TARGET_SIZE =
      targetGauge(
          "lapwing_lustre_target_size_bytes",
          "Size of a target (osc/*/kbytestotal, mdc/*/kbytestotal).");
  public static final Metric TARGET_AVAILABLE =
      targetGauge(
          "lapwing_lustre_target_available_bytes",
          "Bytes of a target available to users: writes to a full target fail although the file system has space (osc/*/kbytesavail, mdc/*/kbytesavail).");

  private LustreMetrics() {}

  private static Metric fsGauge(String name, String help) {
    return gauge(name, help, FS);
  }

  private static Metric fsCounter(String name, String help, String... more) {
    return counter(name, help, labels(List.of(FS), more));
  }

  private static Metric targetGauge(String name, String help, String... more) {
    return gauge(name, help, labels(List.of(FS, TARGET), more));
  }

  private static Metric targetCounter(String name, String help) {
    return counter(name, help, FS, TARGET);
  }

  private static String[] labels(List<String> first, String... more) {
    return Stream.concat(first.stream(), Stream.of(more)).toArray(String[]::new);
  }
}
