package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.dcgm.JnaDcgm;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The source on the simulated library. */
class DcgmSourceTest {

  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration SLOW = Duration.ofMinutes(1);

  private final DcgmBoards boards = DcgmBoards.of(() -> EVERY.multipliedBy(4), () -> SLOW);
  private final ActivityBoard board = boards.activity();
  private final NvmlDriver driver = new NvmlDriver(() -> Reading.of(new FakeNvml(8)));
  private final GpuView view = new GpuView(GpuView.FieldSelection.ALL, GpuLabelling.dcgm("node-1"));
  private SimulatedNode node;
  private DcgmSource source;
  private double passed;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.of("p4d.24xlarge", dir);
    node.set("gpu.*.gpm.sm_active", "40");
    source = source(new DcgmMode.At(DcgmAddress.TCP));
  }

  private DcgmSource source(DcgmMode mode) {
    List<String> libraries = List.of(node.dcgmLibrary(4).toString());
    return new DcgmSource(
        new HostEngineAccess(mode, new HostEngines(node.procfs()), () -> JnaDcgm.load(libraries)),
        new GpuContext(driver, new GpuRoster(), view, this::now, () -> 0),
        boards,
        EVERY,
        SLOW);
  }

  private Instant now() {
    return Instant.ofEpochSecond(StillNode.EPOCH).plusMillis(Math.round(passed * 1000));
  }

  private Access round(double seconds) {
    passed += seconds;
    StillNode.letPass(node, passed);
    return source.begin(source.collectors());
  }

  /** A round in which the links of switches are not due. */
  private Access fastRound(double seconds) {
    passed += seconds;
    StillNode.letPass(node, passed);
    return source.begin(
        source.collectors().stream().filter(one -> !one.name().equals(DcgmSource.LINKS)).toList());
  }

  private List<String> links() {
    return page(3).lines();
  }

  private RecordedSink page(int collector) {
    return RecordedSink.of(source.collectors().get(collector));
  }

  private String uuid(int gpu) {
    return node.lines().getOrDefault("gpu." + gpu + ".uuid", "");
  }

  private Optional<Double> active(int gpu) {
    return board
        .activity(uuid(gpu), now())
        .map(activity -> activity.values().getOrDefault(DcgmFieldId.PROF_SM_ACTIVE, Double.NaN));
  }

  private double activeSeconds(int gpu) {
    return board
        .activity(uuid(gpu), now())
        .orElseThrow()
        .seconds()
        .getOrDefault(DcgmFieldId.PROF_SM_ACTIVE, Double.NaN);
  }

  private Optional<Double> activeOf(int gpu, int instance) {
    return boards
        .instances()
        .activity(ActivityBoard.instance(uuid(gpu), instance), now())
        .map(activity -> activity.values().getOrDefault(DcgmFieldId.PROF_SM_ACTIVE, Double.NaN));
  }

  /** Divides a GPU, whose instances have these shares of its activity, 40 percent. */
  private void divide(int gpu, String instances) {
    node.setAll(
        Map.of("gpu." + gpu + ".mig.mode", "1", "gpu." + gpu + ".mig.instances", instances));
    boards.instances().need(uuid(gpu));
  }

  private void rounds(int number) {
    for (int i = 0; i < number; i++) {
      round(5);
    }
  }

  @Test
  void aGpuThatTheEngineListsLaterHasActivity() {
    node.set("gpu.3.missing", "1");
    board.need(uuid(3));
    board.need(uuid(4));
    rounds(5);
    assertThat(active(3)).isEmpty();
    assertThat(active(4)).isPresent();

    node.set("gpu.3.missing", "0");
    assertThat(round(5)).isEqualTo(Access.READY);
    rounds(5);
    assertThat(active(3)).isPresent();
    assertThat(active(4)).isPresent();

    node.set("gpu.3.missing", "1");
    assertThat(round(5)).isEqualTo(Access.READY);
  }

  @Test
  void instancesOfDividedGpusHaveTheirOwnActivity() {
    divide(1, "7:1g.10gb@0*0.5 9:2g.20gb@2*0.25");
    divide(3, "7:1g.10gb@0*1");
    board.need(uuid(1));
    round(0);
    rounds(2);
    assertThat(activeOf(1, 7)).as("the first two samples are doubtful").isEmpty();
    rounds(2);

    assertThat(activeOf(1, 7)).contains(0.2);
    assertThat(activeOf(1, 9)).contains(0.1);
    assertThat(activeOf(3, 7)).contains(0.4);
    assertThat(activeOf(3, 9)).isEmpty();
    assertThat(active(1)).as("of the whole GPU, by the shares").isPresent();
    assertThat(
            boards
                .instances()
                .activity(ActivityBoard.instance(uuid(1), 7), now())
                .orElseThrow()
                .values())
        .as("DCGM answers what instances share for the whole GPU")
        .doesNotContainKeys(DcgmFieldId.PROF_PCIE_TX_BYTES, DcgmFieldId.PROF_NVLINK_RX_BYTES);
    assertThat(page(0).failures()).isEmpty();
  }

  /** The entity of the second becomes that of the third, and nothing of one is the other's. */
  @Test
  void anInstanceThatVanishesDropsItsOwnActivityOnly() {
    divide(0, "1:1g.10gb@0*0.5 2:1g.10gb@1*0.25 3:1g.10gb@2*1");
    round(0);
    rounds(4);
    assertThat(activeOf(0, 2)).contains(0.1);

    node.set("gpu.0.mig.instances", "1:1g.10gb@0*0.5 3:1g.10gb@2*1");
    for (int i = 0; i < 6; i++) {
      round(5);
      assertThat(activeOf(0, 1)).contains(0.2);
      assertThat(activeOf(0, 2)).isEmpty();
      assertThat(activeOf(0, 3)).contains(0.4);
    }
    assertThat(page(0).failures()).isEmpty();
  }

  /** Under the id and the entity of one that is gone. */
  @Test
  void anInstanceOfAnotherProfileHasNothingOfTheOneBefore() {
    divide(0, "1:1g.10gb@0*0.5");
    round(0);
    rounds(6);
    assertThat(activeOf(0, 1)).contains(0.2);

    node.set("gpu.0.mig.instances", "1:2g.20gb@0*1");
    round(5);
    assertThat(activeOf(0, 1)).isEmpty();
    rounds(2);
    assertThat(activeOf(0, 1)).as("of a time before and after the change").isEmpty();
    round(5);
    assertThat(activeOf(0, 1)).contains(0.4);
    assertThat(
            boards
                .instances()
                .activity(ActivityBoard.instance(uuid(0), 1), now())
                .orElseThrow()
                .seconds())
        .containsEntry(DcgmFieldId.PROF_SM_ACTIVE, 2.0);
  }

  @Test
  void withoutMigTheEngineIsNotAskedForInstances() {
    node.set("system.return.dcgmGetGpuInstanceHierarchy", "10");
    board.need(uuid(0));
    round(0);
    rounds(2);
    assertThat(page(0).failures()).isEmpty();
    assertThat(active(0)).contains(0.4);

    divide(1, "7:1g.10gb@0");
    round(5);
    assertThat(page(0).failures()).containsExactly("DCGM profiling of MIG: uninitialized");
    assertThat(active(0)).as("costs the instances only").contains(0.4);

    node.clear("system.return.dcgmGetGpuInstanceHierarchy");
    rounds(4);
    assertThat(page(0).failures()).isEmpty();
    assertThat(activeOf(1, 7)).contains(0.4);

    boards.instances().spare(uuid(1));
    round(5);
    assertThat(activeOf(1, 7)).isEmpty();
  }

  @Test
  void aFieldThatIsRejectedOfGpusAndInstancesIsNamedOnce() {
    node.set("dcgm.reject.1016", "38");
    divide(1, "7:1g.10gb@0");
    board.need(uuid(1));
    round(0);
    rounds(4);
    assertThat(page(0).lines())
        .filteredOn(line -> line.startsWith("lapwing_dcgm_field_rejected"))
        .hasSize(1);
    assertThat(activeOf(1, 7)).contains(0.4);
  }

  @Test
  void instancesAreUnavailableWithTheEngine() {
    divide(1, "7:1g.10gb@0");
    round(0);
    rounds(4);
    assertThat(activeOf(1, 7)).contains(0.4);
    node.set("dcgm.engine", "0");
    round(5);
    assertThat(activeOf(1, 7)).isEmpty();
    node.set("dcgm.engine", "1");
    rounds(5);
    assertThat(activeOf(1, 7)).contains(0.4);
  }

  @Test
  void aPausedEngineHasNoActivityOfInstances() {
    divide(1, "7:1g.10gb@0");
    round(0);
    rounds(4);
    node.set("dcgm.paused", "1");
    round(5);
    assertThat(activeOf(1, 7)).isEmpty();
    node.set("dcgm.paused", "0");
    round(5);
    assertThat(activeOf(1, 7)).contains(0.4);
  }

  /** DCGM's number of a GPU is not NVML's index where a GPU is missing. */
  @Test
  void gpusAreKnownByTheirUuid() {
    node.set("gpu.2.missing", "1");
    node.set("gpu.5.gpm.sm_active", "70");
    board.need(uuid(5));
    assertThat(round(0)).isEqualTo(Access.READY);
    round(5);

    assertThat(active(5)).contains(0.7);
    assertThat(active(4)).as("has not asked for it").isEmpty();
  }

  @Test
  void aGpuThatAsksLaterIsWatchedFromThenOn() {
    board.need(uuid(0));
    round(0);
    round(5);
    board.need(uuid(1));
    round(5);
    assertThat(active(1)).isEmpty();
    assertThat(board.why(uuid(1))).isEqualTo("no_data");
    round(5);
    assertThat(active(0)).contains(0.4);
    assertThat(active(1)).contains(0.4);
  }

  @Test
  void ratiosAreIntegratedOverTheTimeBetweenSamples() {
    board.need(uuid(0));
    round(0);
    round(5);
    assertThat(activeSeconds(0)).isZero();
    round(5);
    assertThat(activeSeconds(0)).isEqualTo(2);
    // No new sample.
    round(1);
    assertThat(activeSeconds(0)).isEqualTo(2);
    // One was missed.
    round(9);
    assertThat(activeSeconds(0)).isEqualTo(6);
    // So many were missed that the engine may have been busy with something else.
    round(60);
    assertThat(activeSeconds(0)).isEqualTo(8);
  }

  /** As on a node whose GPUs are read as often as it is scraped. */
  @Test
  void theThirdSampleCountsForThreePeriodsThoughItIsLate() {
    assertThat(DcgmActivity.seconds(1_000_000, 16_000_040, EVERY)).isEqualTo(15.00004);
    assertThat(DcgmActivity.seconds(1_000_000, 20_900_000, EVERY)).isEqualTo(5);
  }

  @Test
  void theSelfReportNamesVersionsFieldsAndTheTimeOfTheSample() {
    node.set("dcgm.reject.1016", "38");
    board.need(uuid(0));
    round(0);
    round(5);

    assertThat(page(0).lines())
        .containsExactly(
            "lapwing_dcgm_info{library_version=\"4.4.2\",engine_version=\"4.4.2\",engine=\"localhost:5555\"} 1",
            "lapwing_dcgm_field_rejected{field=\"DCGM_FI_PROF_PIPE_INT_ACTIVE\",reason=\"profiling_multi_pass\"} 1",
            "lapwing_dcgm_sample_timestamp_seconds " + (StillNode.EPOCH + 5));
    assertThat(active(0)).contains(0.4);
  }

  @Test
  void anEngineThatIsGoneIsDownAndComesBackByItself() {
    assertThat(source(new DcgmMode.Auto()).up()).as("none was there yet").isEmpty();
    assertThat(source.up()).as("it is configured").isPresent();
    board.need(uuid(0));
    round(0);
    round(5);
    round(5);
    assertThat(source.up()).isPresent();

    node.set("dcgm.engine", "0");
    assertThat(round(5))
        .isEqualTo(
            new Access.Down(
                "connection_not_valid",
                "the host engine localhost:5555 answers connection_not_valid"));
    assertThat(round(5)).isInstanceOf(Access.Down.class);
    assertThat(active(0)).isEmpty();
    assertThat(board.why(uuid(0))).isEqualTo("connection_not_valid");

    node.set("dcgm.engine", "1");
    assertThat(round(5)).isEqualTo(Access.READY);
    round(5);
    assertThat(active(0)).contains(0.4);
    assertThat(activeSeconds(0)).as("goes on").isEqualTo(2);
  }

  @Test
  void anEngineOfWhichNothingIsWatchedIsMissedTooWhenItIsGone() {
    round(0);
    node.set("dcgm.engine", "0");
    assertThat(round(5)).isInstanceOf(Access.Down.class);
    node.set("dcgm.engine", "1");
    assertThat(round(5)).isEqualTo(Access.READY);
  }

  @Test
  void cpusThatTheEngineSamplesNoMoreAreStale() {
    node.set("dcgm.cpus", "1");
    round(0);
    round(5);
    assertThat(page(2).lines()).isNotEmpty();
    passed += 16;
    source.begin(source.collectors());
    assertThat(page(2).lines()).isEmpty();
    assertThat(page(2).failures()).isNotEmpty();
    round(5);
    assertThat(page(2).lines()).isNotEmpty();
  }

  @Test
  void cpusThatTheEngineDidNotListAreAskedForAgain() {
    node.set("dcgm.cpus", "1");
    node.set("system.return.dcgmFieldGroupCreate", "10");
    round(5);
    assertThat(page(2).lines()).isEmpty();
    node.clear("system.return.dcgmFieldGroupCreate");
    round(30);
    assertThat(page(2).lines()).isEmpty();
    round(30);
    assertThat(page(2).lines()).isNotEmpty();
  }

  @Test
  void anEngineThatWasRestartedIsConnectedToAgain() {
    board.need(uuid(0));
    round(0);
    node.set("dcgm.generation", "7");
    assertThat(round(5)).isInstanceOf(Access.Down.class);
    assertThat(round(5)).isEqualTo(Access.READY);
    round(5);
    assertThat(active(0)).contains(0.4);
  }

  @Test
  void pausedProfilingIsAFailureWithThatReasonUntilItIsResumed() {
    board.need(uuid(0));
    round(0);
    round(5);
    node.set("dcgm.paused", "1");
    assertThat(round(5)).isEqualTo(Access.READY);
    assertThat(page(0).failures()).containsExactly("DCGM profiling: paused");
    assertThat(active(0)).isEmpty();
    assertThat(board.why(uuid(0))).isEqualTo("paused");

    node.set("dcgm.paused", "0");
    round(5);
    assertThat(page(0).failures()).isEmpty();
    assertThat(active(0)).contains(0.4);
  }

  @Test
  void profilingThatIsNotSupportedIsSaidAndTriedAgainEachMinute() {
    node.set("dcgm.reject.*", "36");
    board.need(uuid(0));
    assertThat(round(0)).isEqualTo(Access.READY);
    assertThat(page(0).failures()).containsExactly("DCGM profiling: profiling_not_supported");
    assertThat(board.why(uuid(0))).isEqualTo("profiling_not_supported");

    node.clear("dcgm.reject.*");
    round(50);
    assertThat(page(0).failures()).isNotEmpty();
    round(10);
    assertThat(page(0).failures()).isEmpty();
    round(5);
    assertThat(active(0)).contains(0.4);
  }

  @Test
  void aLostGpuCostsItsOwnActivityOnly() {
    board.need(uuid(0));
    board.need(uuid(1));
    round(0);
    node.set("gpu.1.lost", "1");
    round(5);
    assertThat(active(0)).contains(0.4);
    assertThat(active(1)).isEmpty();
  }

  @Test
  void errorsOfSwitchesAreFamiliesOfTheirOwn() {
    node.set("dcgm.switches", "6");
    node.set("dcgm.switch.2.fatal", "20034");
    node.set("dcgm.switch.5.non_fatal", "20009");
    round(0);
    assertThat(page(1).lines())
        .containsExactly(
            "DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS{nvswitch=\"nvswitch2\",Hostname=\"node-1\"} 20034",
            "DCGM_FI_DEV_NVSWITCH_NON_FATAL_ERRORS{nvswitch=\"nvswitch5\",Hostname=\"node-1\"} 20009");
    assertThat(page(1).failures()).isEmpty();
  }

  /** NSCQ starts after the engine; the links of switches are not read. */
  @Test
  void switchesThatTheEngineListsLaterAreSampledWithinAMinute() {
    fastRound(0);
    assertThat(page(1).lines()).isEmpty();
    node.set("dcgm.switches", "1");
    node.set("dcgm.switch.0.fatal", "20034");
    for (int i = 0; i < 14; i++) {
      fastRound(5);
    }
    assertThat(page(1).value(DcgmMetrics.NVSWITCH_FATAL_ERRORS)).hasValue(20034);
  }

  /** With a watch of switches that ends, the engine ends all that the connection has. */
  @Test
  void sxidsAreSampledOnWhenOtherFamiliesOfSwitchesAreSelected() {
    node.set("dcgm.switches", "2");
    round(0);
    rounds(13);
    Metric errors = DcgmMetrics.NVSWITCH_FATAL_ERRORS;
    view.show(GpuView.FieldSelection.of(Map.of(errors.name(), errors)));
    rounds(13);
    node.set("dcgm.switch.1.fatal", "20034");
    rounds(2);
    assertThat(page(1).value(errors)).hasValue(20034);
  }

  @Test
  void switchesAndTheirLinksHaveTheLabelsOfDcgmExporter() {
    node.setAll(
        Map.of(
            "dcgm.switches", "2",
            "dcgm.ports", "2",
            "dcgm.switch.1.temperature", "71",
            "dcgm.switch.0.power", "blank",
            "dcgm.link.1.0.fatal", "20034",
            "dcgm.link.1.1.crc", "7",
            "dcgm.link.*.0.rx", "4096",
            "dcgm.link.0.*.ecc", "blank"));
    round(0);
    assertThat(links())
        .contains(
            "DCGM_FI_DEV_NVSWITCH_TEMPERATURE_CURRENT{nvswitch=\"nvswitch1\",Hostname=\"node-1\"} 71",
            "DCGM_FI_DEV_NVSWITCH_POWER_VDD{nvswitch=\"nvswitch1\",Hostname=\"node-1\"} 60",
            "DCGM_FI_DEV_NVSWITCH_RESET_REQUIRED{nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 0",
            "DCGM_FI_DEV_NVSWITCH_LINK_STATUS{nvlink=\"1\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 2",
            "DCGM_FI_DEV_NVSWITCH_LINK_FATAL_ERRORS{nvlink=\"0\",nvswitch=\"nvswitch1\",Hostname=\"node-1\"} 20034",
            "DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS{nvlink=\"1\",nvswitch=\"nvswitch1\",Hostname=\"node-1\"} 7",
            "DCGM_FI_DEV_NVSWITCH_LINK_THROUGHPUT_RX{nvlink=\"0\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 4096")
        .as("2 switches without a blank power, 4 links with 6 values and one SXid, 2 without ECC")
        .hasSize(5 + 4 * 6 + 1 + 2);
    assertThat(page(3).failures()).isEmpty();
  }

  @Test
  void whatANodeHasNotOfSwitchesIsNoFailure() {
    round(0);
    round(60);
    assertThat(links()).isEmpty();
    assertThat(page(3).failures()).isEmpty();
  }

  @Test
  void aFieldOfALinkThatIsRejectedCostsItselfOnly() {
    node.setAll(Map.of("dcgm.switches", "1", "dcgm.ports", "1", "dcgm.reject.787", "6"));
    round(0);
    assertThat(links())
        .contains(
            "lapwing_dcgm_field_rejected{field=\"DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS\",reason=\"not_supported\"} 1",
            "DCGM_FI_DEV_NVSWITCH_LINK_ECC_ERRORS{nvlink=\"0\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 0")
        .noneMatch(line -> line.startsWith("DCGM_FI_DEV_NVSWITCH_LINK_CRC_ERRORS"));
  }

  /** A port to which nothing is connected is off all the time. */
  @Test
  void aLinkThatGoesDownOrOffStaysAndOneThatComesUpIsAdded() {
    node.setAll(Map.of("dcgm.switches", "1", "dcgm.ports", "2"));
    round(0);
    node.setAll(
        Map.of(
            "dcgm.link.0.0.status", "3",
            "dcgm.link.0.1.status", "0",
            "dcgm.link.0.7.status", "2"));
    round(60);
    assertThat(links())
        .filteredOn(line -> line.startsWith("DCGM_FI_DEV_NVSWITCH_LINK_STATUS"))
        .containsExactly(
            "DCGM_FI_DEV_NVSWITCH_LINK_STATUS{nvlink=\"0\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 3",
            "DCGM_FI_DEV_NVSWITCH_LINK_STATUS{nvlink=\"1\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 0",
            "DCGM_FI_DEV_NVSWITCH_LINK_STATUS{nvlink=\"7\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 2");
  }

  @Test
  void aListOfLinksThatIsRefusedIsAFailureAndCostsNoKnownLink() {
    node.setAll(Map.of("dcgm.switches", "1", "dcgm.ports", "1"));
    round(0);
    List<String> before = links();
    node.set("system.return.dcgmGetNvLinkLinkStatus", "3");
    assertThat(round(60)).isEqualTo(Access.READY);
    assertThat(links()).hasSameSizeAs(before);
    assertThat(page(3).failures()).containsExactly("dcgmGetNvLinkLinkStatus: generic_error");

    node.clear("system.return.dcgmGetNvLinkLinkStatus");
    round(60);
    assertThat(page(3).failures()).isEmpty();
  }

  @Test
  void linksAreReadOnlyWhenTheyAreDueAndSelected() {
    node.setAll(Map.of("dcgm.switches", "1", "dcgm.ports", "1"));
    node.set("system.return.dcgmGetNvLinkLinkStatus", "10");
    view.show(GpuView.FieldSelection.of(Map.of()));
    round(0);
    assertThat(links()).isEmpty();

    node.clear("system.return.dcgmGetNvLinkLinkStatus");
    view.show(
        GpuView.FieldSelection.of(
            Map.of(
                DcgmMetrics.NVSWITCH_LINK_ECC_ERRORS.name(),
                DcgmMetrics.NVSWITCH_LINK_ECC_ERRORS)));
    fastRound(5);
    assertThat(links()).isEmpty();
    round(60);
    assertThat(links())
        .containsExactly(
            "DCGM_FI_DEV_NVSWITCH_LINK_ECC_ERRORS{nvlink=\"0\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 0");

    view.show(GpuView.FieldSelection.of(Map.of()));
    round(60);
    assertThat(links()).isEmpty();
  }

  @Test
  void linksThatTheEngineSamplesNoMoreAreStale() {
    node.setAll(Map.of("dcgm.switches", "1", "dcgm.ports", "1", "dcgm.link.0.0.fatal", "12028"));
    round(0);
    passed += 181;
    source.begin(source.collectors());
    assertThat(links())
        .as("an error is an event, of whatever age")
        .containsExactly(
            "DCGM_FI_DEV_NVSWITCH_LINK_FATAL_ERRORS{nvlink=\"0\",nvswitch=\"nvswitch0\",Hostname=\"node-1\"} 12028");
    assertThat(page(3).failures()).isNotEmpty();
  }

  @Test
  void graceCpusHaveTheLabelsOfDcgmExporter() {
    node.setAll(
        Map.of(
            "dcgm.cpus", "2",
            "dcgm.cpu.*.utilization", "0.5",
            "dcgm.cpu.1.temperature", "43.9",
            "dcgm.cpu.1.power", "187.5"));
    round(0);
    assertThat(page(2).lines())
        .as("a utilization needs two samples")
        .noneMatch(line -> line.startsWith("DCGM_FI_DEV_CPU_UTIL_TOTAL"));
    round(5);
    assertThat(page(2).lines())
        .hasSize(12)
        .contains(
            "DCGM_FI_DEV_CPU_UTIL_TOTAL{cpu=\"0\",Hostname=\"node-1\"} 0.5",
            "DCGM_FI_DEV_CPU_TEMP_CURRENT{cpu=\"1\",Hostname=\"node-1\"} 43.9",
            "DCGM_FI_DEV_CPU_POWER_UTIL_CURRENT{cpu=\"1\",Hostname=\"node-1\"} 187.5",
            "DCGM_FI_DEV_CPU_POWER_LIMIT{cpu=\"0\",Hostname=\"node-1\"} 500",
            "DCGM_FI_DEV_SYSIO_POWER_UTIL_CURRENT{cpu=\"0\",Hostname=\"node-1\"} 30",
            "DCGM_FI_DEV_MODULE_POWER_UTIL_CURRENT{cpu=\"1\",Hostname=\"node-1\"} 1300");
    assertThat(page(2).failures()).isEmpty();
  }

  /** DCGM reads 0 where a sensor's file is missing, and blank where it cannot be read. */
  @Test
  void aSensorOfACpuThatIsMissingHasNoSeries() {
    node.setAll(
        Map.of(
            "dcgm.cpus", "1",
            "dcgm.cpu.0.utilization", "0",
            "dcgm.cpu.0.temperature", "blank",
            "dcgm.cpu.0.sysio_power", "0",
            "dcgm.cpu.0.module_power", "0"));
    round(0);
    round(5);
    assertThat(page(2).lines())
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_CPU_UTIL_TOTAL{cpu=\"0\",Hostname=\"node-1\"} 0",
            "DCGM_FI_DEV_CPU_POWER_UTIL_CURRENT{cpu=\"0\",Hostname=\"node-1\"} 180",
            "DCGM_FI_DEV_CPU_POWER_LIMIT{cpu=\"0\",Hostname=\"node-1\"} 500");
    assertThat(page(2).failures()).isEmpty();
  }

  @Test
  void aFieldOfACpuThatIsRejectedCostsItselfOnly() {
    node.setAll(Map.of("dcgm.cpus", "1", "dcgm.reject.1131", "6"));
    round(0);
    assertThat(page(2).lines())
        .contains(
            "lapwing_dcgm_field_rejected{field=\"DCGM_FI_DEV_CPU_POWER_LIMIT\",reason=\"not_supported\"} 1",
            "DCGM_FI_DEV_CPU_POWER_UTIL_CURRENT{cpu=\"0\",Hostname=\"node-1\"} 180");
  }

  @Test
  void aNodeWithoutGraceHasNothingOfIt() {
    round(0);
    assertThat(page(2).lines()).isEmpty();
    assertThat(page(2).failures()).isEmpty();
  }

  @Test
  void whileTheGpusAreReleasedNoEngineIsUsed() {
    source = source(new DcgmMode.Embedded());
    round(0);
    assertThat(driver.release().users()).isEqualTo(1);

    driver.release().set(Optional.of("for maintenance"));
    assertThat(round(5))
        .isEqualTo(new Access.Down("released", "the GPUs are released for maintenance"));
    assertThat(driver.release().users()).isZero();

    driver.release().set(Optional.empty());
    assertThat(round(5)).isEqualTo(Access.READY);
  }

  @Test
  void anEmbeddedEngineEndsWhenAnotherIsStarted() throws IOException {
    source = source(new DcgmMode.Embedded());
    assertThat(round(0)).isEqualTo(Access.READY);
    Path other = Files.createDirectories(node.procfs().resolve("812")).resolve("comm");

    Files.writeString(other, "nv-hostengine\n");
    assertThat(round(60)).asString().contains("engine_elsewhere", "nv-hostengine (pid 812)");
    assertThat(driver.release().users()).isZero();

    Files.delete(other);
    assertThat(round(60)).isEqualTo(Access.READY);
  }

  @Test
  void aSourceThatIsClosedLeavesNothing() {
    board.need(uuid(0));
    round(0);
    round(5);
    source.close();
    assertThat(active(0)).isEmpty();
    assertThat(board.why(uuid(0))).isEqualTo("dcgm_off");
  }
}
