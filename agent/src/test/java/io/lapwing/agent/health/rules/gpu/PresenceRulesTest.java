package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.NOW;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.bare;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.xid.DriverErrorRule;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PresenceRulesTest {

  private static final Disposition REBOOT = Disposition.failing(Action.REBOOT_NODE, Urgency.NOW);
  private static final DriverStatus ABSENT = new DriverStatus.Absent("no NVIDIA driver library");
  private static final DriverStatus NOT_LOADED =
      new DriverStatus.Down("driver_not_loaded", "nvmlInit_v2 answers driver_not_loaded");

  private final RuleRun count = new RuleRun(new GpuCount());
  private final RuleRun expected = new RuleRun(new GpusExpected());
  private final RuleRun lost = new RuleRun(new GpuLost());
  private final RuleRun hung = new RuleRun(new GpuHung());
  private final RuleRun driverHung = new RuleRun(new DriverHung());
  private final RuleRun driverDown = new RuleRun(new DriverDown());
  private final RuleRun blind = new RuleRun(new GpuMetricsUnavailable());

  private static DriverStatus up(int gpus) {
    return new DriverStatus.Up("570.133.20", gpus);
  }

  private static Event lostAt(int minutesAgo, String reason) {
    return new Event.GpuLost(NOW.minus(Duration.ofMinutes(minutesAgo)), uuid(3), reason);
  }

  private static Event returnedAt(int minutesAgo) {
    return new Event.GpuReturned(NOW.minus(Duration.ofMinutes(minutesAgo)), uuid(3));
  }

  @Test
  void aMissingGpuCallsForAReboot() {
    Detection detection = count.one(healthy().driver(up(7)).pciGpus(7));

    assertThat(detection.what())
        .isEqualTo("the driver counts 7 of 8 expected GPUs (7 on the PCI bus)");
    assertThat(detection.subject()).isEqualTo(Subject.NODE);
    assertThat(detection.disposition()).isEqualTo(REBOOT);
    assertThat(count.what(healthy().driver(up(0)).noPciBus()))
        .isEqualTo("the driver counts 0 of 8 expected GPUs");
  }

  private static Event initFailed(String gpu) {
    return new Event.GpuInitFailed(
        NOW.minusSeconds(60),
        gpu,
        "0000:97:00",
        "RmInitAdapter failed! (0x62:0x40:2477)",
        1,
        OptionalLong.empty());
  }

  @Test
  void aMissingGpuHasTheDriversMessageAsEvidenceUntilTheNextBoot() {
    NodeSnapshots node = healthy().driver(up(7)).pciGpus(8).happened(initFailed(""));
    Detection detection = count.one(node);

    assertThat(detection.what())
        .isEqualTo(
            "the driver counts 7 of 8 expected GPUs (8 on the PCI bus); the kernel log says why for"
                + " 0000:97:00: RmInitAdapter failed! (0x62:0x40:2477)");
    assertThat(detection.sources()).contains("kernel log");
    assertThat(count.what(node.happened(new Event.Booted(NOW.minusSeconds(30), "b", ""))))
        .isEqualTo("the driver counts 7 of 8 expected GPUs (8 on the PCI bus)");
  }

  @Test
  void aGpuThatWasNotInitializedIsFailingUntilItAnswers() {
    HealthRule rule = DriverErrorRule.all().get(0);
    RuleRun init = new RuleRun(rule);
    NodeSnapshots down = healthy().state(3, PartStatus.State.DOWN).happened(initFailed(uuid(3)));

    assertThat(init.one(down).disposition()).isEqualTo(REBOOT);
    assertThat(init.one(down).subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(init.one(healthy().happened(initFailed(""))).subject().text())
        .isEqualTo("gpu:0000:97:00");
    init.silent(healthy().happened(initFailed(uuid(3))));
    assertThat(rule.canEvaluate(new Subject.Gpu("0000:97:00"), healthy().view())).isTrue();
  }

  @Test
  void thePciBusGivesTheExpectedGpusWhereNothingElseDoes() {
    assertThat(count.what(healthy().nothingExpected().driver(up(7))))
        .isEqualTo("the driver counts 7 of 8 GPUs on the PCI bus");
    count.silent(healthy().nothingExpected().driver(up(7)).noPciBus());
    count.silent(healthy().nothingExpected().driver(up(8)).pciGpus(7));
    count.silent(healthy().driver(up(8)).pciGpus(9));
  }

  @Test
  void moreGpusThanExpectedAreReportedAndChangeNoVerdict() {
    Detection detection = count.one(healthy().expectedGpus(4));

    assertThat(detection.what()).isEqualTo("the driver counts 8 GPUs, 4 expected");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void expectedGpusWithoutALibraryAreUnknownRatherThanFailing() {
    Detection detection = count.one(healthy().unseen().driver(ABSENT));

    assertThat(detection.disposition().severity()).isEqualTo(Severity.UNKNOWN);
    assertThat(detection.what())
        .isEqualTo(
            "none of 8 expected GPUs (8 on the PCI bus) can be read: no NVIDIA driver library");
    assertThat(count.what(healthy().unseen().driver(ABSENT).nothingExpected()))
        .isEqualTo("none of 8 GPUs on the PCI bus can be read: no NVIDIA driver library");
  }

  @Test
  void anUnknownNodeNeedsItsOperatorsConfiguration() {
    Detection detection = expected.one(bare());

    assertThat(detection.disposition()).isEqualTo(Disposition.unknown());
    assertThat(detection.what())
        .contains("it is unknown whether")
        .endsWith("if it should have none");
    count.silent(bare());
  }

  @Test
  void aNodeThatShouldHaveNoGpuIsWell() {
    for (NodeSnapshots node : new NodeSnapshots[] {bare().pciGpus(0), bare().expectedGpus(0)}) {
      expected.silent(node);
      count.silent(node);
    }
    expected.silent(bare().pciGpus(8));
    expected.silent(bare().driver(up(0)));
  }

  @Test
  void aDriverThatIsNotLoadedCallsForAReboot() {
    Detection detection = driverDown.one(healthy().unseen().driver(NOT_LOADED));

    assertThat(detection.what()).isEqualTo("the driver is not loaded");
    assertThat(detection.disposition()).isEqualTo(REBOOT);
    assertThat(
            driverDown.what(healthy().driver(new DriverStatus.Down("unknown", "it answers 999"))))
        .isEqualTo("the driver does not answer: it answers 999");
  }

  @Test
  void aDriverThatWasUpgradedWaitsForTheEndOfTheJob() {
    Detection detection =
        driverDown.one(
            healthy().driver(new DriverStatus.Down("lib_rm_version_mismatch", "it is another")));

    assertThat(detection.what()).isEqualTo("the driver in the kernel is not the installed version");
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END));
  }

  @Test
  void aMachineWithoutGpusMayHaveALibraryAndNoDriver() {
    driverDown.silent(bare().driver(NOT_LOADED).pciGpus(0));
    driverDown.silent(bare().driver(NOT_LOADED).expectedGpus(0));
    assertThat(driverDown.one(bare().driver(NOT_LOADED)).disposition())
        .isEqualTo(Disposition.unknown());
    assertThat(driverDown.one(bare().driver(NOT_LOADED).pciGpus(1)).disposition())
        .isEqualTo(REBOOT);
    assertThat(
            driverDown.one(healthy().driver(NOT_LOADED).nothingExpected().noPciBus()).disposition())
        .as("its GPUs were seen")
        .isEqualTo(REBOOT);
  }

  @Test
  void aDriverThatHangsCallsForAReboot() {
    Detection detection =
        driverHung.one(healthy().driver(new DriverStatus.Hung(Duration.ofMinutes(5))));

    assertThat(detection.what()).isEqualTo("a call into the driver has not returned for 5 min");
    assertThat(detection.disposition()).isEqualTo(REBOOT);
    assertThat(detection.agedBy(Duration.ofSeconds(42)).disposition())
        .as("it may return")
        .isEqualTo(Disposition.unknown());
    assertThat(detection.agedBy(Duration.ofMinutes(2)).disposition()).isEqualTo(REBOOT);
    Detection another =
        driverHung.one(healthy().driver(new DriverStatus.Hung(Duration.ofSeconds(6))));
    assertThat(another.agedBy(Duration.ofMinutes(5)).disposition())
        .as("the one before returned")
        .isEqualTo(Disposition.unknown());
  }

  @Test
  void aGpuThatHangsCallsForAReboot() {
    Detection detection = hung.one(healthy().state(3, PartStatus.State.HUNG));

    assertThat(detection.subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(detection.what()).isEqualTo("a call to it does not return");
    assertThat(detection.disposition()).isEqualTo(REBOOT);
    assertThat(detection.agedBy(Duration.ofMinutes(5)).disposition())
        .as("not for two minutes yet")
        .isEqualTo(Disposition.unknown());
    lost.silent(healthy().state(3, PartStatus.State.HUNG));
  }

  private static DriverStatus silent(DriverStatus.SilentGpu... gpus) {
    return new DriverStatus.Up("570.133.20", 8, List.of(gpus));
  }

  @Test
  void aGpuThatHangsSinceBeforeTheStartIsAFindingOfTheNode() {
    Duration threeMinutes = Duration.ofMinutes(3);
    NodeSnapshots node =
        healthy()
            .driver(
                silent(
                    new DriverStatus.SilentGpu(3, "", Duration.ofSeconds(6)),
                    new DriverStatus.SilentGpu(5, "", threeMinutes)));
    Detection detection = hung.one(node);

    assertThat(detection.subject()).isEqualTo(Subject.NODE);
    assertThat(detection.what())
        .isEqualTo("a call to GPUs 3 and 5 does not return, the first since the agent started");
    assertThat(detection.agedBy(threeMinutes).disposition()).isEqualTo(REBOOT);
    Detection early =
        hung.one(
            healthy().driver(silent(new DriverStatus.SilentGpu(3, "", Duration.ofSeconds(6)))));
    assertThat(early.agedBy(threeMinutes).disposition()).isEqualTo(Disposition.unknown());
    lost.silent(node);
  }

  @Test
  void aGpuThatNeverAnsweredIsLostOrUnknown() {
    NodeSnapshots off =
        healthy().driver(silent(new DriverStatus.SilentGpu(4, "gpu_is_lost", Duration.ZERO)));
    assertThat(lost.one(off).subject()).isEqualTo(Subject.NODE);
    assertThat(lost.what(off))
        .isEqualTo(
            "the driver counts GPU 4, without an answer since the agent started (gpu_is_lost)");
    assertThat(lost.one(off).disposition()).isEqualTo(REBOOT);
    NodeSnapshots refused =
        healthy().driver(silent(new DriverStatus.SilentGpu(4, "no_permission", Duration.ZERO)));
    assertThat(lost.one(refused).disposition()).isEqualTo(Disposition.unknown());
    hung.silent(off);
  }

  @Test
  void aGpuThatWasLostBeforeARestartIsNotFoundTwice() {
    NodeSnapshots restarted =
        healthy()
            .unseen(3)
            .driver(silent(new DriverStatus.SilentGpu(3, "gpu_is_lost", Duration.ZERO)))
            .happened(lostAt(7, "gpu_is_lost"));

    assertThat(lost.one(restarted).subject()).isEqualTo(new Subject.Gpu(uuid(3)));
  }

  @Test
  void aGpuThatRefusesIsLostAndTheReasonIsNamed() {
    Detection detection =
        lost.one(healthy().state(3, PartStatus.State.DOWN).happened(lostAt(7, "gpu_is_lost")));

    assertThat(detection.what()).isEqualTo("no longer answers (gpu_is_lost)");
    assertThat(detection.disposition()).isEqualTo(REBOOT);
    assertThat(detection.since()).contains(NOW.minus(Duration.ofMinutes(7)));
    assertThat(detection.last()).contains(NOW);
    assertThat(lost.what(healthy().state(3, PartStatus.State.DOWN))).isEqualTo("no longer answers");
    assertThat(lost.what(healthy().state(3, PartStatus.State.GONE)))
        .isEqualTo("the driver no longer counts it");
  }

  @Test
  void aGpuThatOnlyRequiresAResetGetsOne() {
    NodeSnapshots node = healthy().happened(lostAt(7, "reset_required"));

    assertThat(lost.one(node.state(3, PartStatus.State.DOWN)).disposition())
        .isEqualTo(Disposition.failing(Action.RESET_GPU, Urgency.NOW));
    assertThat(lost.one(node.state(3, PartStatus.State.GONE)).disposition()).isEqualTo(REBOOT);
  }

  @Test
  void aGpuThatWasLostBeforeTheAgentStartedIsStillLost() {
    assertThat(lost.what(healthy().unseen(3).happened(lostAt(7, "gpu_is_lost"))))
        .isEqualTo("was lost and has not been seen since (gpu_is_lost)");
  }

  @Test
  void aGpuThatAnswersOrReturnedIsNotLost() {
    lost.silent(healthy().happened(lostAt(7, "gpu_is_lost")));
    lost.silent(healthy().unseen(3).happened(lostAt(7, "x")).happened(returnedAt(6)));
    assertThat(
            lost.aws(
                healthy().unseen(3).happened(returnedAt(8)).happened(lostAt(7, "gpu_is_lost"))))
        .hasSize(1);
  }

  @Test
  void afterABootOnlyTheCountIsUsed() {
    lost.silent(
        healthy()
            .unseen(3)
            .happened(lostAt(7, "gpu_is_lost"))
            .happened(new Event.Booted(NOW.minus(Duration.ofMinutes(5)), "boot", "i-1")));
  }

  @Test
  void aGpuWithoutMetricsThatOthersHaveIsUnknown() {
    Detection detection =
        blind.one(healthy().without(3, DcgmMetrics.ROW_REMAP_FAILURE, GpuMetrics.NVLINKS_UP));

    assertThat(detection.subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(detection.disposition()).isEqualTo(Disposition.unknown());
    assertThat(detection.what())
        .isEqualTo(
            "answers, but without DCGM_FI_DEV_ROW_REMAP_FAILURE and lapwing_gpu_nvlinks_up, which other GPUs have");
  }

  @Test
  void aMetricThatNoGpuHasIsMissingFromNone() {
    blind.silent(healthy().withoutAnywhere(DcgmMetrics.ROW_REMAP_FAILURE));
    blind.silent(healthy().without(3, DcgmMetrics.FABRIC_HEALTH_MASK));
  }

  @Test
  void aGpuWithMigNeedsNoRowCounts() {
    NodeSnapshots node =
        healthy()
            .value(3, DcgmMetrics.MIG_MODE, 1)
            .without(
                3,
                DcgmMetrics.ROW_REMAP_FAILURE,
                DcgmMetrics.ROW_REMAP_PENDING,
                GpuMetrics.NVLINKS_UP);

    blind.silent(node);
    assertThat(blind.what(node.without(3, DcgmMetrics.GPU_TEMP))).contains("GPU_TEMP");
  }

  @Test
  void aGpuThatHungBeforeTheDriverWasSeenToHangIsCalledHungNoMore() {
    Subject gpu = new Subject.Gpu(uuid(3));
    NodeSnapshots node = healthy().state(3, PartStatus.State.HUNG);

    assertThat(new GpuHung().canEvaluate(gpu, node.view())).isFalse();
    node.driver(new DriverStatus.Hung(Duration.ofMinutes(1)));
    assertThat(new GpuHung().canEvaluate(gpu, node.view())).isTrue();
    assertThat(new GpuLost().canEvaluate(gpu, node.view())).isFalse();
  }

  @Test
  void aGpuThatAnswersLateMayStillHang() {
    Subject gpu = new Subject.Gpu(uuid(3));
    NodeSnapshots late = healthy().state(3, PartStatus.State.ANSWERS_LATE);

    hung.silent(late);
    assertThat(new GpuHung().canEvaluate(gpu, late.view())).isFalse();
    assertThat(new GpuHung().canEvaluate(gpu, healthy().view())).isTrue();
  }

  @Test
  void aGpuWithoutEccNeedsNoErrorCounts() {
    NodeSnapshots node =
        healthy()
            .value(3, DcgmMetrics.ECC_CURRENT, 0)
            .without(3, DcgmMetrics.ECC_DBE_VOL_TOTAL, DcgmMetrics.THRESHOLD_SRM);

    blind.silent(node);
    assertThat(blind.what(node.value(3, DcgmMetrics.ECC_CURRENT, 1))).contains("ECC_DBE_VOL");
  }

  @Test
  void aGpuWhoseGspDoesNotRespondRequiresAReset() {
    NodeSnapshots node =
        healthy()
            .state(3, PartStatus.State.DOWN)
            .happened(xid(3, 119, 20))
            .happened(lostAt(10, "unknown"));

    assertThat(lost.one(node).disposition())
        .isEqualTo(Disposition.failing(Action.RESET_GPU, Urgency.NOW));
    assertThat(
            lost.one(node.happened(new Event.GpuReset(minutesAgo(5), uuid(3), "test")))
                .disposition())
        .as("a reset did not help")
        .isEqualTo(REBOOT);
    assertThat(
            lost.one(
                    healthy()
                        .state(3, PartStatus.State.DOWN)
                        .happened(xid(3, 119, 20))
                        .happened(lostAt(10, "gpu_is_lost")))
                .disposition())
        .as("it fell off the bus")
        .isEqualTo(REBOOT);
  }

  private static Instant minutesAgo(int minutes) {
    return NOW.minus(Duration.ofMinutes(minutes));
  }

  private static Event xid(int gpu, int number, int minutesAgo) {
    return new Event.Xid(
        minutesAgo(minutesAgo),
        uuid(gpu),
        "",
        OptionalInt.empty(),
        OptionalInt.empty(),
        number,
        OptionalLong.empty(),
        "",
        "",
        OptionalInt.empty(),
        Set.of(Event.Origin.KERNEL),
        1,
        OptionalLong.empty());
  }

  @Test
  void anErrorOfTheDriverIsNotALostGpu() {
    for (String reason : List.of("driver_not_loaded", "uninitialized")) {
      assertThat(new GpuStatus("GPU-3", 3, "", PartStatus.State.DOWN, reason, Values.NONE).lost())
          .as(reason)
          .isFalse();
    }
    assertThat(
            new GpuStatus("GPU-3", 3, "", PartStatus.State.DOWN, "gpu_is_lost", Values.NONE).lost())
        .isTrue();
  }

  @Test
  void aGpuThatDoesNotAnswerIsNotReportedAsUnreadableToo() {
    blind.silent(healthy().state(3, PartStatus.State.HUNG));
  }

  @Test
  void aNodeIsNotHealthyBetweenAReleaseAndTheFindingOfALostGpu() {
    assertThat(new GpusReleased().spec().closeAfter())
        .isGreaterThan(new GpuLost().spec().openAfter().plus(Duration.ofSeconds(5)));
  }
}
