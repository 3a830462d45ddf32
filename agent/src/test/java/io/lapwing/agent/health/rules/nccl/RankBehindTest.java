package io.lapwing.agent.health.rules.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.training.TrainingMetrics;
import org.junit.jupiter.api.Test;

class RankBehindTest {

  private static final String DP = "ae94423cfbb2ef4a";
  private static final String TP = "00000000000000bb";
  private static final String OTHER = "00000000000000cc";

  private final HealthRule rule = new RankBehind();

  private static Subject rank(String name) {
    return new Subject.Part("training", name);
  }

  @Test
  void ranksThatTakePartHaveNoFinding() {
    assertThat(RingNode.of(DP, 4).detections(rule)).isEmpty();
    assertThat(RingNode.of(DP, 0).detections(rule)).isEmpty();
  }

  @Test
  void theRankThatHasNotEnteredIsNamed() {
    Detection found = RingNode.of(DP, 4).behind(DP, 3, 42, "not_entered", 0, 1, 2).one(rule);
    assertThat(found.subject()).isEqualTo(rank("4711/3"));
    assertThat(found.what())
        .isEqualTo(
            "has not entered AllReduce 6650 of communicator ae94423cfbb2ef4a (dp), in which ranks"
                + " 0, 1 and 2 have waited for 42 s; process 8403 on GPU 3 (GPU-3)");
    assertThat(found.disposition().severity()).isEqualTo(Severity.INFO);
    assertThat(found.disposition().action()).isEqualTo(Action.WATCH);
    assertThat(found.since()).contains(RingNode.NOW.minusSeconds(42));
  }

  @Test
  void aShortWaitIsNoFinding() {
    assertThat(RingNode.of(DP, 4).behind(DP, 3, 29, "not_entered", 0, 1).detections(rule))
        .isEmpty();
  }

  @Test
  void aRankWhoseGpuHasNotStartedItIsNamed() {
    assertThat(RingNode.of(DP, 2).behind(DP, 1, 42, "not_started", 0).one(rule).what())
        .isEqualTo(
            "has enqueued AllReduce 6650 of communicator ae94423cfbb2ef4a (dp), in which rank 0"
                + " has waited for 42 s, and its GPU has not started it; process 8401 on GPU 1"
                + " (GPU-1)");
  }

  @Test
  void theStateOfItsProcessIsSaid() {
    RingNode node = RingNode.of(DP, 2).behind(DP, 1, 42, "not_entered", 0);
    assertThat(
            node.ring(RingMetrics.PROCESS_STATE, 1, RingNode.with(DP, 1, "blocked"))
                .one(rule)
                .what())
        .endsWith("; process 8401 on GPU 1 (GPU-1) is in uninterruptible sleep (D)");
    assertThat(
            node.ring(RingMetrics.PROCESS_STATE, 1, RingNode.with(DP, 1, "stopped"))
                .one(rule)
                .what())
        .endsWith(" is stopped by a signal or a debugger");
  }

  @Test
  void aRankWhoseProcessIsGoneIsNamed() {
    RingNode node = RingNode.of(DP, 3).behind(DP, 1, 42, "gone", 0, 2);
    node.ring(RingMetrics.RANK_GONE, RingNode.NOW.getEpochSecond() - 40.0, RingNode.base(DP, 1));
    assertThat(node.one(rule).what())
        .isEqualTo(
            "is gone since 11:59:20Z; ranks 0 and 2 have waited for 42 s in AllReduce 6650 of"
                + " communicator ae94423cfbb2ef4a (dp); process 8401 on GPU 1 (GPU-1)");
  }

  @Test
  void whoWaitsInAnotherCommunicatorIsNotTheCause() {
    // Rank 1 does not enter TP; rank 0 waits there for it, so that rank 2 waits for rank 0 in DP.
    RingNode node = RingNode.of(TP, 2).member(DP, 0).member(DP, 2);
    node.behind(DP, 0, 60, "not_entered", 2).behind(TP, 1, 62, "not_entered", 0);
    assertThat(node.one(rule).subject()).isEqualTo(rank("4711/1"));
  }

  @Test
  void whoWaitsForAnotherNodeIsNotTheCause() {
    RingNode node = RingNode.of(DP, 2).member(OTHER, 0);
    node.behind(DP, 0, 60, "not_entered", 1);
    node.ring(RingMetrics.IN_FLIGHT, 61, RingNode.base(OTHER, 0));
    assertThat(node.detections(rule)).isEmpty();
  }

  @Test
  void ranksThatWaitForEachOtherAreNamedTogether() {
    RingNode node = RingNode.of(DP, 2).member(TP, 0).member(TP, 1);
    node.behind(DP, 0, 60, "not_entered", 1).behind(TP, 1, 60, "not_entered", 0);
    Detection found = node.one(rule);
    assertThat(found.subject()).isEqualTo(rank("4711"));
    assertThat(found.what())
        .startsWith("rank 0 has not entered AllReduce 6650 of communicator ae94423cfbb2ef4a (dp)")
        .contains("; rank 1 has not entered AllReduce 6650 of communicator 00000000000000bb (dp)");
  }

