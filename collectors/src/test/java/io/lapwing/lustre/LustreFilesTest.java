package io.lapwing.lustre;

import static io.lapwing.lustre.SomeFiles.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.linux.ParseFailure;
import io.lapwing.lustre.RpcStatsFile.RpcHistogram;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LustreFilesTest {

  private static StatsFile stats(String... lines) throws ParseFailure {
    return StatsFile.parse(
        text("snapshot_time 1.2 secs.nsecs\n" + String.join("\n", lines) + "\n"));
  }

  private static StatsFile.Counter counter(String line) throws ParseFailure {
    return stats(line).counters().values().iterator().next();
  }

  @Test
  void aCounterHasACountAndAnOptionalSum() throws ParseFailure {
    Map<String, StatsFile.Counter> counters =
        StatsFile.parse(text(SomeFiles.LLITE_2_15)).counters();

    assertThat(counters.keySet())
        .containsExactly("read_bytes", "write_bytes", "read", "write", "open", "getxattr_hits");
    assertThat(counters.get("read_bytes"))
        .isEqualTo(
            new StatsFile.Counter("read_bytes", 1234, "bytes", OptionalDouble.of(1234567890)));
    assertThat(counters.get("getxattr_hits"))
        .isEqualTo(new StatsFile.Counter("getxattr_hits", 300, "reqs", OptionalDouble.empty()));
  }

  @Test
  void oldUnitsAreConvertedToNewOnes() throws ParseFailure {
    assertThat(counter("ost_read 3 samples [usec] 1 2 6 14"))
        .isEqualTo(counter("ost_read 3 samples [usecs] 1 2 6"));
    assertThat(counter("ost_read 3 samples [usec] 1 2 6").perBaseUnit()).isEqualTo(1e6);
    assertThat(counter("x 3 samples [sec] 1 2 6").perBaseUnit()).isEqualTo(1);
    assertThat(counter("x 3 samples [pages] 1 2 6").isTime()).isFalse();
  }

  @Test
  void namesWithSpacesAreConvertedToNewOnes() throws ParseFailure {
    assertThat(StatsFile.parse(text(SomeFiles.READ_AHEAD_2_12)).counters().keySet())
        .containsExactly(
            "hits", "misses", "readpage_not_consecutive", "read_ahead_to_eof", "hit_max_r_a_issue");
    assertThat(StatsFile.parse(text(SomeFiles.READ_AHEAD_2_15)).counters().keySet())
        .contains("readpage_not_consecutive", "read_ahead_to_eof", "async_readahead");
  }

  @Test
  void aSumOfSquaresMayHaveWrapped() throws ParseFailure {
    assertThat(counter("req_waittime 1 samples [usecs] 1 1 1 -5").sum()).hasValue(1);
    assertThat(counter("req_waittime 1 samples [usecs] 1 1 1 99999999999999999999999").sum())
        .hasValue(1);
  }

  @Test
  void numbersUpTo64BitsAreRead() throws ParseFailure {
    assertThat(counter("read_bytes 18446744073709551615 samples [bytes]").count())
        .isEqualTo(0x1p64);
    assertThatThrownBy(() -> counter("read_bytes 18446744073709551616 samples [bytes]"))
        .isInstanceOf(ParseFailure.class)
        .hasMessage("file:2: not a 64-bit count");
    assertThatThrownBy(() -> counter("x 1 samples [usecs] 1 1 18446744073709551616"))
        .hasMessageContaining("64-bit sum");
    assertThatThrownBy(() -> counter("x 1 samples [usecs] 1 1 -7"))
        .hasMessageContaining("64-bit sum");
    assertThatThrownBy(() -> counter("x 1 samples [usecs] 1")).hasMessageContaining("without");
  }

  @Test
  void anImportOfEveryVersionIsRead() throws ParseFailure {
    ImportFile found = ImportFile.parse(text(SomeFiles.IMPORT_2_15));

    assertThat(found)
        .isEqualTo(
            new ImportFile(
                Optional.of(ImportState.FULL),
                Optional.of("10.0.1.15@tcp"),
                Optional.of("2.15.3.0"),
                OptionalDouble.of(2),
                OptionalDouble.of(4),
                OptionalDouble.of(1),
                OptionalDouble.of(0.000827),
                OptionalDouble.of(1),
                OptionalDouble.of(2)));
    String old = SomeFiles.IMPORT_2_15.replace("usecs\n", "usec\n").replace("\n", "\r\n");
    assertThat(ImportFile.parse(text(old))).isEqualTo(found);
  }

  @Test
  void absentKeysOfAnImportAreEmpty() throws ParseFailure {
    ImportFile found = ImportFile.parse(text(SomeFiles.IMPORT_2_16));

    assertThat(found.state()).contains(ImportState.IDLE);
    assertThat(found.nid()).contains("10.0.1.15@efa");
    assertThat(found.attempts()).hasValue(3);
    assertThat(found.averageWait()).isEmpty();
    assertThat(found.inflight()).isEmpty();
    String alone = SomeFiles.IMPORT_2_15.replace("10.0.1.15@tcp\n", "<none>\n");
    assertThat(ImportFile.parse(text(alone)).nid()).isEmpty();
    String later = SomeFiles.IMPORT_2_15.replace("FULL", "SLEEPING");
    assertThat(ImportFile.parse(text(later)).state()).isEmpty();
  }

  @Test
  void anImportWithAWrongNumberFailsWithItsLine() {
    String wrong = SomeFiles.IMPORT_2_15.replace("timeouts: 4", "timeouts: -1");
    assertThatThrownBy(() -> ImportFile.parse(text(wrong)))
        .isInstanceOf(ParseFailure.class)
        .hasMessageStartingWith("file:22: timeouts");
    String unit = SomeFiles.IMPORT_2_15.replace("827 usecs", "827 parsecs");
    assertThatThrownBy(() -> ImportFile.parse(text(unit))).hasMessageContaining("avg_waittime");
    String nid = SomeFiles.IMPORT_2_15.replace("connection: 10.0.1.15@tcp", "connection: a b");
    assertThatThrownBy(() -> ImportFile.parse(text(nid))).hasMessageContaining("is not a NID");
    String version = SomeFiles.IMPORT_2_15.replace("2.15.3.0", "x\"y");
    assertThatThrownBy(() -> ImportFile.parse(text(version)))
        .hasMessageContaining("is not a version");
  }

  @Test
  void idleIsAsHealthyAsFull() {
    assertThat(ImportState.values())
        .filteredOn(ImportState::healthy)
        .containsExactly(ImportState.FULL, ImportState.IDLE);
  }

  @Test
  void theStateHasItsHistory() throws ParseFailure {
    StateFile state = StateFile.parse(text(SomeFiles.STATE));

    assertThat(state.current()).contains(ImportState.FULL);
    assertThat(state.history()).hasSize(7);
    assertThat(state.history().get(4)).isEqualTo(new StateFile.Change(1689999026, "EVICTED"));
    assertThat(state.history().get(4).is(ImportState.EVICTED)).isTrue();
  }

  @Test
  void aMalformedStateFails() {
    assertThatThrownBy(() -> StateFile.parse(text("state: FULL\n"))).hasMessageContaining(":1:");
    assertThatThrownBy(() -> StateFile.parse(text("current_state: FULL\nhistory\n")))
        .hasMessageContaining(":2:");
    assertThatThrownBy(
            () -> StateFile.parse(text(SomeFiles.STATE + " - [ 99999999999999999999, FULL ]\n")))
        .hasMessageContaining("not a 64-bit time");
  }

  @Test
  void theSlowestServiceCounts() throws ParseFailure {
    assertThat(TargetLimits.TimeoutsFile.parse(text(SomeFiles.TIMEOUTS)))
        .isEqualTo(
            new TargetLimits.TimeoutsFile(
                OptionalLong.of(1690000000), OptionalDouble.of(1), OptionalDouble.of(5)));
    assertThat(
            TargetLimits.TimeoutsFile.parse(text("last reply : 0, 1690000000s ago\n")).lastReply())
        .isEmpty();
  }

  @Test
  void tablesBecomeHistograms() throws ParseFailure {
    RpcStatsFile file = RpcStatsFile.parse(text(SomeFiles.OSC_RPC_STATS));

    assertThat(file.tables().get(RpcStatsFile.PAGES))
        .containsEntry("read", new RpcHistogram(List.of(1, 2, 1024), List.of(120.0, 11.0, 3500.0)))
        .containsEntry("write", new RpcHistogram(List.of(1, 2, 1024), List.of(10.0, 0.0, 30000.0)));
    assertThat(file.tables().get(RpcStatsFile.IN_FLIGHT)).containsOnlyKeys("read", "write");
  }

  @Test
  void anMdcHasTwoTablesOfOneName() throws ParseFailure {
    RpcStatsFile file = RpcStatsFile.parse(text(SomeFiles.MDC_RPC_STATS));

    assertThat(file.tables().get(RpcStatsFile.IN_FLIGHT))
        .as("the last table may have been truncated after its zeros")
        .containsOnly(
            Map.entry("modify", new RpcHistogram(List.of(0, 1, 7), List.of(0.0, 90.0, 110.0))));
    assertThat(file.tables().get(RpcStatsFile.PAGES)).containsOnlyKeys("read", "write");
  }

  @Test
  void aTruncatedTableIsDropped() throws ParseFailure {
    String all = SomeFiles.OSC_RPC_STATS;
    String cut = all.substring(0, all.indexOf("1024:"));
    assertThat(RpcStatsFile.parse(text(cut)).tables().get(RpcStatsFile.PAGES)).isEmpty();
  }

  @Test
  void smallFilesAreRead() throws ParseFailure {
    assertThat(NumberLines.parse(text(SomeFiles.MAX_CACHED_MB)).get("used_mb")).hasValue(812);
    assertThat(NumberLines.parse(text("statahead total: 3\n")).get("statahead total")).hasValue(3);
    assertThat(NumberLines.single(text(" 32.50\n"))).isEqualTo(32.5);
    assertThat(LustreSource.version(text("2.15.3_1_gabc\n"))).isEqualTo("2.15.3_1_gabc");
    assertThat(LustreSource.version(text("lustre: 2.10.8\nkernel: patchless_client\n")))
        .isEqualTo("2.10.8");
    assertThat(LustreSource.HealthCheck.parse(text("healthy\n")))
        .isEqualTo(LustreSource.HealthCheck.HEALTHY);
    assertThat(LustreSource.HealthCheck.parse(text("device x reported unhealthy\nNOT HEALTHY\n")))
        .isEqualTo(LustreSource.HealthCheck.NOT_HEALTHY);
    assertThat(LustreSource.HealthCheck.parse(text("LBUG\n")))
        .isEqualTo(LustreSource.HealthCheck.LBUG);
    assertThatThrownBy(() -> LustreSource.HealthCheck.parse(text("")))
        .isInstanceOf(ParseFailure.class);
    assertThatThrownBy(() -> NumberLines.single(text(""))).isInstanceOf(ParseFailure.class);
    assertThatThrownBy(() -> NumberLines.single(text("N/A\n"))).isInstanceOf(ParseFailure.class);
    assertThatThrownBy(() -> LustreSource.version(text(""))).isInstanceOf(ParseFailure.class);
  }

  @Test
  void aFailureHasItsLine() {
    ParseFailure failure = text("a\nb\n").failure(1, "no b");
    assertThat(failure.file()).isEqualTo("file");
    assertThat(failure.line()).isEqualTo(2);
  }

  @Test
  void folderNamesAreParsed() {
    assertThat(LustreName.mount("scratch-ffff9d0c12345000"))
        .contains(
            new LustreName("llite/scratch-ffff9d0c12345000", "scratch", "", "ffff9d0c12345000"));
    assertThat(LustreName.target("my-fs-OST00af-osc-ffff9d0c12345000"))
        .contains(
            new LustreName(
                "osc/my-fs-OST00af-osc-ffff9d0c12345000", "my-fs", "OST00af", "ffff9d0c12345000"));
    assertThat(LustreName.target("fs-MDT0000-mdc-ffff9d0c12345000").orElseThrow().metadata())
        .isTrue();
    assertThat(LustreName.target("fs-OST0000-osc-MDT0000")).as("of a server").isEmpty();
    assertThat(LustreName.mount("num_refs")).isEmpty();
    assertThat(LustreName.mount("a b-ffff9d0c12345000")).isEmpty();
  }
}
