package io.lapwing.lustre;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;
import static io.lapwing.metric.Metric.histogram;

import io.lapwing.metric.Metric;

/**
 * The families of the Lustre client. Those of operations and the histograms carry a target behind
 * the file system where everything of each target is told ({@link LustreDetail#FULL}).
 */
public final class LustreMetrics {

  private static final String FS = "fs";
  private static final String TARGET = "target";
  private static final String OPERATION = "operation";

  public static final Metric CLIENT_INFO =
      gauge(
          "lapwing_lustre_client_info", "1, with the version of the modules (version).", "version");
  public static final Metric HEALTHY =
      gauge(
          "lapwing_lustre_healthy",
          "1 while the modules say that they are healthy; a target that is away does not change that (health_check).");
  public static final Metric LBUG =
      gauge(
          "lapwing_lustre_lbug",
          "1 once an assertion of the modules has failed: until a reboot, what met it stands still (health_check).");
  public static final Metric MEMORY_USED =
      gauge(
          "lapwing_lustre_memory_used_bytes", "Memory that the modules have allocated (memused).");
  public static final Metric MEMORY_MAX =
      gauge(
          "lapwing_lustre_memory_max_bytes",
          "The most memory that the modules have had allocated (memused_max).");
  public static final Metric FILE_SYSTEMS =
      gauge("lapwing_lustre_file_systems", "Lustre file systems that are mounted (llite).");
  public static final Metric DEBUGFS_READABLE =
      gauge(
          "lapwing_lustre_debugfs_readable",
          "1 while the counters of the client can be read, 0 where they lie in a debugfs that is closed or not mounted (llite/*/stats).");

  public static final Metric MOUNTS =
      gauge("lapwing_lustre_mounts", "How often a file system is mounted here (llite).", FS);
  public static final Metric READ_BYTES =
      counter(
          "lapwing_lustre_read_bytes_total",
          "Bytes that applications read (read_bytes of llite/*/stats).",
          FS);
  public static final Metric WRITE_BYTES =
      counter(
          "lapwing_lustre_write_bytes_total",
          "Bytes that applications wrote (write_bytes of llite/*/stats).",
          FS);
  public static final Metric OPERATIONS =
      counter(
          "lapwing_lustre_operations_total",
          "Operations of applications on a file system (llite/*/stats).",
          FS,
          OPERATION);
  public static final Metric OPERATION_SECONDS =
      counter(
          "lapwing_lustre_operation_seconds_total",
          "Time that operations of applications took, on clients from 2.15 on (llite/*/stats).",
          FS,
          OPERATION);
  public static final Metric READ_AHEAD =
      counter(
          "lapwing_lustre_read_ahead_pages_total",
          "Pages by what became of reading ahead (llite/*/read_ahead_stats).",
          FS,
          "event");
  public static final Metric STATAHEAD =
      counter(
          "lapwing_lustre_statahead_total",
          "How often attributes were fetched ahead of a directory listing, and how often wrongly (llite/*/statahead_stats).",
          FS,
          "event");
  public static final Metric CACHE_LIMIT =
      gauge(
          "lapwing_lustre_cache_limit_bytes",
          "Memory that the pages of a file system may take (max_cached_mb of llite/*/max_cached_mb).",
          FS);
  public static final Metric CACHE_USED =
      gauge(
          "lapwing_lustre_cache_used_bytes",
          "Memory that the pages of a file system take (used_mb of llite/*/max_cached_mb).",
          FS);
  public static final Metric CACHE_RECLAIMS =
      counter(
          "lapwing_lustre_cache_reclaims_total",
          "How often pages were dropped since there was no room for others (reclaim_count of llite/*/max_cached_mb).",
          FS);
  public static final Metric TARGETS =
      gauge("lapwing_lustre_targets", "Targets of a file system (osc and mdc).", FS);

