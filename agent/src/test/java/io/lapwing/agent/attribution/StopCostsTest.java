package io.lapwing.agent.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.StopCost;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StopCostsTest {

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final List<PartStatus> parts = new ArrayList<>();

  private final class Rank {

    private final String job;
    private final int number;
    private final Map<Metric, Map<List<String>, Double>> values = new HashMap<>();

    Rank(String job, int number, String worldSize) {
      this.job = job;
      this.number = number;
      set(TrainingMetrics.INFO, 1, "GPU-" + number, worldSize, "", "");
      set(TrainingMetrics.VERIFIED, 1).set(TrainingMetrics.OWNER, 1000);
    }

    Rank set(Metric metric, double value, String... labels) {
      values.put(metric, Map.of(List.of(labels), value));
      return this;
    }

    /** A checkpoint that is durable for {@code durable} seconds, of an older state. */
    Rank saved(double step, double unsaved, double durable) {
      return set(TrainingMetrics.LAST_CHECKPOINT, step)
          .set(TrainingMetrics.LAST_CHECKPOINT_TIME, at(durable), "loop")
          .unsaved(unsaved);
    }

    Rank unsaved(double seconds) {
      return set(TrainingMetrics.UNSAVED_SINCE, at(seconds));
    }

    private static double at(double secondsAgo) {
      return NOW.getEpochSecond() - secondsAgo;
    }

    void runs() {
      runs(PartStatus.State.ANSWERS);
    }

    void runs(PartStatus.State state) {
      parts.add(
          new PartStatus(
              "training",
              job + "/" + number,
              Labels.of("job_id", job, "run", "base", "rank", Integer.toString(number)),
              state,
              "",
              metric -> values.getOrDefault(metric, Map.of())));
    }
  }

  private Rank rank(String job, int number, String worldSize) {
    return new Rank(job, number, worldSize);
  }

  private List<StopCost> costs() {
    return StopCosts.of(
        new NodeSnapshot(
            NOW,
            new NodeFacts(
                "node",
                "",
                "",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("570", 8),
            AgentStatus.ALL_AVAILABLE,
            List.of(),
            parts,
            History.EMPTY,
            (part, metric, labels, window) -> OptionalDouble.empty()));
  }

  @Test
  void aJobLosesTheWorkOfAllItsGpusSinceItsLastDurableCheckpoint() {
    rank("4711", 0, "512").saved(1000, 720, 660).runs();
    rank("4711", 1, "512").runs();

    assertThat(costs())
        .containsExactly(
            new StopCost(
                "4711",
                "base",
                OptionalLong.of(1000),
                Optional.of(NOW.minusSeconds(660)),
                NOW.minusSeconds(720),
                Duration.ofMinutes(12),
                512,
                false));
    assertThat(costs().get(0).rankSeconds()).isEqualTo(720.0 * 512);
    assertThat(costs().get(0).sentence())
        .isEqualTo(
            "stopping job 4711, run base, now loses 12 min of 512 GPUs (102.4 GPU hours): its last"
                + " durable checkpoint is of step 1000");
  }

  @Test
  void aJobHasWhatAllOfItsRanksHaveSaved() {
    rank("4711", 0, "").saved(1100, 60, 50).runs();
    rank("4711", 1, "").saved(1000, 720, 660).runs();
    rank("4711", 2, "").runs();

    assertThat(costs()).hasSize(1);
    assertThat(costs().get(0).step()).hasValue(1000);
    assertThat(costs().get(0).gpus()).as("its ranks here").hasValue(3);
  }

  @Test
  void withoutADurableCheckpointAllSinceTheStartIsLost() {
    rank("4711", 0, "8").unsaved(7500).runs();

    assertThat(costs().get(0).durable()).isEmpty();
    assertThat(costs().get(0).sentence())
        .isEqualTo(
            "stopping job 4711, run base, now loses 2 h 5 min of 8 GPUs (16.7 GPU hours): it has no"
                + " durable checkpoint yet");
  }

  /** Seven MIG instances, two ranks on one GPU, and an instance that is known by its UUID alone. */
  @Test
  void ranksOnPartsOfGpusAreNotCountedAsGpus() {
    List<String> all = TrainingMetrics.INFO.labels();
    List<String> info = all.subList(all.indexOf("UUID"), all.size());
    for (int number = 0; number < 7; number++) {
      String[] labels = new String[info.size()];
      Arrays.fill(labels, "");
      labels[info.indexOf("UUID")] = "GPU-mig" + number;
      labels[info.indexOf("world_size")] = "7";
      labels[info.indexOf("GPU_I_ID")] = Integer.toString(number + 7);
      rank("mig", number, "").saved(5, 3600, 60).set(TrainingMetrics.INFO, 1, labels).runs();
    }
    rank("two", 0, "2").saved(5, 3000, 60).runs();
    rank("two", 1, "2").set(TrainingMetrics.INFO, 1, "GPU-0", "2").runs();
    rank("uuid", 2, "1").saved(5, 2400, 60).set(TrainingMetrics.INFO, 1, "MIG-1", "1").runs();
    rank("whole", 3, "1").saved(5, 60, 60).runs();

    assertThat(costs())
        .extracting(StopCost::gpus)
        .containsExactly(
            OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), OptionalInt.of(1));
    assertThat(costs().get(0).sentence())
        .isEqualTo(
            "stopping job mig, run base, now loses 1 h 0 min of 7 ranks, which share GPUs: its last"
                + " durable checkpoint is of step 5");
    assertThat(costs().get(2).sentence()).contains("of 1 rank, which shares a GPU: ");
  }

  @Test
  void jobsThatDoNotReportAndRanksThatAreNotVerifiedHaveNoCost() {
    rank("4711", 0, "8").runs();
    rank("4712", 0, "8").saved(5, 60, 60).set(TrainingMetrics.VERIFIED, 0).runs();
    rank("4713", 0, "8").saved(5, 60, 60).runs(PartStatus.State.HUNG);

    assertThat(costs()).isEmpty();
  }

  @Test
  void theMostExpensiveJobIsFirstAndTwoUsersAreNeverOneJob() {
    rank("4711", 0, "8").saved(5, 60, 60).runs();
    rank("4711", 1, "8").saved(5, 6000, 60).set(TrainingMetrics.OWNER, 1001).runs();

    assertThat(costs())
        .extracting(StopCost::lost)
        .map(Duration::toSeconds)
        .containsExactly(6000L, 60L);
  }

  @Test
  void oddValuesAreBounded() {
    rank("4711", 0, "99999999999").saved(5, -200, -200).runs();
    rank("4712", 0, "-7").saved(5, 60, 60).runs();
    rank("4713", 0, "2000000000").saved(5, 60, 60).runs();

    assertThat(costs()).extracting(StopCost::ranks).containsExactly(10_000_000, 1, 1);
    assertThat(costs()).extracting(StopCost::lost).contains(Duration.ZERO);
  }
}
