package io.lapwing.lustre;

import io.lapwing.linux.KernelText;
import java.util.List;

/** Files of clients of several versions. */
final class SomeFiles {

  static final String LLITE_2_12 =
      """
      snapshot_time             1690000000.123456789 secs.nsecs
      read_bytes                1234 samples [bytes] 4096 4194304 123456789
      write_bytes               567 samples [bytes] 1 1048576 59453440
      brw_read                  88 samples [pages] 1 256 20480
      ioctl                     10 samples [regs]
      open                      4201 samples [regs]
      inode_permission          52110 samples [regs]
      """;

  static final String LLITE_2_15 =
      """
      snapshot_time             1690000000.123456789 secs.nsecs
      start_time                1689990000.000000001 secs.nsecs
      elapsed_time              10000.123456788 secs.nsecs
      read_bytes                1234 samples [bytes] 4096 4194304 1234567890 4561237891234567
      write_bytes               567 samples [bytes] 1 1048576 59453440 58720256000000
      read                      1234 samples [usecs] 21 81233 912344 45612378912
      write                     567 samples [usecs] 8 4120 60123 9112233
      open                      4201 samples [usecs] 90 120034 1402233 33445566778
      getxattr_hits             300 samples [reqs]
      """;

  static final String OSC_STATS =
      """
      snapshot_time             1690000000.223456789 secs.nsecs
      req_waittime              98123 samples [usecs] 41 1203344 81233445 900112233445
      req_active                98123 samples [reqs] 1 32 301122 2201133
      read_bytes                61011 samples [bytes] 4096 4194304 201122334455 811223344556677
      ost_read                  61011 samples [usecs] 120 1203344 61223344 801122334455
      obd_ping                  400 samples [usecs] 60 1900 60011 12003344
      """;

  static final String READ_AHEAD_2_12 =
      """
      snapshot_time             1690000000.123456789 secs.nsecs
      hits                      9120 samples [pages]
      misses                    12 samples [pages]
      readpage not consecutive  3 samples [pages]
      read-ahead to EOF         7 samples [pages]
      hit max r-a issue         5 samples [pages]
      """;

  static final String READ_AHEAD_2_15 =
      """
      snapshot_time             1690000000.123456789 secs.nsecs
      hits                      9120 samples [pages]
      readpage_not_consecutive  3 samples [pages]
      read-ahead_to_EOF         7 samples [pages]
      async_readahead           2 samples [pages]
      """;

  static final String IMPORT_2_15 =
      """
      import:
          name: scratch-OST0000-osc-ffff9d0c12345000
          target: scratch-OST0000_UUID
          state: FULL
          connect_flags: [ write_grant, server_lock, version ]
          connect_data:
             flags: 0xa0425af2e3440478
             instance: 12
             target_version: 2.15.3.0
             initial_grant: 8437760
          import_flags: [ replayable, pingable, connect_tried ]
          connection:
             failover_nids: [ 10.0.1.15@tcp, 10.0.1.16@tcp ]
             current_connection: 10.0.1.15@tcp
             connection_attempts: 1
             generation: 1
             in-progress_invalidations: 0
             idle: 3 sec
          rpcs:
             inflight: 2
             unregistering: 0
             timeouts: 4
             avg_waittime: 827 usecs
          service_estimates:
             services: 1 sec
             network: 2 sec
          transactions:
             last_replay: 0
             peer_committed: 4295012345
          read_data_averages:
             bytes_per_rpc: 3296544
             usecs_per_rpc: 1003
             MB_per_sec: 3286.68
      """;

  static final String IMPORT_2_16 =
      """
      import:
          name: scratch-OST0000-osc-ffff9d0c12345000
          target: scratch-OST0000_UUID
          state: IDLE
          connection:
             failover_nids: [ "10.0.1.15@efa", "10.0.1.16@efa" ]
             nids_stats:
                "10.0.1.15@efa": { connects: 3, replied: 2, uptodate: true, sec_ago: 37 }
             current_connection: "10.0.1.15@efa"
             connection_attempts: 3
             usecs_per_rpc: 1003
      """;

  static final String STATE =
      """
      current_state: FULL
      state_history:
       - [ 1689990000, CONNECTING ]
       - [ 1689990000, FULL ]
       - [ 1689999000, DISCONN ]
       - [ 1689999025, CONNECTING ]
       - [ 1689999026, EVICTED ]
       - [ 1689999026, RECOVER ]
       - [ 1689999026, FULL ]
      """;

  static final String TIMEOUTS =
      """
      last reply : 1690000000, 3s ago
      network    : cur   1  worst   1 (at 1689990000, 10000s ago)    1   1   1   1
      portal 28  : cur   1  worst   1 (at 1689990000, 10000s ago)    1   1   1   1
      portal 6   : cur   5  worst  12 (at 1689995000, 5000s ago)    1   1   1   1
      """;

  static final String OSC_RPC_STATS =
      """
      snapshot_time:            1690000000.123456789 secs.nsecs
      start_time:               1689990000.123456789 secs.nsecs
      elapsed_time:             10000.000000000 secs.nsecs
      read RPCs in flight:  2
      write RPCs in flight: 0
      pending write pages:  0
      pending read pages:   0

      \t\t\tread\t\t\twrite
      pages per rpc         rpcs   % cum % |       rpcs   % cum %
      1:\t\t       120   3   3   |         10   0   0
      2:\t\t        11   0   3   |          0   0   0
      1024:\t\t      3500  96 100   |      30000  99 100

      \t\t\tread\t\t\twrite
      rpcs in flight        rpcs   % cum % |       rpcs   % cum %
      1:\t\t       900  24  24   |      28000  93  93
      8:\t\t      2731  75 100   |       2010   6 100

      \t\t\tread\t\t\twrite
      offset                rpcs   % cum % |       rpcs   % cum %
      0:\t\t      3631 100 100   |      30010 100 100
      """;

  static final String MDC_RPC_STATS =
      """
      snapshot_time:         1510950459.783304874 (secs.nsecs)
      modify_RPCs_in_flight:  0

      \t\t\tmodify
      rpcs in flight        rpcs   % cum %
      0:\t\t         0   0   0
      1:\t\t        90  45  45
      7:\t\t       110  55 100

      \t\t\tread\t\t\twrite
      pages per rpc         rpcs   % cum % |       rpcs   % cum %
      1:\t\t         0   0   0   |          0   0   0

      \t\t\tread\t\t\twrite
      rpcs in flight        rpcs   % cum % |       rpcs   % cum %
      0:\t\t         0   0   0   |          0   0   0
      """;

  static final String MAX_CACHED_MB =
      """
      users: 5
      max_cached_mb: 64234
      used_mb: 812
      unused_mb: 63422
      reclaim_count: 0
      max_read_ahead_mb: 256
      used_read_ahead_mb: 0
      """;

  static final List<String> ALL =
      List.of(
          LLITE_2_12,
          LLITE_2_15,
          OSC_STATS,
          READ_AHEAD_2_12,
          READ_AHEAD_2_15,
          IMPORT_2_15,
          IMPORT_2_16,
          STATE,
          TIMEOUTS,
          OSC_RPC_STATS,
          MDC_RPC_STATS,
          MAX_CACHED_MB,
          "healthy\n",
          "NOT HEALTHY\n",
          "2.15.3\n",
          "262144\n");

  private SomeFiles() {}

  static KernelText text(String content) {
    return KernelText.of("file", content);
  }
}