  @Test
  void severalRanksOfAJobAreOneFinding() {
    RingNode node = RingNode.of(DP, 8);
    for (int rank = 1; rank < 8; rank++) {
      node.behind(DP, rank, 60, "not_entered", 0);
    }
    Detection found = node.one(rule);
    assertThat(found.subject()).isEqualTo(rank("4711"));
    assertThat(found.what()).endsWith("; and 3 more");
  }

  @Test
  void aCheckpointOfOneRankMayTakeHalfAnHour() {
    RingNode node = RingNode.of(DP, 2).step(0, "training").step(1, "checkpoint");
    assertThat(node.behind(DP, 1, 1700, "not_entered", 0).detections(rule)).isEmpty();
    assertThat(node.behind(DP, 1, 1900, "not_entered", 0).one(rule).subject())
        .isEqualTo(rank("llm/1"));
  }

  @Test
  void aCheckpointThatHasJustEndedIsNoHang() {
    RingNode node = RingNode.of(DP, 2).step(0, "training").step(1, "training");
    double now = RingNode.NOW.getEpochSecond();
    node.behind(DP, 1, 301, "not_entered", 0);
    node.stepValue(1, TrainingMetrics.PHASE_TIME, now - 2);
    assertThat(node.detections(rule)).isEmpty();
    node.stepValue(1, TrainingMetrics.PHASE_TIME, now - 31);
    assertThat(node.one(rule).subject()).isEqualTo(rank("llm/1"));
    node.stepValue(1, TrainingMetrics.PHASE_TIME, now - 900);
    assertThat(node.one(rule).what()).contains("has waited for 5 min");
  }

  @Test
  void whoWaitsInAnotherCollectiveOfTheCommunicatorIsNotTheCause() {
    RingNode node = RingNode.of(DP, 3).behind(DP, 1, 40, "not_entered", 0, 2);
    node.ring(RingMetrics.IN_FLIGHT, 80, RingNode.base(DP, 1));
    assertThat(node.detections(rule)).isEmpty();
    node.ring(RingMetrics.IN_FLIGHT, 5, RingNode.base(DP, 1));
    assertThat(node.detections(rule)).hasSize(1);
  }

  @Test
  void ranksThatAnotherUserClaimsSuppressNothing() {
    RingNode node = RingNode.of(DP, 4).behind(DP, 3, 400, "not_entered", 0, 1, 2);
    node.ras(NcclMetrics.RANKS, 64, DP).ras(NcclMetrics.UNRESPONSIVE_RANKS, 1, DP);
    node.ras(NcclMetrics.MISSING_RANKS_HERE, 1, DP).ras(NcclMetrics.DEAD_RANKS, 0, DP);
    for (int rank = 0; rank < 4; rank++) {
      // By RAS, these ranks are on other GPUs than the processes with the files.
      node.ras(NcclMetrics.RANK_ASYNC_ERROR, 0, DP, "" + rank, "" + (rank + 4));
      node.ras(NcclMetrics.COLLECTIVES, 6650, DP, "" + rank, "AllReduce");
      node.ras(NcclMetrics.COLLECTIVES_BEHIND, rank == 3 ? 1 : 0, DP, "" + rank);
      node.ras(NcclMetrics.COLLECTIVES_STILL, 400, DP, "" + rank);
    }
    assertThat(node.detections(new RankMissing())).hasSize(1);
    assertThat(node.detections(new CollectivesStalled())).hasSize(1);
  }

  @Test
  void aProcessThatTheKernelDoesNotConfirmIsNotNamed() {
    RingNode node = RingNode.of(DP, 4).behind(DP, 3, 42, "not_entered", 0, 1, 2);
    assertThat(node.without(RingMetrics.RANK_PROCESS).detections(rule)).isEmpty();
  }

  @Test
  void rasHasNoSecondFindingOnTheSameCommunicator() {
    RingNode node = RingNode.of(DP, 4);
    node.ras(NcclMetrics.RANKS, 64, DP).ras(NcclMetrics.UNRESPONSIVE_RANKS, 1, DP);
    node.ras(NcclMetrics.MISSING_RANKS_HERE, 1, DP).ras(NcclMetrics.DEAD_RANKS, 0, DP);
    for (int rank = 0; rank < 4; rank++) {
      node.ras(NcclMetrics.COLLECTIVES, 6650, DP, "" + rank, "AllReduce");
      node.ras(NcclMetrics.RANK_ASYNC_ERROR, 0, DP, "" + rank, "" + rank);
      node.ras(NcclMetrics.COLLECTIVES_BEHIND, rank == 3 ? 1 : 0, DP, "" + rank);
      node.ras(NcclMetrics.COLLECTIVES_STILL, 400, DP, "" + rank);
    }
    assertThat(node.detections(new RankMissing())).hasSize(1);
    assertThat(node.detections(new CollectivesStalled())).hasSize(1);
    node.behind(DP, 3, 400, "not_entered", 0, 1, 2);
    assertThat(node.detections(rule)).hasSize(1);
    assertThat(node.detections(new RankMissing())).isEmpty();
    assertThat(node.detections(new CollectivesStalled())).isEmpty();
  }
}
