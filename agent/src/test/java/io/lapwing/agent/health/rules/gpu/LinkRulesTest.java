package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkRulesTest {

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

  private final RuleRun down = new RuleRun(new NvlinkDown());
  private final RuleRun errors = new RuleRun(new NvlinkErrors());
  private final RuleRun state = new RuleRun(new FabricState());
  private final RuleRun health = new RuleRun(new FabricHealth());
  private final RuleRun pcie = new RuleRun(new PcieLink());

  private static NodeSnapshots mask(int mask) {
    return healthy().value(3, DcgmMetrics.FABRIC_HEALTH_MASK, mask);
  }

  private static NodeSnapshots fabric(int state) {
    return healthy().value(3, DcgmMetrics.FABRIC_MANAGER_STATUS, state);
  }

  @Test
  void linksThatAreDownAreNamed() {
    Detection detection = down.one(healthy().links(3, link -> link != 5 && link != 7));

    assertThat(detection.what()).isEqualTo("2 of 18 NVLinks are down (links 5 and 7)");
    assertThat(detection.subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(detection.disposition())
        .isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
    assertThat(down.what(healthy().links(3, link -> link != 17)))
        .isEqualTo("1 of 18 NVLinks is down (link 17)");
    assertThat(down.what(healthy().links(3, link -> false))).isEqualTo("18 of 18 NVLinks are down");
    assertThat(down.what(healthy().value(3, GpuMetrics.NVLINKS_UP, 16)))
        .as("links that are not told of")
        .isEqualTo("2 of 18 NVLinks are down");
  }

  @Test
  void aGpuThatIsRentedAloneMayHaveLinksThatLeadNowhere() {
    down.silent(healthy().nvlinksExpected(0).links(3, link -> false));
    NodeSnapshots alone = healthy().unseen().state(3, healthy().view().gpus().get(3).state());
    down.silent(alone.unknownType().links(3, link -> false));
  }

  @Test
  void theGpuGivesTheNumberOfLinksWhereTheTypeIsUnknown() {
    assertThat(down.what(healthy().unknownType().links(3, link -> link > 0)))
        .isEqualTo("1 of 18 NVLinks is down (link 0)");
    assertThat(down.what(healthy().unknownType().links(3, link -> false)))
        .as("the other GPUs' links are up")
        .isEqualTo("18 of 18 NVLinks are down");
    down.silent(healthy().unknownType().links(3, link -> link > 0).without(3, GpuMetrics.NVLINKS));
  }

  @Test
  void linksThatCannotBeReadAreNotDown() {
    down.silent(healthy().without(3, GpuMetrics.NVLINKS_UP));
  }

  /** The driver disables them. */
  @Test
  void theLinksOfAGpuInMigModeAreNotJudged() {
    down.silent(healthy().value(3, DcgmMetrics.MIG_MODE, 1).links(3, link -> false));
  }

  @Test
  void oneReplayCountsAndIsCountedOnce() {
    NodeSnapshots node =
        healthy()
            .grew(3, DcgmMetrics.NVLINK_ERROR_DL_REPLAY, 3)
            .grew(3, DcgmMetrics.NVLINK_REPLAY_ERROR_COUNT_TOTAL, 3)
            .grew(3, DcgmMetrics.NVLINK_ERROR_DL_RECOVERY, 1)
            .value(3, GpuMetrics.NVLINK_ERRORS, 3, "5", "dl_replay")
            .value(3, GpuMetrics.NVLINK_ERRORS, 1, "5", "dl_recovery")
            .value(3, GpuMetrics.NVLINK_ERRORS, 0, "9", "dl_crc");

    assertThat(errors.what(node))
        .isEqualTo(
            "NVLink: 3 replays and 1 recovery event in the last 10 min (errors so far on link 5)");
    assertThat(errors.one(node).disposition())
        .as("the link repairs a few")
        .isEqualTo(Disposition.info());
    assertThat(errors.one(healthy().grew(3, DcgmMetrics.NVLINK_ERROR_DL_REPLAY, 10)).disposition())
        .isEqualTo(WATCH);
    assertThat(
            errors
                .one(healthy().grew(3, DcgmMetrics.NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS, 1))
                .disposition())
        .isEqualTo(WATCH);
    errors.silent(healthy().grew(3, DcgmMetrics.NVLINK_ERROR_DL_REPLAY, 0));
  }

  @Test
  void kindsOfTheFifthGenerationCount() {
    for (Metric metric : new NvlinkErrors().spec().trends()) {
      assertThat(errors.aws(healthy().grew(3, metric, 1))).as(metric.name()).hasSize(1);
    }
    assertThat(
            errors.what(healthy().grew(3, DcgmMetrics.NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS, 1)))
        .isEqualTo("NVLink: 1 malformed packet in the last 10 min");
    errors.silent(healthy().grew(3, DcgmMetrics.NVLINK_COUNT_RX_SYMBOL_ERRORS, 1000));
  }

  @Test
  void crcErrorsAreAFaultFromAHundredASecondAndAnInfoBelow() {
    NodeSnapshots many = healthy().grew(3, DcgmMetrics.NVLINK_ERROR_DL_CRC, 60_000);
    NodeSnapshots few = healthy().grew(3, DcgmMetrics.NVLINK_ERROR_DL_CRC, 59_999);

    assertThat(errors.one(many).disposition()).isEqualTo(WATCH);
    assertThat(errors.one(few).disposition()).isEqualTo(Disposition.info());
    assertThat(errors.what(few)).isEqualTo("NVLink: 59999 CRC errors in the last 10 min");
    errors.silent(healthy().grew(3, DcgmMetrics.NVLINK_ERROR_DL_CRC, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "1, has not started to join the NVLink fabric",
    "2, has not finished joining the NVLink fabric"
  })
  void aGpuThatDoesNotJoinTheFabricCannotWork(int value, String what) {
    assertThat(state.what(fabric(value))).isEqualTo(what);
    assertThat(state.one(fabric(value)).disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
  }

  @Test
  void aGpuThatJoinedWithAnErrorHasNotJoined() {
    assertThat(state.what(healthy().value(3, DcgmMetrics.FABRIC_MANAGER_ERROR_CODE, 999)))
        .isEqualTo("could not join the NVLink fabric (NVML error 999)");
  }

  /** Of a node on which systemd runs no fabric manager. */
  private static Disposition withoutManager(String model) {
    NodeSnapshot view = fabric(1).view();
    NodeFacts facts =
        new NodeFacts(
            "node-1",
            "p5.48xlarge",
            "i-0",
            view.node().expected(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.of(false));
    GpuStatus gpu =
        view.gpus().stream()
            .filter(one -> one.index() == 3)
            .map(one -> new GpuStatus(one.part(), 3, one.pci(), model))
            .findFirst()
            .orElseThrow();
    RuleSpec spec = new FabricState().spec();
    return new FabricState()
        .evaluate(
            gpu,
            new NodeSnapshot(
                view.now(),
                facts,
                view.driver(),
                view.agent(),
                List.of(gpu),
                List.of(),
                view.history(),
                view.trends()),
            new RulePolicy(spec, true, spec.aws(), Map.of()))
        .orElseThrow()
        .disposition();
  }

  @Test
  void onlyANodeWithSwitchesOfItsOwnHasAFabricManager() {
    assertThat(withoutManager("NVIDIA H100 80GB HBM3").action()).isEqualTo(Action.RESTART_SERVICE);
    assertThat(withoutManager("NVIDIA GB200").action()).isEqualTo(Action.REBOOT_NODE);
    assertThat(withoutManager("NVIDIA GB300").action()).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void aGpuThatFailedToJoinHasNotJoined() {
    assertThat(state.what(fabric(4).value(3, DcgmMetrics.FABRIC_MANAGER_ERROR_CODE, 10)))
        .isEqualTo("could not join the NVLink fabric (NVML error 10)");
    assertThat(state.what(fabric(4))).isEqualTo("could not join the NVLink fabric");
  }

  @Test
  void aFabricStateThatIsNotKnownIsUnknown() {
    Detection detection = state.one(fabric(5));

    assertThat(detection.disposition()).isEqualTo(Disposition.unknown());
    assertThat(detection.what())
        .isEqualTo("is in a state of the NVLink fabric that this version does not recognise");
  }

  @Test
  void aGpuWithoutAFabricHasNoneToJoin() {
    state.silent(fabric(0));
    state.silent(fabric(2).nvlinksExpected(0));
    state.silent(fabric(2).unknownType().without(3, GpuMetrics.NVSWITCH_LINKS));
    assertThat(state.aws(fabric(2).unknownType())).hasSize(1);
    state.silent(healthy().without(3, DcgmMetrics.FABRIC_MANAGER_STATUS));
  }

  @ParameterizedTest
  @CsvSource({
    "0x0001, its bandwidth is degraded",
    "0x01a9, its bandwidth is degraded",
    "0x0010, a route is unhealthy",
    "0x0011, its bandwidth is degraded and a route is unhealthy",
    "0x0200, it is not configured correctly: the system GUID is wrong",
    "0x05aa, it is not configured correctly: there are too few NVLinks",
    "0x0800, it is not configured correctly: the state of the GPU is not valid",
    "0x0f00, it is not configured correctly: reason 15"
  })
  void theFieldsOfTheHealthMaskAreRead(int mask, String what) {
    assertThat(health.what(mask(mask))).isEqualTo("NVLink fabric: " + what);
    assertThat(health.one(mask(mask)).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(health.oneForNvidia(mask(mask)).disposition())
        .isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
  }

  @ParameterizedTest
  @CsvSource({"0x0004, a route is recovering", "0x0040, it is recovering from an access timeout"})
  void aFabricThatMendsItselfIsWatched(int mask, String what) {
    assertThat(health.what(mask(mask))).isEqualTo("NVLink fabric: " + what);
    assertThat(health.one(mask(mask)).disposition()).isEqualTo(WATCH);
  }

  @ParameterizedTest
  @CsvSource({"0", "0x00aa", "0x01aa", "0x0100", "0x11aa", "0x21aa", "0x0002"})
  void aMaskThatIsNotZeroIsNotYetAFault(int mask) {
    health.silent(mask(mask));
  }

  @Test
  void theSummaryCountsWhereTheMaskShowsNothing() {
    assertThat(health.what(healthy().value(3, DcgmMetrics.FABRIC_HEALTH_SUMMARY, 2)))
        .isEqualTo("NVLink fabric: the driver reports it as unhealthy");
    assertThat(health.what(healthy().value(3, DcgmMetrics.FABRIC_HEALTH_SUMMARY, 3)))
        .isEqualTo("NVLink fabric: its capacity is limited");
    health.silent(healthy().value(3, DcgmMetrics.FABRIC_HEALTH_SUMMARY, 0));
    health.silent(mask(1).nvlinksExpected(0));
  }

  @Test
  void aNarrowLinkIsReportedEvenOnAnIdleGpu() {
    NodeSnapshots node =
        healthy().value(3, DcgmMetrics.PCIE_LINK_WIDTH, 8).value(3, DcgmMetrics.GPU_UTIL, 0);

    assertThat(pcie.what(node)).isEqualTo("PCIe: 8 of 16 lanes");
    assertThat(pcie.one(node).agedBy(Duration.ofMinutes(59)).disposition()).isEqualTo(WATCH);
    assertThat(pcie.one(node).agedBy(Duration.ofHours(1)).disposition())
        .isEqualTo(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END));
  }

  /** A healthy g6e.2xlarge shows 8 of 16. */
  @Test
  void lanesOfPcieCardsAreComparedWithThoseOfTheNodesOtherGpus() {
    NodeSnapshots cards = healthy().nvlinksExpected(0);
    IntStream.range(0, 8).forEach(gpu -> cards.value(gpu, DcgmMetrics.PCIE_LINK_WIDTH, 8));
    pcie.silent(cards);
    assertThat(pcie.what(cards.value(3, DcgmMetrics.PCIE_LINK_WIDTH, 4)))
        .isEqualTo("PCIe: 4 of 8 lanes");
  }

  @Test
  void aSlowLinkIsAFaultOnABusyGpuOnly() {
    NodeSnapshots node = healthy().value(3, DcgmMetrics.PCIE_LINK_GEN, 3);

    assertThat(pcie.what(node)).isEqualTo("PCIe: generation 3 of 5 while the GPU is busy");
    pcie.silent(node.value(3, DcgmMetrics.GPU_UTIL, 9));
    assertThat(pcie.aws(node.value(3, DcgmMetrics.GPU_UTIL, 10))).hasSize(1);
    pcie.silent(node.value(3, DcgmMetrics.PSTATE, 2));
    pcie.silent(healthy().value(3, DcgmMetrics.PCIE_LINK_GEN, 3).without(3, DcgmMetrics.GPU_UTIL));
  }

  @Test
  void replaysCountByTheMinute() {
    assertThat(pcie.what(healthy().grew(3, DcgmMetrics.PCIE_REPLAY_COUNTER, 320)))
        .isEqualTo("PCIe: 32 replays a minute");
    pcie.silent(healthy().grew(3, DcgmMetrics.PCIE_REPLAY_COUNTER, 319));
    assertThat(
            new RuleRun(new PcieLink())
                .with("replays_per_minute", 8)
                .aws(healthy().grew(3, DcgmMetrics.PCIE_REPLAY_COUNTER, 80)))
        .hasSize(1);
  }

  @Test
  void fatalErrorsCountSinglyAndOthersInNumbers() {
    assertThat(
            pcie.what(
                healthy()
                    .grew(3, GpuMetrics.PCIE_ERRORS, 1, "fatal")
                    .grew(3, GpuMetrics.PCIE_ERRORS, 10, "non_fatal")))
        .isEqualTo(
            "PCIe: 1 fatal error in the last 10 min; 10 non-fatal errors in the last 10 min");
    pcie.silent(healthy().grew(3, GpuMetrics.PCIE_ERRORS, 9, "non_fatal"));
    pcie.silent(healthy().grew(3, GpuMetrics.PCIE_ERRORS, 500, "bad_dllp"));
  }

  @Test
  void aLinkWithoutAKnownLimitIsNotBelowIt() {
    pcie.silent(
        healthy()
            .value(3, DcgmMetrics.PCIE_LINK_WIDTH, 8)
            .value(3, DcgmMetrics.PCIE_LINK_GEN, 1)
            .without(3, DcgmMetrics.PCIE_MAX_LINK_WIDTH, DcgmMetrics.PCIE_MAX_LINK_GEN));
  }
}