  public static final Metric CONNECTED =
      gauge(
          "lapwing_lustre_import_connected",
          "1 while a target is connected or idle: FULL or IDLE of every mount (osc/*/import, mdc/*/import).",
          FS,
          TARGET);
  public static final Metric STATE =
      gauge(
          "lapwing_lustre_import_state",
          "1, with the state of the newest mount's connection to a target (osc/*/import, mdc/*/import).",
          FS,
          TARGET,
          "state");
  public static final Metric TARGET_INFO =
      gauge(
          "lapwing_lustre_target_info",
          "1, with the server that a target is connected to, its network and its version (osc/*/import, mdc/*/import).",
          FS,
          TARGET,
          "nid",
          "network",
          "server_version");
  public static final Metric IN_FLIGHT =
      gauge(
          "lapwing_lustre_rpcs_in_flight",
          "Requests to a target that have not been answered (inflight of osc/*/import, mdc/*/import).",
          FS,
          TARGET);
  public static final Metric IN_FLIGHT_LIMIT =
      gauge(
          "lapwing_lustre_rpcs_in_flight_limit",
          "Requests to a target that may be under way at a time (osc/*/max_rpcs_in_flight, mdc/*/max_rpcs_in_flight).",
          FS,
          TARGET);
  public static final Metric RPC_WAIT =
      counter(
          "lapwing_lustre_rpc_wait_seconds_total",
          "Time from sending requests to a target until they were answered (req_waittime of osc/*/stats, mdc/*/stats).",
          FS,
          TARGET);
  public static final Metric RPCS =
      counter(
          "lapwing_lustre_rpcs_total",
          "Requests that a target answered (req_waittime of osc/*/stats, mdc/*/stats).",
          FS,
          TARGET);
  public static final Metric AVERAGE_WAIT =
      gauge(
          "lapwing_lustre_rpc_average_wait_seconds",
          "Mean time until a target answered, since the mount (avg_waittime of osc/*/import, mdc/*/import).",
          FS,
          TARGET);
  public static final Metric RPC_TIMEOUTS =
      counter(
          "lapwing_lustre_rpc_timeouts_total",
          "Requests that a target did not answer in time (timeouts of osc/*/import, mdc/*/import).",
          FS,
          TARGET);
  public static final Metric CONNECTION_ATTEMPTS =
      counter(
          "lapwing_lustre_connection_attempts_total",
          "Attempts to connect to a target (connection_attempts of osc/*/import, mdc/*/import).",
          FS,
          TARGET);
  public static final Metric EVICTIONS =
      counter(
          "lapwing_lustre_evictions_total",
          "How often a target has shut this client out: open files fail and data not written yet is lost (osc/*/state, mdc/*/state).",
          FS,
          TARGET);
  public static final Metric RECONNECTS =
      counter(
          "lapwing_lustre_reconnects_total",
          "How often a connection that was lost came back; waking from idle is none (osc/*/state, mdc/*/state).",
          FS,
          TARGET);
  public static final Metric LAST_EVICTION =
      gauge(
          "lapwing_lustre_last_eviction_timestamp_seconds",
          "When a target shut this client out last, among the last 16 changes of its state (osc/*/state, mdc/*/state).",
          FS,
          TARGET);
  public static final Metric GRANT =
      gauge(
          "lapwing_lustre_grant_bytes",
          "Bytes that a target has promised to take from the cache at any time (osc/*/cur_grant_bytes).",
          FS,
          TARGET);
  public static final Metric LOST_GRANT =
      gauge(
          "lapwing_lustre_lost_grant_bytes",
          "Bytes of grant that writes took more than they needed, until they are given back (osc/*/cur_lost_grant_bytes).",
          FS,
          TARGET);
  public static final Metric DIRTY =
      gauge(
          "lapwing_lustre_dirty_bytes",
          "Bytes that wait to be written to a target (osc/*/cur_dirty_bytes).",
          FS,
          TARGET);
  public static final Metric DIRTY_LIMIT =
      gauge(
          "lapwing_lustre_dirty_limit_bytes",
          "Bytes that may wait to be written to a target (osc/*/max_dirty_mb).",
          FS,
          TARGET);

