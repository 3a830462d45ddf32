package io.lapwing.agent.attribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.agent.health.Slowness;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.host.HostMetrics;
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Labels;
import io.lapwing.training.TrainingMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepTimeAttributionTest {

  private static final double GIB = 1024.0 * 1024 * 1024;

  private final TrainingNode node = new TrainingNode();

  private static double total(Slowness slowness, int rank, String cause) {
    return slowness.totals().stream()
        .filter(total -> total.labels().values().get(2).equals(String.valueOf(rank)))
        .filter(total -> total.labels().values().get(5).equals(cause))
        .mapToDouble(Slowness.Total::seconds)
        .sum();
  }

  /** With that index of a GPU. */
  private static double ofGpu(Slowness slowness, int rank, String gpu, String cause) {
    return slowness.totals().stream()
        .map(Slowness.Total::labels)
        .filter(labels -> labels.values().get(2).equals(String.valueOf(rank)))
        .filter(labels -> labels.values().get(4).equals(gpu))
        .filter(labels -> labels.values().get(5).equals(cause))
        .mapToDouble(labels -> seconds(slowness, labels))
        .sum();
  }

  private static double seconds(Slowness slowness, Labels labels) {
    return slowness.totals().stream()
        .filter(total -> total.labels().equals(labels))
        .mapToDouble(Slowness.Total::seconds)
        .sum();
  }

  private static String sentence(Slowness slowness, int rank) {
    return slowness.ranks().stream()
        .filter(one -> one.subject().equals("training:4711/" + rank))
        .map(Slowness.Rank::sentence)
        .findFirst()
        .orElse("");
  }

  @Test
  void aRankThatTheKernelDoesNotConfirmLosesNothingAndIsNoSibling() {
    node.isNotVerified(0).takes(0, TrainingMetrics.COMPUTE_SECONDS, 0.001);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42);
    Slowness slow = node.minutes(1);
    assertThat(slow.totals())
        .noneMatch(total -> total.labels().values().get(2).equals("0"))
        .anyMatch(total -> total.labels().values().get(2).equals("1"));
  }

  @Test
  void everyRankHasEveryCauseFromItsFirstMinuteOn() {
    Slowness quiet = node.minutes(5);
    assertThat(quiet.ranks()).isEmpty();
    assertThat(quiet.totals())
        .as("its own, and those of others but the network")
        .hasSize(TrainingNode.RANKS * (2 * Cause.values().length - 1))
        .allMatch(total -> total.seconds() == 0);
  }

  @Test
  void aStragglerIsNamedWithItsGpuAndWaitingRanksHaveTheSameCause() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42).clock(3, 1200);
    for (int rank = 0; rank < 3; rank++) {
      node.takes(rank, TrainingMetrics.COMMUNICATION_WAIT_SECONDS, 0.22);
    }
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 3, "gpu")).isCloseTo(12, within(1e-6));
    assertThat(total(slow, 0, "gpu")).isCloseTo(12, within(1e-6));
    assertThat(ofGpu(slow, 3, "3", "gpu")).as("it is slow").isCloseTo(12, within(1e-6));
    assertThat(ofGpu(slow, 0, "0", "gpu")).as("it only waits").isZero();
    assertThat(ofGpu(slow, 0, "", "gpu")).isCloseTo(12, within(1e-6));
    assertThat(sentence(slow, 3))
        .isEqualTo(
            "rank 3 of job 4711 (GPU 3) lost 12.0 s of 62.0 s of steps to its GPU: computing took"
                + " 420 ms a step instead of 300 ms, and GPU 3 runs at 1200 MHz, its siblings at"
                + " 1980 MHz");
    assertThat(sentence(slow, 0))
        .contains(
            " of steps to rank 3 of job 4711: ",
            "rank 3 of job 4711 is slow: GPU 3 runs at 1200 MHz");
  }

  /** The last stage has the head of the model. */
  @Test
  void stagesOfAPipelineAreNoSiblings() {
    for (int rank = 0; rank < TrainingNode.RANKS; rank++) {
      node.stage(rank, "" + rank).takes(rank, TrainingMetrics.COMMUNICATION_WAIT_SECONDS, 0.22);
    }
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42).clock(3, 1500);
    assertThat(node.minutes(40).ranks()).isEmpty();
    node.stage(0, "0").stage(1, "0").stage(2, "0").stage(3, "0");
    assertThat(total(node.minutes(1), 3, "gpu")).as("of one stage").isCloseTo(12, within(1e-6));
  }

  @Test
  void aSlowStageIsFoundByItsOwnPastAndTheOthersWaitForIt() {
    for (int rank = 0; rank < TrainingNode.RANKS; rank++) {
      node.stage(rank, rank < 3 ? "0" : "1");
    }
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42)
        .takes(0, TrainingMetrics.COMMUNICATION_WAIT_SECONDS, 0.22);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 3, "unknown")).isCloseTo(12, within(1e-6));
    assertThat(sentence(slow, 0)).contains("rank 3 of job 4711 is slow");
  }

  @Test
  void aStragglerWithoutEvidenceHasAnUnknownCause() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 3, "unknown")).isCloseTo(12, within(1e-6));
    assertThat(sentence(slow, 3)).endsWith("; no further evidence on this node");
  }

  /** Uneven work: the GPU that works is at its power limit, those that wait are not. */
  @Test
  void aLowClockAtThePowerLimitIsEvidenceOnlyIfTheSiblingsAreAtTheirs() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42).clock(3, 1500).reports(3, "power_cap");
    assertThat(total(node.minutes(1), 3, "unknown")).isCloseTo(12, within(1e-6));
    node.reports(1, "power_cap").reports(2, "power_cap");
    assertThat(total(node.minutes(1), 3, "gpu")).isCloseTo(12, within(1e-6));
  }

  @Test
  void anXidOfAMigInstanceIsEvidenceForTheRankOnIt() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42).contained(3, 7);
    assertThat(total(node.minutes(1), 3, "unknown")).isCloseTo(12, within(1e-6));
    node.instance(3, "9");
    assertThat(total(node.minutes(1), 3, "unknown")).isCloseTo(24, within(1e-6));
    node.instance(3, "7");
    assertThat(total(node.minutes(1), 3, "gpu")).isCloseTo(12, within(1e-6));
    node.contained(3, 8);
    assertThat(total(node.minutes(1), 3, "gpu")).as("both").isCloseTo(24, within(1e-6));
  }

  @Test
  void aClockThatIsALittleLowerDoesNotAccountForALongTime() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.45).clock(3, 1800);
    assertThat(total(node.minutes(1), 3, "unknown")).isCloseTo(15, within(1e-6));
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.34);
    assertThat(total(node.minutes(1), 3, "gpu")).isCloseTo(4, within(1e-6));
  }

  /** Clocks at the power limit differ from GPU to GPU and from moment to moment. */
  @Test
  void aLowClockExplainsNoLossThatTheSiblingsHaveToo() {
    node.minutes(5);
    node.all(TrainingMetrics.COMPUTE_SECONDS, 0.42).clock(3, 1300);
    assertThat(total(node.minutes(1), 3, "unknown")).isCloseTo(12, within(1e-6));
    node.beside("host", "").grew("host", HostMetrics.PRESSURE, 18, "memory", "some");
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 3, "host")).isCloseTo(12, within(1e-6));
    assertThat(sentence(slow, 3)).contains("tasks waited for memory in 30 % of the time");
  }

  @Test
  void whereWaitingIsNotToldApartTheSlowClockOfOneGpuMaySlowAllRanks() {
    node.without(TrainingMetrics.COMMUNICATION_WAIT_SECONDS).minutes(5);
    node.all(TrainingMetrics.COMPUTE_SECONDS, 0.42).clock(3, 1300);
    assertThat(total(node.minutes(1), 3, "gpu")).isCloseTo(12, within(1e-6));
  }

  @Test
  void waitingForDataIsInputIfTheGpusWereIdle() {
    node.minutes(5);
    node.all(TrainingMetrics.DATA_WAIT_SECONDS, 0.5);
    node.grew("gpu:" + TrainingNode.uuid(1), GpuMetrics.SM_ACTIVE_SECONDS, 20);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 1, "input")).isCloseTo(50, within(1e-6));
    assertThat(total(slow, 2, "input")).isZero();
    assertThat(total(slow, 2, "unknown")).isCloseTo(50, within(1e-6));
    assertThat(sentence(slow, 1)).contains("the SMs of GPU 1 were active in 33 % of the time");
  }

  @Test
  void errorsOfTheMemoryAreTheGpu() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.42);
    assertThat(total(node.minutes(1), 3, "unknown")).isCloseTo(12, within(1e-6));
    node.grew("gpu:" + TrainingNode.uuid(3), DcgmMetrics.ECC_SBE_VOL_TOTAL, 500);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 3, "gpu")).isCloseTo(12, within(1e-6));
    assertThat(sentence(slow, 3)).contains("GPU 3 had 500 ECC errors in that minute");
  }

  @Test
  void theActivityOfADividedGpuSaysNothingOfOneInstance() {
    node.instance(1, "7").minutes(5);
    node.all(TrainingMetrics.DATA_WAIT_SECONDS, 0.5);
    node.grew("gpu:" + TrainingNode.uuid(1), GpuMetrics.SM_ACTIVE_SECONDS, 20);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 1, "input")).isZero();
    assertThat(total(slow, 1, "unknown")).isCloseTo(50, within(1e-6));
  }

  @Test
  void waitingForOthersIsTheNetworkIfEfaRetransmits() {
    node.minutes(5);
    node.beside("efa", "rdmap79s0")
        .grew("efa:rdmap79s0", EfaMetrics.TX_PACKETS, 1e6, "1")
        .grew("efa:rdmap79s0", EfaMetrics.RETRANSMITTED_PACKETS, 2e4, "1")
        .all(TrainingMetrics.COMMUNICATION_WAIT_SECONDS, 0.3);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 0, "network")).isCloseTo(20, within(1e-6));
    assertThat(sentence(slow, 0))
        .contains("EFA device rdmap79s0 retransmitted 2.0 % of its packets");
  }

  @Test
  void savingIsCheckpointIfMuchIsWritten() {
    node.minutes(5);
    node.beside("lustre", "scratch")
        .grew("lustre:scratch", LustreMetrics.WRITE_BYTES, 3 * GIB)
        .all(TrainingMetrics.CHECKPOINT_SECONDS, 0.1);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 0, "checkpoint")).isCloseTo(10, within(1e-6));
    assertThat(sentence(slow, 0)).contains("3.0 GiB were written to Lustre scratch");
  }

  @Test
  void aFileSystemThatIsSlowSaysMoreOfASaveThanWhatIsWritten() {
    node.minutes(5);
    node.beside("lustre", "scratch")
        .beside("host", "")
        .grew("lustre:scratch", LustreMetrics.WRITE_BYTES, 3 * GIB)
        .grew("host", HostMetrics.PRESSURE, 12, "io", "some")
        .all(TrainingMetrics.CHECKPOINT_SECONDS, 0.1);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 0, "checkpoint")).isCloseTo(10, within(1e-6));
    assertThat(sentence(slow, 0)).contains("tasks waited for storage in 20 % of the time");
  }

  @Test
  void slowComputingUnderPressureIsTheHost() {
    node.minutes(5);
    node.beside("host", "")
        .grew("host", HostMetrics.PRESSURE, 30, "cpu", "some")
        .all(TrainingMetrics.COMPUTE_SECONDS, 0.5);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 0, "host")).isCloseTo(20, within(1e-6));
    assertThat(sentence(slow, 0)).contains("tasks waited for a processor in 50 % of the time");
  }

  @Test
  void aRankThatWaitsForAProcessorIsNamedByItsOwnProcess() {
    node.minutes(5);
    node.beside("host", "").grew("host", HostMetrics.PRESSURE, 30, "cpu", "some");
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.5);
    assertThat(total(node.minutes(1), 3, "host")).isZero();
    node.grew("training:4711/3", TrainingMetrics.RUN_DELAY_SECONDS, 24);
    Slowness slow = node.minutes(1);
    assertThat(total(slow, 3, "host")).isCloseTo(20, within(1e-6));
    assertThat(sentence(slow, 3))
        .contains("its process waited for a processor in 40 % of the time");
  }

  @Test
  void aDelayThatIsShorterThanHalfOfTheLossOrThatAllRanksHaveIsNotItsCause() {
    node.minutes(5);
    node.takes(3, TrainingMetrics.COMPUTE_SECONDS, 0.5);
    node.grew("training:4711/3", TrainingMetrics.RUN_DELAY_SECONDS, 7);
    assertThat(total(node.minutes(1), 3, "host")).isZero();
    for (int rank = 0; rank < 4; rank++) {
      node.grew("training:4711/" + rank, TrainingMetrics.RUN_DELAY_SECONDS, 24);
    }
    assertThat(total(node.minutes(1), 3, "host")).isZero();
  }

  @Test
  void totalsNeverDecreaseWhileARankExists() {
    node.minutes(5);
    node.all(TrainingMetrics.DATA_WAIT_SECONDS, 0.5);
    double before = total(node.minutes(1), 0, "unknown");
    node.all(TrainingMetrics.DATA_WAIT_SECONDS, 0);
    assertThat(total(node.minutes(3), 0, "unknown")).isEqualTo(before);
    assertThat(total(node.restarts(0).minutes(1), 0, "unknown")).isEqualTo(before);
  }

  @Test
  void aRankWithoutCompletedStepsIsEvaluatedLater() {
    node.minutes(5);
    node.steps(0).minutes(3);
    Slowness slow = node.steps(1).all(TrainingMetrics.DATA_WAIT_SECONDS, 180).minutes(1);
    assertThat(total(slow, 0, "unknown")).isCloseTo(180, within(1e-6));
  }

  @Test
  void aRemovedRankHasNoSeries() {
    node.minutes(5);
    node.all(TrainingMetrics.DATA_WAIT_SECONDS, 0.5).minutes(1);
    Slowness fewer = node.only(2).looks();
    assertThat(fewer.totals()).hasSize(2 * (2 * Cause.values().length - 1));
    assertThat(List.of(sentence(fewer, 3), sentence(fewer, 2))).containsOnly("");
    assertThat(sentence(fewer, 1)).isNotEmpty();
  }
}
