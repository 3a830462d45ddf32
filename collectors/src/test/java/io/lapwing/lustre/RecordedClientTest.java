package io.lapwing.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.Recorded;
import io.lapwing.collect.RecordedSink;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A recorded 2.10 client: its series, line by line. */
class RecordedClientTest {

  private static final Path CLIENT = Recorded.file("lustre-2.10-client");

  private static final String SUMMARY =
      """
      lapwing_lustre_file_systems 1
      lapwing_lustre_debugfs_readable 1
      lapwing_lustre_mounts{fs="lustrefs"} 1
      lapwing_lustre_targets{fs="lustrefs"} 3
      lapwing_lustre_operations_total{fs="lustrefs",operation="alloc_inode"} 2
      lapwing_lustre_operations_total{fs="lustrefs",operation="close"} 96
      lapwing_lustre_operations_total{fs="lustrefs",operation="getattr"} 41
      lapwing_lustre_operations_total{fs="lustrefs",operation="getxattr"} 85
      lapwing_lustre_operations_total{fs="lustrefs",operation="getxattr_hits"} 20
      lapwing_lustre_operations_total{fs="lustrefs",operation="inode_permission"} 398
      lapwing_lustre_operations_total{fs="lustrefs",operation="open"} 136
      lapwing_lustre_operations_total{fs="lustrefs",operation="read"} 1
      lapwing_lustre_operations_total{fs="lustrefs",operation="readdir"} 12
      lapwing_lustre_operations_total{fs="lustrefs",operation="removexattr"} 134
      lapwing_lustre_operations_total{fs="lustrefs",operation="truncate"} 134
      lapwing_lustre_operations_total{fs="lustrefs",operation="write"} 89467810
      lapwing_lustre_read_bytes_total{fs="lustrefs"} 4194304
      lapwing_lustre_write_bytes_total{fs="lustrefs"} 93813797294080
      lapwing_lustre_statahead_total{fs="lustrefs",event="agl_total"} 0
      lapwing_lustre_statahead_total{fs="lustrefs",event="total"} 0
      lapwing_lustre_statahead_total{fs="lustrefs",event="wrong"} 0
      lapwing_lustre_cache_limit_bytes{fs="lustrefs"} 33621540864
      lapwing_lustre_cache_used_bytes{fs="lustrefs"} 5364514816
      lapwing_lustre_cache_reclaims_total{fs="lustrefs"} 0
      lapwing_lustre_size_bytes{fs="lustrefs"} 289802611064830
      lapwing_lustre_free_bytes{fs="lustrefs"} 289799255621630
      lapwing_lustre_available_bytes{fs="lustrefs"} 289792306708480
      lapwing_lustre_files{fs="lustrefs"} 430405497
      lapwing_lustre_files_free{fs="lustrefs"} 430405267
      lapwing_lustre_target_size_bytes{fs="lustrefs",target="MDT0000"} 2295302717440
      lapwing_lustre_target_available_bytes{fs="lustrefs",target="MDT0000"} 2295294197760
      lapwing_lustre_target_size_bytes{fs="lustrefs",target="OST0000"} 48300354961408
      lapwing_lustre_target_available_bytes{fs="lustrefs",target="OST0000"} 48283020951552
      lapwing_lustre_target_size_bytes{fs="lustrefs",target="OST0001"} 48300450381824
      lapwing_lustre_target_available_bytes{fs="lustrefs",target="OST0001"} 48300437798912
      lapwing_lustre_import_connected{fs="lustrefs",target="MDT0000"} 1
      lapwing_lustre_import_state{fs="lustrefs",target="MDT0000",state="full"} 1
      lapwing_lustre_target_info{fs="lustrefs",target="MDT0000",nid="172.20.20.2@o2ib",network="o2ib",server_version="2.10.1.0"} 1
      lapwing_lustre_rpcs_in_flight{fs="lustrefs",target="MDT0000"} 0
      lapwing_lustre_rpc_average_wait_seconds{fs="lustrefs",target="MDT0000"} 0.000408
      lapwing_lustre_connection_attempts_total{fs="lustrefs",target="MDT0000"} 1
      lapwing_lustre_rpc_timeouts_total{fs="lustrefs",target="MDT0000"} 0
      lapwing_lustre_evictions_total{fs="lustrefs",target="MDT0000"} 0
      lapwing_lustre_reconnects_total{fs="lustrefs",target="MDT0000"} 0
      lapwing_lustre_rpc_wait_seconds_total{fs="lustrefs",target="MDT0000"} 3.10343
      lapwing_lustre_rpcs_total{fs="lustrefs",target="MDT0000"} 7604
      lapwing_lustre_rpcs_in_flight_limit{fs="lustrefs",target="MDT0000"} 8
      lapwing_lustre_import_connected{fs="lustrefs",target="OST0000"} 1
      lapwing_lustre_import_state{fs="lustrefs",target="OST0000",state="full"} 1
      lapwing_lustre_target_info{fs="lustrefs",target="OST0000",nid="172.20.20.5@o2ib",network="o2ib",server_version="2.10.1.0"} 1
      lapwing_lustre_rpcs_in_flight{fs="lustrefs",target="OST0000"} 8
      lapwing_lustre_rpc_average_wait_seconds{fs="lustrefs",target="OST0000"} 0.006054
      lapwing_lustre_connection_attempts_total{fs="lustrefs",target="OST0000"} 1
      lapwing_lustre_rpc_timeouts_total{fs="lustrefs",target="OST0000"} 0
      lapwing_lustre_evictions_total{fs="lustrefs",target="OST0000"} 0
      lapwing_lustre_reconnects_total{fs="lustrefs",target="OST0000"} 0
      lapwing_lustre_rpc_wait_seconds_total{fs="lustrefs",target="OST0000"} 110282.569237
      lapwing_lustre_rpcs_total{fs="lustrefs",target="OST0000"} 18215581
      lapwing_lustre_grant_bytes{fs="lustrefs",target="OST0000"} 262144
      lapwing_lustre_lost_grant_bytes{fs="lustrefs",target="OST0000"} 655360
      lapwing_lustre_dirty_bytes{fs="lustrefs",target="OST0000"} 27815936
      lapwing_lustre_rpcs_in_flight_limit{fs="lustrefs",target="OST0000"} 8
      lapwing_lustre_dirty_limit_bytes{fs="lustrefs",target="OST0000"} 33554432
      lapwing_lustre_import_connected{fs="lustrefs",target="OST0001"} 1
      lapwing_lustre_import_state{fs="lustrefs",target="OST0001",state="full"} 1
      lapwing_lustre_target_info{fs="lustrefs",target="OST0001",nid="172.20.20.6@o2ib",network="o2ib",server_version="2.10.1.0"} 1
      lapwing_lustre_rpcs_in_flight{fs="lustrefs",target="OST0001"} 0
      lapwing_lustre_rpc_average_wait_seconds{fs="lustrefs",target="OST0001"} 0.000354
      lapwing_lustre_connection_attempts_total{fs="lustrefs",target="OST0001"} 1
      lapwing_lustre_rpc_timeouts_total{fs="lustrefs",target="OST0001"} 0
      lapwing_lustre_evictions_total{fs="lustrefs",target="OST0001"} 0
      lapwing_lustre_reconnects_total{fs="lustrefs",target="OST0001"} 0
      lapwing_lustre_rpc_wait_seconds_total{fs="lustrefs",target="OST0001"} 2.605721
      lapwing_lustre_rpcs_total{fs="lustrefs",target="OST0001"} 7350
      lapwing_lustre_grant_bytes{fs="lustrefs",target="OST0001"} 9699328
      lapwing_lustre_lost_grant_bytes{fs="lustrefs",target="OST0001"} 0
      lapwing_lustre_dirty_bytes{fs="lustrefs",target="OST0001"} 0
      lapwing_lustre_rpcs_in_flight_limit{fs="lustrefs",target="OST0001"} 8
      lapwing_lustre_dirty_limit_bytes{fs="lustrefs",target="OST0001"} 33554432
      lapwing_lustre_rpc_bytes_total{fs="lustrefs",operation="write"} 65298098221056
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="ldlm_cancel"} 0.010554
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_close"} 0.012404
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_connect"} 0.132365
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_get_root"} 0.00009
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_getattr"} 0.000093
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_hsm_state_set"} 0.01682
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_readpage"} 0.002905
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="mds_statfs"} 0.000993
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="obd_ping"} 6.924441
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="ost_connect"} 0.001199
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="ost_punch"} 2.942876
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="ost_statfs"} 0.0012
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="ost_write"} 110277.857878
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",operation="seq_query"} 0.121458
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="ldlm_cancel"} 30
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_close"} 11
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_connect"} 1
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_get_root"} 1
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_getattr"} 1
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_hsm_state_set"} 37
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_readpage"} 4
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="mds_statfs"} 2
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="obd_ping"} 19840
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="ost_connect"} 2
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="ost_punch"} 134
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="ost_statfs"} 4
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="ost_write"} 18210286
      lapwing_lustre_rpc_operations_total{fs="lustrefs",operation="seq_query"} 1
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="1.0"} 90
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="2.0"} 103
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="3.0"} 115
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="4.0"} 126
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="6.0"} 143
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="8.0"} 196
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="12.0"} 196
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="16.0"} 196
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="24.0"} 196
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="modify",le="+Inf"} 196
      lapwing_lustre_rpc_concurrency_count{fs="lustrefs",operation="modify"} 196
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="1.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="2.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="3.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="4.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="6.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="8.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="12.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="16.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="24.0"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="read",le="+Inf"} 0
      lapwing_lustre_rpc_concurrency_count{fs="lustrefs",operation="read"} 0
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="1.0"} 1053804
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="2.0"} 4571956
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="3.0"} 9092148
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="4.0"} 12749069
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="6.0"} 16495311
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="8.0"} 17825045
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="12.0"} 18210106
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="16.0"} 18210287
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="24.0"} 18210287
      lapwing_lustre_rpc_concurrency_bucket{fs="lustrefs",operation="write",le="+Inf"} 18210287
      lapwing_lustre_rpc_concurrency_count{fs="lustrefs",operation="write"} 18210287
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="1.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="2.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="4.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="8.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="16.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="32.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="64.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="128.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="256.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="512.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="1024.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="2048.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="4096.0"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="read",le="+Inf"} 0
      lapwing_lustre_rpc_pages_count{fs="lustrefs",operation="read"} 0
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="1.0"} 1537
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="2.0"} 3026
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="4.0"} 5902
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="8.0"} 11762
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="16.0"} 23678
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="32.0"} 48180
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="64.0"} 100081
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="128.0"} 217264
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="256.0"} 675912
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="512.0"} 1821277
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="1024.0"} 18210287
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="2048.0"} 18210287
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="4096.0"} 18210287
      lapwing_lustre_rpc_pages_bucket{fs="lustrefs",operation="write",le="+Inf"} 18210287
      lapwing_lustre_rpc_pages_count{fs="lustrefs",operation="write"} 18210287
      """;

