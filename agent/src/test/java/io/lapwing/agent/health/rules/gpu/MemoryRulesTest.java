package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.NOW;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.node.InstanceTypes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryRulesTest {

  private static final Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

  private final RuleRun ecc = new RuleRun(new UncorrectableEcc());
  private final RuleRun failure = new RuleRun(new RowRemapFailure());
  private final RuleRun pending = new RuleRun(new RowRemapPending());
  private final RuleRun growth = new RuleRun(new RowRemapGrowth());
  private final RuleRun banks = new RuleRun(new RemapBanks());
  private final RuleRun unrepairable = new RuleRun(new MemoryUnrepairable());
  private final RuleRun sram = new RuleRun(new SramThreshold());
  private final RuleRun off = new RuleRun(new EccDisabled());
  private final RuleRun inforom = new RuleRun(new InforomCorrupt());
  private final RuleRun size = new RuleRun(new GpuMemorySize());

  /** The driver does not report remapped rows while a GPU has MIG instances. */
  @Test
  void whatIsNotReportedIsNotGone() {
    Subject gpu = new Subject.Gpu(NodeSnapshots.uuid(3));
    NodeSnapshots divided =
        NodeSnapshots.healthy()
            .without(
                3,
                DcgmMetrics.ROW_REMAP_FAILURE,
                DcgmMetrics.ROW_REMAP_PENDING,
                DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG,
                DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW,
                DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE,
                DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS,
                DcgmMetrics.CORRECTABLE_REMAPPED_ROWS);
    for (HealthRule rule :
        List.of(
            new RowRemapFailure(),
            new MemoryUnrepairable(),
            new RowRemapPending(),
            new RemapBanks())) {
      assertThat(rule.canEvaluate(gpu, NodeSnapshots.healthy().view())).isTrue();
      assertThat(rule.canEvaluate(gpu, divided.view())).isFalse();
    }

    divided.happened(new Event.RowsRemapped(minutesAgo(20), NodeSnapshots.uuid(3), 0, 450));
    assertThat(growth.aws(divided)).hasSize(1);
    divided.happened(new Event.GpuReset(minutesAgo(10), NodeSnapshots.uuid(3), "sign"));
    assertThat(new RuleRun(new RowRemapPending()).canEvaluate(3, divided, minutesAgo(9)))
        .as("reported before the reset")
        .isTrue();
    assertThat(new RuleRun(new RowRemapPending()).canEvaluate(3, divided, minutesAgo(7)))
        .as("reported after the reset")
        .isFalse();
    assertThat(new RuleRun(new RowRemapFailure()).canEvaluate(3, divided, minutesAgo(9))).isFalse();
    NodeSnapshots hung =
        NodeSnapshots.healthy()
            .state(3, PartStatus.State.HUNG)
            .happened(new Event.RowsRemapped(minutesAgo(20), NodeSnapshots.uuid(3), 0, 1))
            .happened(new Event.GpuReset(minutesAgo(10), NodeSnapshots.uuid(3), "sign"));
    assertThat(new RuleRun(new RowRemapPending()).canEvaluate(3, hung, minutesAgo(9))).isFalse();
  }

  private static Instant ago(Duration before) {
    return NOW.minus(before);
  }

  private static Instant minutesAgo(int minutes) {
    return ago(Duration.ofMinutes(minutes));
  }

  private static Event uncorrectable(int gpu, int minutesAgo, long from, long to) {
    return new Event.EccGrowth(
        minutesAgo(minutesAgo), minutesAgo(minutesAgo + 1), uuid(gpu), false, from, to);
  }

  private static Event rows(int gpu, Duration before, long correctable, long uncorrectable) {
    return new Event.RowsRemapped(ago(before), uuid(gpu), correctable, uncorrectable);
  }

  private static Event started(Duration before) {
    return new Event.Started(ago(before), "0.2.0");
  }

  @Test
  void uncorrectableErrorsCallForAResetByNvidiaAndForAnotherMachineByAws() {
    NodeSnapshots node =
        healthy().happened(uncorrectable(3, 40, 2, 4)).happened(uncorrectable(3, 10, 4, 5));

    Detection detection = ecc.one(node);

    assertThat(detection.subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(detection.what()).isEqualTo("3 uncorrectable ECC errors");
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(ecc.oneForNvidia(node).disposition())
        .isEqualTo(Disposition.failing(Action.RESET_GPU, Urgency.NOW));
    assertThat(detection.since()).contains(minutesAgo(40));
    assertThat(detection.last()).contains(minutesAgo(10));
    assertThat(detection.times()).isEqualTo(3);
  }

  @Test
  void aResetOfThatGpuABootAndALoadedDriverEndThemForNvidia() {
    for (Event done :
        List.of(
            new Event.GpuReset(minutesAgo(5), uuid(3), "volatile counters"),
            new Event.Booted(minutesAgo(5), "boot", "i-0"),
            new Event.DriverLoaded(minutesAgo(5), "570.133.20"))) {
      NodeSnapshots node = healthy().happened(uncorrectable(3, 40, 2, 4)).happened(done);

      assertThat(ecc.nvidia(node)).as(done.toString()).isEmpty();
      assertThat(ecc.aws(node)).as("no replacement").hasSize(1);
    }
  }

  @Test
  void anotherBoardOrAClearEndsThem() {
    for (Event done :
        List.of(
            new Event.GpuRemoved(minutesAgo(5), uuid(3)),
            new Event.OperatorCleared(minutesAgo(5), "uncorrectable_ecc", "gpu:" + uuid(3), ""))) {
      NodeSnapshots node = healthy().happened(uncorrectable(3, 40, 2, 4)).happened(done);

      assertThat(ecc.nvidia(node)).as(done.toString()).isEmpty();
      assertThat(ecc.aws(node)).as(done.toString()).isEmpty();
    }
  }

  @Test
  void aResetOfAnotherGpuEndsNothing() {
    NodeSnapshots node =
        healthy()
            .happened(uncorrectable(3, 40, 2, 3))
            .happened(new Event.GpuReset(minutesAgo(5), uuid(4), "volatile counters"));

    assertThat(ecc.what(node)).isEqualTo("1 uncorrectable ECC error");
  }

  @Test
  void onlyErrorsSinceTheResetCount() {
    NodeSnapshots node =
        healthy()
            .happened(uncorrectable(3, 40, 2, 9))
            .happened(new Event.GpuReset(minutesAgo(20), uuid(3), "volatile counters"))
            .happened(uncorrectable(3, 5, 9, 10));

    assertThat(ecc.oneForNvidia(node).what()).isEqualTo("1 uncorrectable ECC error");
    assertThat(ecc.oneForNvidia(node).since()).contains(minutesAgo(5));
  }

  @Test
  void anErrorBeforeABootThatIsReadAfterItIsOver() {
    NodeSnapshots node =
        healthy()
            .happened(new Event.Booted(minutesAgo(20), "boot", "i-0"))
            .happened(new Event.EccGrowth(minutesAgo(18), minutesAgo(60), uuid(3), false, 2, 3));

    assertThat(ecc.nvidia(node)).isEmpty();
    assertThat(ecc.oneForNvidia(node.value(3, DcgmMetrics.ECC_DBE_VOL_TOTAL, 1)).what())
        .isEqualTo("1 uncorrectable ECC error");
    assertThat(ecc.oneForNvidia(node.without(3, DcgmMetrics.ECC_DBE_VOL_TOTAL)).what())
        .as("nothing shows that it came before the boot")
        .isEqualTo("1 uncorrectable ECC error");
  }

  @Test
  void aClearedErrorThatAnAgentWithoutItsHistoryFindsAgainStaysCleared() {
    NodeSnapshots cleared =
        healthy()
            .happened(uncorrectable(3, 40, 0, 2))
            .happened(new Event.OperatorCleared(minutesAgo(30), "", "gpu:" + uuid(3), ""));
    Event again = new Event.EccGrowth(minutesAgo(20), minutesAgo(20), uuid(3), false, 0, 2, true);
    Event more = new Event.EccGrowth(minutesAgo(20), minutesAgo(20), uuid(3), false, 0, 3, true);

    ecc.silent(cleared.happened(again));
    assertThat(ecc.aws(cleared.happened(more))).hasSize(1);
    assertThat(
            ecc.aws(
                cleared
                    .happened(new Event.GpuReset(minutesAgo(25), uuid(3), "a reset"))
                    .happened(again)))
        .hasSize(1);
  }

  @Test
  void aContainedErrorMayWaitForTheEndOfTheJob() {
    NodeSnapshots node = healthy().happened(xid(94, 10)).happened(uncorrectable(3, 10, 2, 3));

    assertThat(ecc.one(node).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(ecc.oneForNvidia(node).disposition())
        .isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
    assertThat(ecc.oneForNvidia(node.happened(xid(95, 9))).disposition())
        .as("another one was not")
        .isEqualTo(Disposition.failing(Action.RESET_GPU, Urgency.NOW));
  }

  @Test
  void anErrorHoursAfterAContainedOneIsNotContainedByThat() {
    NodeSnapshots node = healthy().happened(xid(94, 90)).happened(uncorrectable(3, 10, 2, 3));

    assertThat(ecc.oneForNvidia(node).disposition())
        .isEqualTo(Disposition.failing(Action.RESET_GPU, Urgency.NOW));
  }

  private static Event xid(int number, int minutesAgo) {
    return new Event.Xid(
        minutesAgo(minutesAgo),
        uuid(3),
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
  void rowsThatAResetActivatedAreAnInfoWithoutAnAction() {
    NodeSnapshots node =
        healthy()
            .happened(started(Duration.ofDays(3)))
            .happened(rows(3, Duration.ofDays(2), 0, 2))
            .happened(rows(3, Duration.ofHours(5), 0, 3))
            .happened(new Event.GpuReset(minutesAgo(20), uuid(3), "test"));

    assertThat(growth.oneForNvidia(node).disposition()).isEqualTo(Disposition.info());
    assertThat(growth.one(node).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(
            growth.oneForNvidia(node.happened(rows(3, Duration.ofMinutes(5), 0, 4))).disposition())
        .as("there are more since the reset")
        .isEqualTo(Disposition.degraded(Action.WATCH, Urgency.JOB_END));
  }

  @Test
  void correctedErrorsAreNoUncorrectableOnes() {
    ecc.silent(
        healthy()
            .happened(new Event.EccGrowth(minutesAgo(3), minutesAgo(4), uuid(3), true, 2, 900)));
  }

  @Test
  void aLostGpuKeepsItsErrors() {
    assertThat(
            ecc.what(healthy().state(3, PartStatus.State.GONE).happened(uncorrectable(3, 4, 0, 1))))
        .isEqualTo("1 uncorrectable ECC error");
  }

  @Test
  void aFailedRemapCallsForAnotherMachine() {
    Detection detection = failure.one(healthy().value(3, DcgmMetrics.ROW_REMAP_FAILURE, 1));

    assertThat(detection.what())
        .isEqualTo("a row of memory could not be remapped (2 rows were remapped before)");
    assertThat(detection.disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(
            failure.what(
                healthy()
                    .value(3, DcgmMetrics.ROW_REMAP_FAILURE, 1)
                    .without(3, DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS)))
        .isEqualTo("a row of memory could not be remapped");
  }

  @Test
  void aPendingRemapWaitsForTheEndOfTheJob() {
    NodeSnapshots node = healthy().value(3, DcgmMetrics.ROW_REMAP_PENDING, 1);

    assertThat(pending.what(node)).isEqualTo("a remapped row of memory waits for a reset");
    assertThat(pending.one(node).disposition())
        .isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END))
        .isEqualTo(pending.oneForNvidia(node).disposition());
  }

  @Test
  void rowsForUncorrectableErrorsOfADayCallForAnotherMachineByAws() {
    NodeSnapshots node =
        healthy()
            .happened(rows(3, Duration.ofHours(30), 0, 2))
            .happened(rows(3, Duration.ofHours(2), 0, 3));

    assertThat(growth.what(node))
        .isEqualTo("1 row was remapped for uncorrectable errors in the last 24 h");
    assertThat(growth.one(node).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(growth.oneForNvidia(node).disposition()).isEqualTo(WATCH);
  }

  @Test
  void eightRowsForCorrectableErrorsOfADayAreNormalAndNineAreNot() {
    NodeSnapshots node = healthy().happened(rows(3, Duration.ofHours(25), 4, 0));

    growth.silent(node.happened(rows(3, Duration.ofHours(2), 12, 0)));
    node.happened(rows(3, Duration.ofHours(1), 13, 0));

    assertThat(growth.what(node))
        .isEqualTo("9 rows were remapped for correctable errors in the last 24 h");
    assertThat(growth.one(node).disposition()).isEqualTo(WATCH);
  }

  @Test
  void rowsOfTheDayBeforeAreNoGrowth() {
    growth.silent(
        healthy()
            .happened(rows(3, Duration.ofHours(30), 0, 2))
            .happened(rows(3, Duration.ofHours(24), 20, 9)));
  }

  @Test
  void rowsOfTheFirstReadingAreNoGrowth() {
    growth.silent(
        healthy()
            .happened(started(Duration.ofMinutes(61)))
            .happened(rows(3, Duration.ofMinutes(60), 20, 9)));
    growth.silent(healthy().happened(rows(3, Duration.ofMinutes(60), 20, 9)));
  }

  @Test
  void theFirstReadingOfAGpuIsABaselineHoweverLateItComes() {
    NodeSnapshots late =
        healthy()
            .happened(started(Duration.ofHours(3)))
            .happened(rows(3, Duration.ofMinutes(60), 10, 2));

    growth.silent(late);
    assertThat(growth.what(late.happened(rows(3, Duration.ofMinutes(5), 20, 4))))
        .isEqualTo(
            "2 rows were remapped for uncorrectable errors in the last 24 h; "
                + "10 rows were remapped for correctable errors in the last 24 h");
  }

  @Test
  void aNumberOfRowsNearTheDriversLimitIsReported() {
    growth.silent(healthy().value(3, DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, 447));

    assertThat(growth.what(healthy().value(3, DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS, 448)))
        .isEqualTo("448 of at most 512 rows are remapped");
  }

  @Test
  void aBankWithoutSpareRowsIsWorseThanOneWithFew() {
    NodeSnapshots few = healthy().value(3, DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW, 2);

    assertThat(banks.what(few)).isEqualTo("2 memory banks have few spare rows left");
    assertThat(banks.one(few).disposition()).isEqualTo(WATCH);

    NodeSnapshots none = few.value(3, DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE, 1);

    assertThat(banks.what(none))
        .isEqualTo(
            "1 memory bank has no spare row left and 2 memory banks have few spare rows left");
    assertThat(banks.one(none).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(banks.oneForNvidia(none).disposition()).isEqualTo(WATCH);
  }

  @Test
  void memoryBeyondRepairCallsForAnotherMachineAndAMissingFlagForNothing() {
    NodeSnapshots node = healthy().value(3, DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG, 1);

    assertThat(unrepairable.what(node))
        .isEqualTo("the driver reports memory that cannot be repaired");
    assertThat(unrepairable.one(node).disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    assertThat(unrepairable.oneForNvidia(node).disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.NOW));
    unrepairable.silent(healthy());
    unrepairable.silent(healthy().without(3, DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG));
  }

  @Test
  void theSramLimitCallsForAnotherMachineAtTheEndOfTheJob() {
    NodeSnapshots node =
        healthy()
            .value(3, DcgmMetrics.THRESHOLD_SRM, 1)
            .value(3, GpuMetrics.SRAM_ECC_ERRORS, 5, "uncorrected_parity", "aggregate");

    assertThat(sram.what(node))
        .isEqualTo(
            "uncorrectable SRAM errors passed the driver's limit (5 by parity and 0 by SEC-DED in its life)");
    assertThat(sram.one(node).disposition())
        .isEqualTo(Disposition.failing(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(sram.what(node.without(3, GpuMetrics.SRAM_ECC_ERRORS)))
        .isEqualTo("uncorrectable SRAM errors passed the driver's limit");
  }

  @Test
  void eccThatIsOffReturnsByARebootOnlyWhereItIsConfigured() {
    NodeSnapshots off = healthy().value(3, DcgmMetrics.ECC_CURRENT, 0);

    assertThat(this.off.what(off)).isEqualTo("ECC is off until the next reboot");
    assertThat(this.off.one(off).disposition())
        .isEqualTo(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END));

    off.value(3, DcgmMetrics.ECC_PENDING, 0);

    assertThat(this.off.what(off)).isEqualTo("ECC is off");
    assertThat(this.off.one(off).disposition()).isEqualTo(WATCH);
  }

  @Test
  void eccThatWillBeOffIsReportedAndChangesNoVerdict() {
    Detection detection = off.one(healthy().value(3, DcgmMetrics.ECC_PENDING, 0));

    assertThat(detection.what()).isEqualTo("ECC will be off after the next reboot");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
  }

  @Test
  void aGpuWithoutEccHasNoDetection() {
    off.silent(healthy().withoutAnywhere(DcgmMetrics.ECC_CURRENT, DcgmMetrics.ECC_PENDING));
    off.silent(healthy().withoutAnywhere(DcgmMetrics.ECC_PENDING));
  }

  @Test
  void aCorruptedInforomCallsForAResetByNvidiaAndForAnotherMachineByAws() {
    NodeSnapshots node = healthy().value(3, DcgmMetrics.INFOROM_CONFIG_VALID, 0);

    assertThat(inforom.what(node)).isEqualTo("the InfoROM is corrupted");
    assertThat(inforom.one(node).subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(inforom.one(node).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(inforom.oneForNvidia(node).disposition())
        .isEqualTo(Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
    inforom.silent(node.value(3, DcgmMetrics.INFOROM_CONFIG_VALID, 1));
    inforom.silent(node.without(3, DcgmMetrics.INFOROM_CONFIG_VALID));
  }

  @Test
  void memoryThatIsMissingIsWatched() {
    NodeSnapshots node = healthy().value(3, DcgmMetrics.FB_TOTAL, 61_440);

    assertThat(size.what(node))
        .isEqualTo("61440 MiB of memory, 75 % of the 81559 MiB that the instance type has");
    assertThat(size.one(node).agedBy(Duration.ZERO).disposition()).isEqualTo(WATCH);
    assertThat(size.oneForNvidia(node).agedBy(Duration.ofHours(1)).disposition())
        .isEqualTo(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END));
    size.silent(node.unknownType());
  }

  @Test
  void aTwentiethOfTheMemoryMayBeMissingAndNoMore() {
    size.silent(healthy().value(3, DcgmMetrics.FB_TOTAL, 77_482));
    assertThat(size.what(healthy().value(3, DcgmMetrics.FB_TOTAL, 77_480)))
        .startsWith("77480 MiB of memory");
    assertThat(
            size.with("least_share", 0.995).aws(healthy().value(3, DcgmMetrics.FB_TOTAL, 81_000)))
        .hasSize(1);
  }

  /** NVML's totals as nvidia-smi shows them on such GPUs, beside what EC2 says. */
  @ParameterizedTest
  @CsvSource({
    "p4d.24xlarge, 40960",
    "p4d.24xlarge, 40536",
    "p4de.24xlarge, 81251",
    "p5.48xlarge, 81559",
    "p5e.48xlarge, 143771",
    "p6-b200.48xlarge, 183359",
    "g5.xlarge, 22731",
    "g6.xlarge, 23034",
    "g6e.xlarge, 46068",
    "g7e.2xlarge, 97887"
  })
  void theMemorySizeOfSoundGpusIsEnough(String type, double mebibytes) {
    NodeSnapshots node =
        healthy()
            .memoryExpected(InstanceTypes.load().find(type).orElseThrow().gpuMemoryMiB())
            .withoutAnywhere(DcgmMetrics.FB_TOTAL);

    size.silent(node.value(3, DcgmMetrics.FB_TOTAL, mebibytes));
    assertThat(size.aws(node.value(3, DcgmMetrics.FB_TOTAL, mebibytes * 0.9))).hasSize(1);
  }

  /** The rule divides it by EC2's figure, which is in MiB too. */
  @Test
  void theTotalIsInMebibytes() {
    assertThat(DcgmMetrics.FB_TOTAL.help()).contains(" MiB ");
  }
}
