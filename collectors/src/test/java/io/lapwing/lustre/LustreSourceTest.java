package io.lapwing.lustre;

import static io.lapwing.lustre.LustreTree.DEBUG;
import static io.lapwing.lustre.LustreTree.PROC;
import static io.lapwing.lustre.LustreTree.SYS;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Collector;
import io.lapwing.collect.Part;
import io.lapwing.collect.RecordedSink;
import io.lapwing.collect.Source;
import io.lapwing.metric.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LustreSourceTest {

  private static final String HEX = "-ffff9d0c12345000";
  private static final String OTHER = "-ffff9d0c99999000";
  private static final String FS = "llite/scratch" + HEX;
  private static final String OST = "scratch-OST0000-osc" + HEX;

  private static final String EVICTED =
      """
      current_state: FULL
      state_history:
       - [ 1689990000, FULL ]
       - [ 1689999026, EVICTED ]
       - [ 1689999026, FULL ]
      """;

  private Path folder;
  private LustreTree tree;

  @BeforeEach
  void summary(@TempDir Path dir) {
    folder = dir;
    tree = new LustreTree(dir, LustreDetail.SUMMARY);
  }

  /** The roots of 2.10, of 2.12 to 2.16, and of 2.17. */
  private LustreTree mounted(String stats, String imports) {
    return tree.file(stats, FS + "/stats", SomeFiles.LLITE_2_15)
        .file(stats, FS + "/read_ahead_stats", SomeFiles.READ_AHEAD_2_12)
        .file(stats, FS + "/max_cached_mb", SomeFiles.MAX_CACHED_MB)
        .file(stats, "osc/" + OST + "/stats", SomeFiles.OSC_STATS)
        .file(imports, "osc/" + OST + "/import", SomeFiles.IMPORT_2_15)
        .file(imports, "osc/" + OST + "/state", SomeFiles.STATE)
        .file(imports, "osc/" + OST + "/rpc_stats", SomeFiles.OSC_RPC_STATS);
  }

  @Test
  void aNodeWithoutLustreHasNothingToRead() {
    assertThat(tree.client.begin(tree.client.collectors())).isInstanceOf(Access.NothingHere.class);
    assertThat(tree.names()).isEmpty();
    assertThat(tree.client.unreadable()).isEmpty();
    assertThat(tree.client.part()).contains(Part.whole("lustre"));
  }

  @Test
  void withoutAMountOnlyTheModulesAreReported() {
    tree.file(SYS, "version", "2.15.3\n")
        .file(SYS, "health_check", "healthy\n")
        .file(SYS, "memused", "81234567\n")
        .file(SYS, "memused_max", "91234567\n");

    assertThat(tree.round().lines())
        .containsExactly(
            "lapwing_lustre_client_info{version=\"2.15.3\"} 1",
            "lapwing_lustre_healthy 1",
            "lapwing_lustre_lbug 0",
            "lapwing_lustre_memory_used_bytes 81234567",
            "lapwing_lustre_memory_max_bytes 91234567",
            "lapwing_lustre_file_systems 0");
    tree.file(SYS, "health_check", "LBUG\n");
    assertThat(tree.lines("lapwing_lustre_healthy", "lapwing_lustre_lbug"))
        .containsExactly("lapwing_lustre_healthy 0", "lapwing_lustre_lbug 1");
  }

  @Test
  void everyVersionHasTheSameSeries() throws IOException {
    List<String> old = mounted(PROC, PROC).round().lines();
    List<String> middle = lines("2.12", DEBUG, PROC);
    List<String> latest = lines("2.17", DEBUG, DEBUG);

    assertThat(old)
        .contains(
            "lapwing_lustre_read_bytes_total{fs=\"scratch\"} 1234567890",
            "lapwing_lustre_operation_seconds_total{fs=\"scratch\",operation=\"open\"} 1.402233",
            "lapwing_lustre_read_ahead_pages_total{fs=\"scratch\",event=\"read_ahead_to_eof\"} 7",
            "lapwing_lustre_rpc_wait_seconds_total{fs=\"scratch\",target=\"OST0000\"} 81.233445",
            "lapwing_lustre_import_state{fs=\"scratch\",target=\"OST0000\",state=\"full\"} 1",
            "lapwing_lustre_evictions_total{fs=\"scratch\",target=\"OST0000\"} 1",
            "lapwing_lustre_rpc_bytes_total{fs=\"scratch\",operation=\"read\"} 201122334455",
            "lapwing_lustre_rpc_pages_bucket{fs=\"scratch\",operation=\"read\",le=\"512.0\"} 131");
    assertThat(middle).isEqualTo(old);
    assertThat(latest).isEqualTo(old);
  }

  private List<String> lines(String version, String stats, String imports) throws IOException {
    summary(Files.createDirectory(folder.resolve(version)));
    return mounted(stats, imports).round().lines();
  }

  @Test
  void aDisabledCollectorDelaysNoSum() {
    mounted(PROC, PROC).client.begin(List.of());
    Source target = tree.source("lustre-scratch-OST0000");
    Collector first = target.collectors().get(0);
    target.begin(List.of(first));
    assertThat(tree.names()).doesNotContain("lustre-sums-scratch");
    first.collect(new RecordedSink());
    assertThat(tree.names()).contains("lustre-sums-scratch");
  }

  @Test
  void theInstanceOfAMountIsNotALabel() {
    assertThat(mounted(PROC, PROC).round().lines())
        .noneMatch(line -> line.contains(HEX.substring(1)));
  }

  @Test
  void theSeriesOfATargetStartWithTheLabelsOfItsPart() {
    mounted(PROC, PROC).round();

    assertThat(tree.names())
        .containsExactly(
            "lustre-scratch",
            "lustre-capacity-scratch",
            "lustre-scratch-OST0000",
            "lustre-sums-scratch");
    assertThat(tree.source("lustre-scratch-OST0000").part())
        .contains(
            new Part("lustre", "scratch-OST0000", Labels.of("fs", "scratch", "target", "OST0000")));
    assertThat(tree.source("lustre-scratch").part())
        .contains(new Part("lustre", "scratch", Labels.of("fs", "scratch")));
  }

  @Test
  void labelsAreTheSameObjectsInEveryRound() {
    mounted(PROC, PROC);
    RecordedSink first = tree.round();
    RecordedSink second = tree.round();

    for (int i = 0; i < first.samples().size(); i++) {
      assertThat(second.samples().get(i).labels()).isSameAs(first.samples().get(i).labels());
      assertThat(second.samples().get(i).metric()).isEqualTo(first.samples().get(i).metric());
    }
  }

  @Test
  void countersContinueAfterARemount() {
    mounted(PROC, PROC).round();
    tree.gone(PROC, "llite").gone(PROC, "osc");
    tree.file(PROC, "llite/scratch" + OTHER + "/stats", stats("read_bytes", 10))
        .file(PROC, "osc/scratch-OST0000-osc" + OTHER + "/import", SomeFiles.IMPORT_2_16)
        .file(PROC, "osc/scratch-OST0000-osc" + OTHER + "/stats", waited(1_000_000))
        .file(PROC, "osc/scratch-OST0000-osc" + OTHER + "/state", EVICTED);

    assertThat(
            tree.lines(
                "lapwing_lustre_read_bytes",
                "lapwing_lustre_rpc_wait",
                "lapwing_lustre_evictions",
                "lapwing_lustre_import_state",
                "lapwing_lustre_mounts"))
        .containsExactlyInAnyOrder(
            "lapwing_lustre_mounts{fs=\"scratch\"} 1",
            "lapwing_lustre_read_bytes_total{fs=\"scratch\"} 1234567900",
            "lapwing_lustre_import_state{fs=\"scratch\",target=\"OST0000\",state=\"idle\"} 1",
            "lapwing_lustre_evictions_total{fs=\"scratch\",target=\"OST0000\"} 2",
            "lapwing_lustre_rpc_wait_seconds_total{fs=\"scratch\",target=\"OST0000\"} 82.233445");
  }

  private static String stats(String name, long sum) {
    return "snapshot_time 1.0 secs.nsecs\n" + name + " 1 samples [bytes] 1 1 " + sum + "\n";
  }

  private static String waited(long microseconds) {
    return "snapshot_time 1.0 secs.nsecs\nreq_waittime 1 samples [usec] 1 1 "
        + microseconds
        + " 1\n";
  }

  @Test
  void aClearedFileDecreasesNoCounter() {
    mounted(PROC, PROC).round();
    tree.file(PROC, "osc/" + OST + "/stats", "snapshot_time 1.0 secs.nsecs\n");
    assertThat(tree.lines("lapwing_lustre_rpc_wait", "lapwing_lustre_rpc_bytes"))
        .contains(
            "lapwing_lustre_rpc_wait_seconds_total{fs=\"scratch\",target=\"OST0000\"} 81.233445",
            "lapwing_lustre_rpc_bytes_total{fs=\"scratch\",operation=\"read\"} 201122334455");
    tree.file(PROC, "osc/" + OST + "/stats", waited(500_000));
    assertThat(tree.lines("lapwing_lustre_rpc_wait"))
        .containsExactly(
            "lapwing_lustre_rpc_wait_seconds_total{fs=\"scratch\",target=\"OST0000\"} 81.733445");
  }

  @Test
  void twoMountsOfAFileSystemAreSummed() {
    mounted(PROC, PROC)
        .file(PROC, "llite/scratch" + OTHER + "/stats", stats("read_bytes", 10))
        .file(PROC, "osc/scratch-OST0000-osc" + OTHER + "/stats", waited(1_000_000))
        .file(
            PROC,
            "osc/scratch-OST0000-osc" + OTHER + "/import",
            SomeFiles.IMPORT_2_15.replace("state: FULL", "state: DISCONN"));

    assertThat(tree.lines("lapwing_lustre_"))
        .doesNotHaveDuplicates()
        .contains(
            "lapwing_lustre_mounts{fs=\"scratch\"} 2",
            "lapwing_lustre_file_systems 1",
            "lapwing_lustre_targets{fs=\"scratch\"} 1",
            "lapwing_lustre_read_bytes_total{fs=\"scratch\"} 1234567900",
            "lapwing_lustre_import_connected{fs=\"scratch\",target=\"OST0000\"} 0",
            "lapwing_lustre_rpcs_in_flight{fs=\"scratch\",target=\"OST0000\"} 4",
            "lapwing_lustre_rpc_timeouts_total{fs=\"scratch\",target=\"OST0000\"} 8",
            "lapwing_lustre_rpc_wait_seconds_total{fs=\"scratch\",target=\"OST0000\"} 82.233445");
  }

  @Test
  void aTargetThatIsReadLateAddsOnlyNewCounts() {
    mounted(PROC, PROC).target(PROC, "scratch-OST0001-osc" + HEX);
    String late = "osc/scratch-OST0001-osc" + HEX + "/stats";
    tree.file(PROC, late, "garbage\n");
    assertThat(tree.round().failures())
        .containsExactly(folder.resolve(PROC).resolve(late) + ":1: malformed");
    tree.file(PROC, late, SomeFiles.OSC_STATS);
    assertThat(tree.lines("lapwing_lustre_rpc_operations_total{fs=\"scratch\",operation=\"ost"))
        .containsExactly(
            "lapwing_lustre_rpc_operations_total{fs=\"scratch\",operation=\"ost_read\"} 61011");
    tree.file(PROC, late, SomeFiles.OSC_STATS.replace("61011", "61012"));
    assertThat(tree.lines("lapwing_lustre_rpc_operations_total{fs=\"scratch\",operation=\"ost"))
        .containsExactly(
            "lapwing_lustre_rpc_operations_total{fs=\"scratch\",operation=\"ost_read\"} 61012");
  }

  @Test
  void anUnmountedFileSystemIsNoLongerRead() {
    mounted(PROC, PROC).target(PROC, "scratch-OST0001-osc" + HEX).round();
    assertThat(tree.names()).hasSize(5);
    tree.gone(PROC, "osc/scratch-OST0001-osc" + HEX).round();
    assertThat(tree.names()).doesNotContain("lustre-scratch-OST0001").hasSize(4);
    tree.gone(PROC, "llite").gone(PROC, "osc").round();
    assertThat(tree.names()).isEmpty();
  }

  @Test
  void theLastEvictionHasItsTime() {
    mounted(PROC, PROC).file(PROC, "osc/" + OST + "/state", EVICTED);
    assertThat(tree.lines("lapwing_lustre_evictions", "lapwing_lustre_rec", "lapwing_lustre_last"))
        .containsExactly(
            "lapwing_lustre_evictions_total{fs=\"scratch\",target=\"OST0000\"} 1",
            "lapwing_lustre_reconnects_total{fs=\"scratch\",target=\"OST0000\"} 1",
            "lapwing_lustre_last_eviction_timestamp_seconds{fs=\"scratch\",target=\"OST0000\"} 1689999026");
  }

  @Test
  void aMalformedFileCostsOnlyItsOwnSeries() {
    mounted(PROC, PROC)
        .file(PROC, "osc/" + OST + "/import", "N/A (no PMA)\n")
        .file(PROC, "osc/" + OST + "/max_rpcs_in_flight", "")
        .file(PROC, FS + "/read_ahead_stats", "\u0000\n");
    RecordedSink sink = tree.round();

    assertThat(sink.failures()).hasSize(3).allMatch(failure -> failure.endsWith("malformed"));
    assertThat(sink.lines())
        .noneMatch(line -> line.startsWith("lapwing_lustre_rpcs_in_flight"))
        .noneMatch(line -> line.startsWith("lapwing_lustre_target_info"))
        .contains(
            "lapwing_lustre_import_connected{fs=\"scratch\",target=\"OST0000\"} 1",
            "lapwing_lustre_rpcs_total{fs=\"scratch\",target=\"OST0000\"} 98123",
            "lapwing_lustre_read_bytes_total{fs=\"scratch\"} 1234567890");
  }

  @Test
  void aTargetWithAnUnreadableImportIsDown() throws IOException {
    mounted(PROC, PROC).round();
    tree.gone(PROC, "osc/" + OST + "/import");
    Files.createDirectory(folder.resolve(PROC).resolve("osc/" + OST + "/import"));
    assertThat(tree.source("lustre-scratch-OST0000").begin(List.of()))
        .isEqualTo(
            new Access.Down("io", folder.resolve(PROC) + "/osc/" + OST + "/import cannot be read"));
  }

  @Test
  void aHungTargetDelaysTheSumsByOneRoundOnly() {
    mounted(PROC, PROC).client.begin(List.of());
    assertThat(tree.names()).doesNotContain("lustre-sums-scratch");
    tree.client.begin(List.of());
    assertThat(tree.names()).contains("lustre-sums-scratch");
  }

  @Test
  void capacityIsReadOnlyWhileTheServersCanReply() {
    mounted(PROC, PROC)
        .file(SYS, FS + "/kbytestotal", "1000\n")
        .file(SYS, "osc/" + OST + "/kbytesavail", "800\n");
    String[] space = {"lapwing_lustre_size", "lapwing_lustre_target_a"};
    assertThat(tree.lines(space))
        .containsExactly(
            "lapwing_lustre_size_bytes{fs=\"scratch\"} 1024000",
            "lapwing_lustre_target_available_bytes{fs=\"scratch\",target=\"OST0000\"} 819200");
    tree.file(PROC, "osc/" + OST + "/import", SomeFiles.IMPORT_2_16);
    assertThat(tree.lines(space))
        .as("idle")
        .containsExactly("lapwing_lustre_size_bytes{fs=\"scratch\"} 1024000");
    tree.file(PROC, "osc/" + OST + "/import", SomeFiles.IMPORT_2_15.replace("FULL", "DISCONN"));
    assertThat(tree.lines(space)).isEmpty();
  }

  @Test
  void aMissingDebugfsIsReportedWithItsRemedy() {
    tree.file(SYS, FS + "/blocksize", "4096\n")
        .file(PROC, "osc/" + OST + "/import", SomeFiles.IMPORT_2_15)
        .file(PROC, "osc/" + OST + "/state", SomeFiles.STATE);

    assertThat(tree.lines("lapwing_lustre_debugfs", "lapwing_lustre_import_c"))
        .containsExactly(
            "lapwing_lustre_debugfs_readable 0",
            "lapwing_lustre_import_connected{fs=\"scratch\",target=\"OST0000\"} 1");
    assertThat(tree.client.unreadable().orElseThrow()).contains(DEBUG).contains("mount debugfs");
  }

  @Test
  void missingPermissionIsReportedWithItsRemedy() throws IOException {
    mounted(DEBUG, PROC);
    Path debugfs = folder.resolve("sys/kernel/debug");
    Files.setPosixFilePermissions(debugfs, PosixFilePermissions.fromString("---------"));
    Assumptions.assumeFalse(Files.isReadable(debugfs), "this user may read everything");
    try {
      tree.file(SYS, FS + "/blocksize", "4096\n");
      RecordedSink sink = tree.round();
      assertThat(sink.failures()).isNotEmpty().allMatch(one -> one.endsWith(": no_permission"));
      assertThat(sink.lines())
          .contains(
              "lapwing_lustre_debugfs_readable 0",
              "lapwing_lustre_evictions_total{fs=\"scratch\",target=\"OST0000\"} 1");
      assertThat(tree.client.unreadable().orElseThrow()).contains("CAP_DAC_READ_SEARCH");
    } finally {
      Files.setPosixFilePermissions(debugfs, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  /** The numbers are documented in docs/lustre.md. */
  @Test
  void aHundredTargetsAreAThousandSeriesInSummary() throws IOException {
    LustreTree full =
        new LustreTree(Files.createDirectory(folder.resolve("full")), LustreDetail.FULL);
    assertThat(hundredTargets(tree).size()).isEqualTo(1870);
    assertThat(hundredTargets(full).size()).isEqualTo(8013);
  }

  private static List<String> hundredTargets(LustreTree node) {
    node.file(PROC, FS + "/stats", SomeFiles.LLITE_2_15);
    for (int ost = 0; ost < 100; ost++) {
      String name = String.format("scratch-OST%04x-osc%s", ost, HEX);
      node.target(PROC, name)
          .file(PROC, "osc/" + name + "/cur_grant_bytes", "262144\n")
          .file(PROC, "osc/" + name + "/cur_lost_grant_bytes", "0\n")
          .file(PROC, "osc/" + name + "/cur_dirty_bytes", "0\n")
          .file(PROC, "osc/" + name + "/max_dirty_mb", "32\n")
          .file(PROC, "osc/" + name + "/osc_cached_mb", "used_mb: 1\n")
          .file(PROC, "ldlm/namespaces/" + name + "/lock_count", "7\n");
    }
    return node.round().lines();
  }
}