  private static final String FULL_OF_ONE_TARGET =
      """
      lapwing_lustre_rpc_bytes_total{fs="lustrefs",target="OST0000",operation="write"} 65298098221056
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",target="OST0000",operation="ldlm_cancel"} 0.000846
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",target="OST0000",operation="obd_ping"} 1.765137
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",target="OST0000",operation="ost_connect"} 0.000603
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",target="OST0000",operation="ost_punch"} 2.942876
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",target="OST0000",operation="ost_statfs"} 0.000624
      lapwing_lustre_rpc_operation_seconds_total{fs="lustrefs",target="OST0000",operation="ost_write"} 110277.857878
      lapwing_lustre_rpc_operations_total{fs="lustrefs",target="OST0000",operation="ldlm_cancel"} 2
      lapwing_lustre_rpc_operations_total{fs="lustrefs",target="OST0000",operation="obd_ping"} 5153
      lapwing_lustre_rpc_operations_total{fs="lustrefs",target="OST0000",operation="ost_connect"} 1
      lapwing_lustre_rpc_operations_total{fs="lustrefs",target="OST0000",operation="ost_punch"} 134
      lapwing_lustre_rpc_operations_total{fs="lustrefs",target="OST0000",operation="ost_statfs"} 2
      lapwing_lustre_rpc_operations_total{fs="lustrefs",target="OST0000",operation="ost_write"} 18210286
      lapwing_lustre_cached_bytes{fs="lustrefs",target="OST0000"} 5332008960
      lapwing_lustre_service_estimate_seconds{fs="lustrefs",target="OST0000"} 1
      lapwing_lustre_network_estimate_seconds{fs="lustrefs",target="OST0000"} 1
      lapwing_lustre_last_reply_timestamp_seconds{fs="lustrefs",target="OST0000"} 1510950459
      """;

  @BeforeEach
  void recorded() {
    Assumptions.assumeTrue(Files.isDirectory(CLIENT), CLIENT + " is not there");
  }

  @Test
  void theRecordedNumbersAreExported() {
    RecordedSink sink = new LustreTree(CLIENT, LustreDetail.SUMMARY).round();

    assertThat(sink.failures()).isEmpty();
    assertThat(String.join("\n", sink.lines()) + "\n").isEqualTo(SUMMARY);
  }

  @Test
  void inFullDetailEachTargetHasItsOwnSeries() {
    RecordedSink sink = new LustreTree(CLIENT, LustreDetail.FULL).round();

    assertThat(sink.failures()).isEmpty();
    assertThat(sink.lines())
        .containsSubsequence(FULL_OF_ONE_TARGET.lines().toList())
        .doesNotHaveDuplicates();
  }
}