  public static final Metric SERVICE_ESTIMATE =
      gauge(
          "lapwing_lustre_service_estimate_seconds",
          "How long the slowest service of a target is expected to take (osc/*/timeouts, mdc/*/timeouts).",
          FS,
          TARGET);
  public static final Metric NETWORK_ESTIMATE =
      gauge(
          "lapwing_lustre_network_estimate_seconds",
          "How long the network to a target is expected to take (osc/*/timeouts, mdc/*/timeouts).",
          FS,
          TARGET);
  public static final Metric LAST_REPLY =
      gauge(
          "lapwing_lustre_last_reply_timestamp_seconds",
          "When a target answered last (osc/*/timeouts, mdc/*/timeouts).",
          FS,
          TARGET);
  public static final Metric CACHED =
      gauge(
          "lapwing_lustre_cached_bytes",
          "Bytes of a target that are in the cache (used_mb of osc/*/osc_cached_mb).",
          FS,
          TARGET);
  public static final Metric LOCKS =
      gauge(
          "lapwing_lustre_locks",
          "Locks of a target that this client holds (ldlm/namespaces/*/lock_count).",
          FS,
          TARGET);

  public static final Metric RPC_OPERATIONS =
      counter(
          "lapwing_lustre_rpc_operations_total",
          "Requests that targets answered, by what they asked for (osc/*/stats, mdc/*/stats).",
          FS,
          OPERATION);
  public static final Metric RPC_OPERATION_SECONDS =
      counter(
          "lapwing_lustre_rpc_operation_seconds_total",
          "Time until requests were answered, by what they asked for (osc/*/stats, mdc/*/stats).",
          FS,
          OPERATION);
  public static final Metric RPC_BYTES =
      counter(
          "lapwing_lustre_rpc_bytes_total",
          "Bytes that requests carried (read_bytes and write_bytes of osc/*/stats, mdc/*/stats).",
          FS,
          OPERATION);
  public static final Metric RPC_PAGES =
      histogram(
          "lapwing_lustre_rpc_pages",
          "Requests by how many pages they carried (osc/*/rpc_stats, mdc/*/rpc_stats).",
          FS,
          OPERATION);
  public static final Metric RPC_CONCURRENCY =
      histogram(
          "lapwing_lustre_rpc_concurrency",
          "Requests by how many were under way to the target when they were sent (osc/*/rpc_stats, mdc/*/rpc_stats).",
          FS,
          OPERATION);

  public static final Metric SIZE =
      gauge("lapwing_lustre_size_bytes", "Size of a file system (llite/*/kbytestotal).", FS);
  public static final Metric FREE =
      gauge("lapwing_lustre_free_bytes", "Bytes that are free (llite/*/kbytesfree).", FS);
  public static final Metric AVAILABLE =
      gauge(
          "lapwing_lustre_available_bytes",
          "Bytes that users may still take (llite/*/kbytesavail).",
          FS);
  public static final Metric FILES =
      gauge("lapwing_lustre_files", "Files that a file system may hold (llite/*/filestotal).", FS);
  public static final Metric FILES_FREE =
      gauge("lapwing_lustre_files_free", "Files that may still be made (llite/*/filesfree).", FS);
  public static final Metric TARGET_SIZE =
      gauge(
          "lapwing_lustre_target_size_bytes",
          "Size of a target (osc/*/kbytestotal, mdc/*/kbytestotal).",
          FS,
          TARGET);
  public static final Metric TARGET_AVAILABLE =
      gauge(
          "lapwing_lustre_target_available_bytes",
          "Bytes that users may still take of a target: one that is full fails writes while the file system looks fine (osc/*/kbytesavail, mdc/*/kbytesavail).",
          FS,
          TARGET);

  private LustreMetrics() {}
}
