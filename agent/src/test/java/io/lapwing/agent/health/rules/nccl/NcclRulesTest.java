package io.lapwing.agent.health.rules.nccl;

import static io.lapwing.agent.health.rules.nccl.NcclNode.COMM;
import static io.lapwing.agent.health.rules.nccl.NcclNode.idle;
import static io.lapwing.agent.health.rules.nccl.NcclNode.training;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.nccl.NcclMetrics;
import java.util.List;
import org.junit.jupiter.api.Test;

class NcclRulesTest {

  private final HealthRule missing = rule("nccl_rank_missing");
  private final HealthRule error = rule("nccl_async_error");
  private final HealthRule still = rule("nccl_collectives_still");

  private static HealthRule rule(String name) {
    return NcclRule.all().stream()
        .filter(rule -> rule.spec().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aHealthyJobHasNoDetectionsNorHasANodeWithoutJobs() {
    for (HealthRule rule : NcclRule.all()) {
      assertThat(training().detections(rule)).as(rule.spec().name()).isEmpty();
      assertThat(idle().detections(rule)).as(rule.spec().name()).isEmpty();
      assertThat(training().state(PartStatus.State.HUNG).detections(rule)).isEmpty();
    }
  }

  @Test
  void eachSpecIsCompleteAndNoneBlamesTheNode() {
    for (HealthRule rule : NcclRule.all()) {
      RuleSpec spec = rule.spec();
      assertThat(rule.kind()).isIn("nccl", "nccl_profiler", "job_network");
      assertThat(spec.name()).matches("nccl(_[a-z]+)+");
      assertThat(List.of(spec.about(), spec.why())).allMatch(text -> text.matches("[A-Z].*\\."));
      assertThat(spec.document()).isNotBlank();
      for (Disposition disposition : List.of(spec.aws(), spec.nvidia())) {
        assertThat(disposition).isEqualTo(Disposition.EXTERNAL);
      }
    }
  }

  @Test
  void aMissingRankOfThisNodeIsWatched() {
    Detection detection = training().missing(2, 1, 1).one(missing);

    assertThat(detection.what())
        .isEqualTo(
            "2 ranks of 64 cannot be reached on communicator "
                + COMM
                + ", 1 given up by NCCL; 1 on this node");
    assertThat(detection.disposition()).isEqualTo(Disposition.EXTERNAL);
    assertThat(detection.subject()).isEqualTo(Subject.NODE);
  }

  @Test
  void aMissingRankOfAnotherNodeIsReportedWithoutAnEffectOnTheVerdict() {
    Detection detection = training().missing(1, 0, 0).one(missing);

    assertThat(detection.what())
        .isEqualTo(
            "1 rank of 64 cannot be reached on communicator " + COMM + "; none on this node");
    assertThat(detection.disposition().severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void aRankThatOnlyLeavesItsCommunicatorIsNotMissing() {
    assertThat(training().value(NcclMetrics.MISSING_RANKS, 3, COMM).detections(missing)).isEmpty();
  }

  @Test
  void theCommunicatorWithMostMissingRanksIsReported() {
    NcclNode node = training().missing(2, 0, 0);
    node.value(NcclMetrics.UNRESPONSIVE_RANKS, 1, "b").value(NcclMetrics.RANKS, 8, "b");

    assertThat(node.one(missing).what()).startsWith("2 ranks of 64 cannot be reached");
  }

  @Test
  void anErrorOfARankIsNamedWithItsGpus() {
    Detection detection = training().asyncError(2, 2).asyncError(5, 2).one(error);

    assertThat(detection.what()).isEqualTo("NCCL reports a system error on GPU 2 and GPU 5");
    assertThat(detection.disposition()).isEqualTo(Disposition.EXTERNAL);
  }

  @Test
  void anErrorOfAPeerIsInformationUnlessThereIsOneOfItsOwn() {
    assertThat(training().asyncError(2, 6).one(error).disposition().severity())
        .isEqualTo(Severity.INFO);
    Detection both = training().asyncError(2, 6).asyncError(3, 8).one(error);
    assertThat(both.what()).isEqualTo("NCCL reports a timeout on GPU 3");
    assertThat(both.disposition()).isEqualTo(Disposition.EXTERNAL);
  }

  @Test
  void whatIsInProgressIsNoErrorAndWhatIsUnknownIsOne() {
    assertThat(training().asyncError(2, 7).detections(error)).isEmpty();
    assertThat(training().asyncError(2, 99).one(error).what())
        .isEqualTo("NCCL reports error 99 on GPU 2");
    assertThat(training().value(NcclMetrics.RANK_ASYNC_ERROR, 1, COMM, "9", "").one(error).what())
        .isEqualTo("NCCL reports a CUDA error on rank 9");
  }

  @Test
  void theRankThatLagsIsNamed() {
    Detection detection = training().rank(3, 2, 300).rank(4, 1, 360).one(still);

    assertThat(detection.what())
        .isEqualTo(
            "rank 11 of communicator "
                + COMM
                + " has started no operation for 5 min and is 2 behind");
    assertThat(detection.why()).contains("Look at the rank that lags");
    assertThat(detection.disposition()).isEqualTo(Disposition.EXTERNAL);
  }

  @Test
  void aRankThatLagsAndMovesIsOnlySlow() {
    assertThat(training().rank(3, 5, 60).detections(still)).isEmpty();
    assertThat(training().rank(3, 5, 299).detections(still)).isEmpty();
  }

  @Test
  void whereAllStandStillTheyMayAllWaitOrDoSomethingElse() {
    Detection detection = training().allStill(420).one(still);

    assertThat(detection.what())
        .isEqualTo("no rank on this node has started an operation for 7 min");
    assertThat(detection.disposition().severity()).isEqualTo(Severity.INFO);
  }

  @Test
  void oneCommunicatorThatIsNotUsedIsNoHang() {
    NcclNode node = training();
    node.value(NcclMetrics.COLLECTIVES_STILL, 4000, "b", "0");
    node.value(NcclMetrics.COLLECTIVES_BEHIND, 0, "b", "0");

    assertThat(node.detections(still)).isEmpty();
  }

  @Test
  void aJobThatHasNotBegunIsNoHang() {
    assertThat(training().allStill(420).without(NcclMetrics.COLLECTIVES).detections(still))
        .isEmpty();
  }

  /** 64 ranks of experts exchange tokens; the last counted operation was long ago. */
  @Test
  void unchangedCountsAreUnknownWhileDataMoves() {
    assertThat(training().allStill(420).efaSent(2e9).detections(still)).isEmpty();
    assertThat(training().allStill(420).nvlinkSent(3, 2e9).detections(still)).isEmpty();
    assertThat(training().allStill(420).efaSent(1e6).nvlinkSent(3, 1e6).detections(still))
        .hasSize(1);
  }

  @Test
  void aRankThatIsBehindAndMovesDataIsUnknown() {
    assertThat(training().rank(3, 2, 420).efaSent(2e9).detections(still)).isEmpty();
    assertThat(training().rank(3, 2, 420).nvlinkSent(3, 2e9).detections(still)).isEmpty();
  }

  @Test
  void whatAnotherGpuMovesDoesNotExcuseARank() {
    Detection detection = training().rank(3, 2, 420).nvlinkSent(4, 2e9).one(still);

    assertThat(detection.what()).startsWith("rank 11 of communicator " + COMM);
  }

  @Test
  void aProcessThatStartsOperationsOnAnotherCommunicatorDoesNotHang() {
    NcclNode node = training().rank(3, 2, 420);
    node.value(NcclMetrics.RANK_ASYNC_ERROR, 0, "01", "1", "3");
    node.value(NcclMetrics.COLLECTIVES_STILL, 420, "01", "1");
    assertThat(node.detections(still)).hasSize(1);

    node.value(NcclMetrics.COLLECTIVES_STILL, 12, "01", "1");
    assertThat(node.detections(still)).isEmpty();
  }

  @Test
  void aCommunicatorWithoutAnyCountIsNeverStill() {
    NcclNode node = training().without(NcclMetrics.COLLECTIVES).allStill(9000);

    assertThat(node.detections(still)).isEmpty();
  }
}
