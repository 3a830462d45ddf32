package io.lapwing.simulator;

import java.util.List;
import java.util.Locale;

/**
 * The {@code import} file of a target in the format of each version.
 *
 * @param device {@code scratch-OST0000-osc-ffff9d0c12345000}
 * @param target {@code scratch-OST0000}
 * @param nids the connected server and its failover partner
 */
record ImportText(LustreVersion version, String device, String target, List<String> nids) {
  private static final String FLAGS_OF_OST =
      "write_grant, server_lock, version, request_portal, truncate_lock, max_byte_per_rpc, "
          + "early_lock_cancel, adaptive_timeouts, lru_resize, alt_checksum_algorithm, "
          + "fid_is_enabled, version_recovery, full20, layout_lock, 64bithash, object_max_bytes, "
          + "jobstats, einprogress, grant_param, lvb_type, lfsck, bulk_mbits";
  private static final String FLAGS_OF_MDT =
      "version, acl, create_on_write, inode_bit_locks, getattr_by_fid, no_oh_for_devices, "
          + "max_byte_per_rpc, early_lock_cancel, adaptive_timeouts, lru_resize, fid_is_enabled, "
          + "version_recovery, pools, large_ea, full20, layout_lock, 64bithash, jobstats, umask, "
          + "einprogress, lvb_type, flock_deadlock, disp_stripe, open_by_fid, lfsck, "
          + "multi_mod_rpcs, dir_stripe, subtree, bulk_mbits, second_flags, file_secctx";

  private static final String DATA_OF_OST =
      """
             initial_grant: 8437760
             max_brw_size: 4194304
             grant_block_size: 4096
             cksum_types: 0xf7
             max_object_bytes: 17592186040320
      """;
  private static final String DATA_OF_MDT =
      """
             max_brw_size: 1048576
             ibits_known: 0x3f
             max_easize: 32768
             max_mod_rpcs: 8
      """;

  /** The variable parts. */
  record Now(
      ImportHistory history,
      int inFlight,
      int timeouts,
      long averageMicros,
      long transaction,
      StatsLine readBytes,
      StatsLine reads,
      StatsLine writeBytes,
      StatsLine writes) {}

  private boolean ost() {
    return target.contains("-OST");
  }

  String text(Now now) {
    StringBuilder text = new StringBuilder(2048);
    text.append("import:\n    name: ").append(device);
    text.append("\n    target: ").append(target).append("_UUID\n    state: ");
    text.append(now.history.current()).append("\n    connect_flags: [ ");
    text.append(ost() ? FLAGS_OF_OST : FLAGS_OF_MDT).append(" ]\n");
    connectData(text);
    text.append("    import_flags: [ replayable, pingable, connect_tried ]\n");
    connection(text, now);
    text.append("    rpcs:\n       inflight: ").append(now.inFlight);
    text.append("\n       unregistering: 0\n       timeouts: ").append(now.timeouts);
    text.append("\n       avg_waittime: ").append(now.averageMicros);
    text.append(' ').append(version.microseconds()).append('\n');
    text.append("    service_estimates:\n       services: 1 sec\n       network: 1 sec\n");
    text.append("    transactions:\n       last_replay: 0\n       peer_committed: ");
    text.append(now.transaction).append("\n       last_checked: ").append(now.transaction);
    text.append('\n');
    averages(text, "read", now.readBytes, now.reads);
    averages(text, "write", now.writeBytes, now.writes);
    return text.toString();
  }

  private void connectData(StringBuilder text) {
    text.append("    connect_data:\n       flags: ");
    text.append(ost() ? "0xa0425af2e3440478" : "0xae784e79c344d2a0")
        .append("\n       instance: 12");
    text.append("\n       target_version: ").append(version.release()).append(".0\n");
    text.append(ost() ? DATA_OF_OST : DATA_OF_MDT);
  }

  private void connection(StringBuilder text, Now now) {
    ImportHistory history = now.history;
    List<String> written = nids.stream().map(this::nid).toList();
    text.append("    connection:\n       failover_nids: [ ");
    text.append(String.join(", ", written)).append(" ]\n");
    if (version.since(LustreVersion.V2_16)) {
      text.append("       nids_stats:");
      for (int i = 0; i < written.size(); i++) {
        text.append("\n          ").append(written.get(i)).append(": { connects: ");
        text.append(i == 0 ? history.attempts() : 0).append(", replied: ");
        text.append(i == 0 && history.full() ? history.attempts() : 0);
        text.append(", uptodate: true, sec_ago: ").append(i == 0 ? "3600 }" : "never }");
      }
      text.append('\n');
    }
    text.append("       current_connection: ").append(written.get(0));
    text.append("\n       connection_attempts: ").append(history.attempts());
    text.append("\n       generation: ").append(history.generation());
    text.append("\n       in-progress_invalidations: 0\n");
    if (version.since(LustreVersion.V2_12)) {
      text.append("       idle: 0 sec\n");
    }
  }

  private String nid(String nid) {
    return version.since(LustreVersion.V2_16) ? '"' + nid + '"' : nid;
  }

  /** Omitted if it never happened. */
  private void averages(StringBuilder text, String what, StatsLine bytes, StatsLine rpcs) {
    if ((long) bytes.count() == 0) {
      return;
    }
    double each = bytes.sum() / bytes.count();
    double micros = rpcs.sum() / rpcs.count();
    text.append("    ").append(what).append("_data_averages:\n       bytes_per_rpc: ");
    text.append((long) each).append("\n       ").append(version.microseconds());
    text.append("_per_rpc: ").append((long) micros).append("\n       MB_per_sec: ");
    text.append(String.format(Locale.ROOT, "%.2f", each / micros)).append('\n');
  }
}
