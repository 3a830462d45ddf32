package io.lapwing.agent.health.rules.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.nccl.RingNode;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.training.TrainingMetrics;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LateRanksTest {

  private static final String DP = "ae94423cfbb2ef4a";
  private static final String TP = "00000000000000bb";

  private final HealthRule straggler = new TrainingStraggler();
  private final HealthRule unknown = new StragglersUnknown();

  private static Subject rank(String name) {
    return new Subject.Part("training", name);
  }

  private static RingNode late() {
    RingNode node = RingNode.of(DP, 4).late(DP, 2, 20, 18, 22);
    for (int rank : List.of(0, 1, 3)) {
      node.waited(DP, rank, 20, 18, 22);
    }
    return node;
  }

  @Test
  void theRankThatComesLastIsNamed() {
    Detection found = late().one(straggler);
    assertThat(found.subject()).isEqualTo(rank("4711/2"));
    assertThat(found.what())
        .isEqualTo(
            "entered collectives 0.020 s after the first of 4 ranks here, on average of 3000 in the"
                + " last 4 min: they waited for it in 25 % of the time (median of the ranks: 0 %);"
                + " communicator ae94423cfbb2ef4a (dp), process 8402 on GPU 2 (GPU-2)");
    assertThat(found.disposition().severity()).isEqualTo(Severity.INFO);
    assertThat(found.disposition().action()).isEqualTo(Action.WATCH);
    assertThat(found.since()).contains(RingNode.NOW.minusSeconds(240));
  }

  @Test
  void evenRanksHaveNoFinding() {
    RingNode node = RingNode.of(DP, 4);
    for (int rank = 0; rank < 4; rank++) {
      node.late(DP, rank, 9, 10, 11).waited(DP, rank, 11, 9, 10);
    }
    assertThat(node.detections(straggler)).isEmpty();
    assertThat(RingNode.of(DP, 4).late(DP, 2, 3, 3, 3).detections(straggler)).isEmpty();
    assertThat(RingNode.of(DP, 1).late(DP, 0, 40, 40, 40).detections(straggler)).isEmpty();
  }

  @Test
  void workThatMovesFromRankToRankIsNotHardware() {
    RingNode node = RingNode.of(DP, 4);
    node.late(DP, 0, 60, 0, 0).late(DP, 1, 0, 60, 0).late(DP, 2, 0, 0, 60);
    assertThat(node.detections(straggler)).isEmpty();
  }

  @Property(tries = 50)
  void randomUnevenWorkIsNotHardware(@ForAll long seed) {
    Random random = new Random(seed);
    double[][] late = new double[8][3];
    for (int step = 0; step < 600; step++) {
      late[random.nextInt(8)][step * 3 / 600] += 0.25;
    }
    RingNode node = RingNode.of(DP, 8);
    for (int rank = 0; rank < 8; rank++) {
      node.late(DP, rank, late[rank]);
    }
    assertThat(node.detections(straggler)).isEmpty();
  }

  @Test
  void aPartOfTheTimeIsNotEnough() {
    RingNode node = late();
    for (int rank = 0; rank < 4; rank++) {
      node.grew(RingMetrics.COMPARED, DP, rank, 0, 0, 3000);
    }
    assertThat(node.late(DP, 2, 0, 0, 60).detections(straggler)).isEmpty();
    for (int rank = 0; rank < 4; rank++) {
      node.grew(RingMetrics.COMPARED, DP, rank, 0, 1500, 1500);
    }
    assertThat(node.late(DP, 2, 0, 30, 30).detections(straggler)).hasSize(1);
  }

  @Test
  void aRankThatWaitedForAnotherOneItselfIsNotTheCause() {
    // Rank 1 is slow: its peer 0 of tensor parallelism waits for it, and so is late in DP.
    RingNode node = RingNode.of(DP, 4).member(TP, 0).member(TP, 1);
    node.late(DP, 0, 20, 20, 20).late(DP, 1, 20, 20, 20);
    node.late(TP, 1, 20, 20, 20).waited(TP, 0, 20, 20, 20);
    node.waited(DP, 2, 20, 20, 20).waited(DP, 3, 20, 20, 20);
    assertThat(node.one(straggler).subject()).isEqualTo(rank("4711/1"));
  }

  @Test
  void stagesThatAreLateAlikeHaveOneFinding() {
    // Ranks 0 to 3 are the stages of one replica, 4 to 7 of the other; one of the former is slow.
    RingNode node = RingNode.of("00000000000000d0", 1).member("00000000000000d0", 4);
    for (int stage = 0; stage < 4; stage++) {
      String comm = "00000000000000d" + stage;
      node.member(comm, stage).member(comm, stage + 4);
      node.late(comm, stage, 20, 20, 20).waited(comm, stage + 4, 20, 20, 20);
    }
    Detection found = node.one(straggler);
    assertThat(found.subject()).isEqualTo(rank("4711"));
    assertThat(found.what())
        .contains("late alike, in different communicators", "25 % of the last 4 min");
    assertThat(found.disposition().severity()).isEqualTo(Severity.INFO);
    node.gpu(2, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "hw_thermal");
    assertThat(node.one(straggler).subject()).isEqualTo(rank("4711/2"));
    node.late("00000000000000d1", 1, 40, 40, 40);
    assertThat(node.detections(straggler)).hasSize(2);
  }

  @Test
  void ofManyCollectivesASampleIsCompared() {
    RingNode node = RingNode.of(DP, 4).late(DP, 2, 2, 2, 2);
    assertThat(node.detections(straggler)).isEmpty();
    node.grew(RingMetrics.TIMED, DP, 2, 10_000, 10_000, 10_000);
    assertThat(node.one(straggler).what()).contains("in 25 % of the time");
  }

  @Test
  void aProcessThatTheKernelDoesNotConfirmIsNotNamed() {
    assertThat(late().without(RingMetrics.RANK_PROCESS).detections(straggler)).isEmpty();
  }

  @Test
  void theHardwareIsSuspectedOnlyWithASignOfItsOwn() {
    assertSuspected(late().gpu(2, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "hw_thermal"), "throttled");
    RingNode clock = late();
    for (int gpu = 0; gpu < 4; gpu++) {
      clock.gpu(gpu, DcgmMetrics.SM_CLOCK, gpu == 2 ? 1200 : 1980);
    }
    assertSuspected(clock, "its clock is lower");
    RingNode link = late().gpu(2, DcgmMetrics.PCIE_LINK_WIDTH, 8);
    link.gpu(2, DcgmMetrics.PCIE_MAX_LINK_WIDTH, 16);
    assertThat(link.one(straggler).disposition().severity()).isEqualTo(Severity.INFO);
    assertSuspected(link.gpu(3, DcgmMetrics.PCIE_LINK_WIDTH, 16), "fewer lanes");
    assertSuspected(
        late().grew("gpu:GPU-2", DcgmMetrics.PCIE_REPLAY_COUNTER, List.of(), 900), "repeats");
    assertSuspected(
        late().grew("gpu:GPU-2", DcgmMetrics.NVLINK_ERROR_DL_REPLAY, List.of(), 90), "NVLinks");
    RingNode other = late().gpu(3, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "hw_thermal");
    assertThat(other.one(straggler).disposition().severity()).isEqualTo(Severity.INFO);
  }

  private void assertSuspected(RingNode node, String sign) {
    Detection found = node.one(straggler);
    assertThat(found.disposition().severity()).isEqualTo(Severity.DEGRADED);
    assertThat(found.why()).contains(sign);
  }

  @Test
  void aProcessThatWaitsForAProcessorIsNoFaultOfTheGpu() {
    RingNode node = late().step(2, "training");
    node.grew("training:llm/2", TrainingMetrics.RUN_DELAY_SECONDS, List.of(), 180);
    Detection found = node.one(straggler);
    assertThat(found.subject()).isEqualTo(rank("llm/2"));
    assertThat(found.disposition().severity()).isEqualTo(Severity.INFO);
    assertThat(found.why()).contains("waited for a processor in 30 % of the last 10 min");
  }

  @Test
  void aRankHasOneFinding() {
    RingNode node = late();
    for (int rank = 0; rank < 4; rank++) {
      node.step(rank, "training");
      String part = "training:llm/" + rank;
      double compute = rank == 2 ? 60 : 30;
      node.grew(part, TrainingMetrics.STEPS, List.of(), 200, 200, 200);
      node.grew(part, TrainingMetrics.COMPUTE_SECONDS, List.of(), compute, compute, compute);
    }
    assertThat(node.one(straggler).what()).startsWith("computed ");
  }

  @Test
  void aJobWhoseCollectivesAreComparedIsNotUnknown() {
    RingNode node = RingNode.of(DP, 4);
    for (int rank = 0; rank < 4; rank++) {
      node.step(rank, "training");
    }
    assertThat(node.detections(unknown)).isEmpty();
    Detection found = node.without(RingMetrics.COMPARED).one(unknown);
    assertThat(found.what())
        .contains("Loop(loader, model=ddp)")
        .contains("NCCL_PROFILER_PLUGIN=/usr/lib/lapwing/nccl/liblapwing-nccl.so");
  }
}
