package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.collect.RecordedSink;
import io.lapwing.metric.Metric;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of one rank. */
class RankSourceTest {

  /** The place of the info series. */
  private static final int INFO = 0;

  private static final String BASE =
      "{job_id=\"4711\",run=\"base\",rank=\"3\",local_rank=\"3\",gpu=\"\"}";

  private Path folder = Path.of("");
  private TrainingNode node = new TrainingNode(folder);

  @BeforeEach
  void begin(@TempDir Path made) {
    folder = made;
    node = new TrainingNode(folder);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private Path file() {
    return folder.resolve("4711.3.steps");
  }

  private void put(MadeSteps steps) throws IOException {
    steps.putInto(folder, "4711.3.steps");
  }

  private OptionalDouble value(Metric metric) {
    return node.rank().value(metric);
  }

  @Test
  void everythingThatALoopReportsIsExposed() throws IOException {
    put(MadeSteps.rank(3).steps(12));
    List<String> lines = node.poll().rank().lines();

    assertThat(lines)
        .contains(
            "lapwing_training_steps_total" + BASE + " 12",
            "lapwing_training_tokens_total" + BASE + " 12000",
            "lapwing_training_samples_total" + BASE + " 48",
            "lapwing_training_step_seconds_total" + BASE + " 1.2",
            "lapwing_training_compute_seconds_total" + BASE + " 0.72",
            "lapwing_training_last_step" + BASE + " 111",
            "lapwing_training_last_step_timestamp_seconds" + BASE + " 1772366401.2",
            "lapwing_training_usual_step_seconds" + BASE + " 0.1",
            "lapwing_training_loss" + BASE + " 2.5",
            "lapwing_training_learning_rate" + BASE + " 0.0003",
            "lapwing_training_model_flops_per_token" + BASE + " 6000000000",
            "lapwing_training_missed_records_total" + BASE + " 0",
            "lapwing_training_phase_start_timestamp_seconds" + BASE + " 1772366400",
            "lapwing_training_step_duration_seconds_bucket"
                + BASE.replace("}", ",le=\"0.05\"}")
                + " 0",
            "lapwing_training_step_duration_seconds_bucket"
                + BASE.replace("}", ",le=\"0.1\"}")
                + " 12",
            "lapwing_training_step_duration_seconds_bucket"
                + BASE.replace("}", ",le=\"+Inf\"}")
                + " 12",
            "lapwing_training_step_duration_seconds_count" + BASE + " 12",
            "lapwing_training_phase" + BASE.replace("}", ",phase=\"training\"}") + " 1",
            "lapwing_training_phase" + BASE.replace("}", ",phase=\"checkpoint\"}") + " 0");
    assertThat(lines)
        .as("unreported values are absent")
        .noneMatch(line -> line.startsWith("lapwing_training_gradient_norm"))
        .noneMatch(line -> line.startsWith("lapwing_training_data_wait"))
        .noneMatch(line -> line.startsWith("lapwing_training_checkpoint"));
  }

  @Test
  void theInfoSeriesHasTheParallelLayout() throws IOException {
    put(MadeSteps.rank(3).integer(68, 1).integer(88, 2).step());
    assertThat(node.poll().rank().lines().get(INFO))
        .isEqualTo(
            "lapwing_training_info"
                + BASE.replace(
                    "}",
                    ",UUID=\"\",world_size=\"8\",dp_rank=\"\",tp_rank=\"1\",pp_rank=\"\","
                        + "cp_rank=\"\",ep_rank=\"\",dp_size=\"\",tp_size=\"2\",pp_size=\"\","
                        + "cp_size=\"\",ep_size=\"\",precision=\"bf16\",framework=\"plain\","
                        + "pid=\"4321\",verified=\"0\",GPU_I_ID=\"\"}")
                + " 1");
  }

  @Test
  void throughputAndMfuAreAsCalculatedByHand() throws IOException {
    put(MadeSteps.rank(3).steps(10));
    node.poll();

    // 10 steps of 1000 tokens within 1 s; 6e9 * 10000 of 1e15.
    assertThat(value(TrainingMetrics.TOKENS_PER_SECOND).orElseThrow())
        .isCloseTo(10_000, within(0.01));
    assertThat(value(TrainingMetrics.MFU).orElseThrow()).isCloseTo(0.06, within(1e-6));
  }

  /** Seven of them under two jobs add up to the utilization of their GPU, weighted by slices. */
  @Test
  void onAMigInstanceThePeakIsThatOfItsSlices() throws IOException {
    node.gpus.put("index 2", mig(OptionalInt.empty(), OptionalDouble.empty()));
    put(MadeSteps.rank(3).integer(60, 2).steps(10));
    node.poll();
    assertThat(value(TrainingMetrics.MFU)).as("of an unknown size").isEmpty();
    assertThat(node.rank().lines().get(INFO)).contains("UUID=\"GPU-b\"", "GPU_I_ID=\"\"");
    node.gpus.put("index 2", mig(OptionalInt.of(9), OptionalDouble.of(1 / 7.0)));
    node.poll();
    assertThat(value(TrainingMetrics.MFU).orElseThrow()).isCloseTo(7 * 0.06, within(1e-6));
    assertThat(node.rank().lines().get(INFO)).contains("UUID=\"GPU-b\"", "GPU_I_ID=\"9\"");
  }

  private static TrainingGpus.RankGpu mig(OptionalInt instance, OptionalDouble share) {
    return new TrainingGpus.RankGpu(2, "GPU-b", instance, share);
  }

  /** The instances are read every ten seconds, so a GPU may be taken for a whole one at first. */
  @Test
  void aGpuThatTurnsOutToBeDividedIsNoWholeOne() throws IOException {
    node.gpus.put("index 2", new TrainingGpus.RankGpu(2, "GPU-b"));
    put(MadeSteps.rank(3).integer(60, 2).steps(10));
    node.poll();
    assertThat(value(TrainingMetrics.MFU).orElseThrow()).isCloseTo(0.06, within(1e-6));

    node.gpus.put("index 2", mig(OptionalInt.empty(), OptionalDouble.empty()));
    node.poll();
    assertThat(value(TrainingMetrics.MFU)).isEmpty();
  }

  @Test
  void aMigDeviceThatIsNotKnownHasNoPeak() throws IOException {
    node.gpus.put("index 2", new TrainingGpus.RankGpu(2, "GPU-b"));
    put(MadeSteps.rank(3).text(512, 96, "MIG-5").integer(60, 2).steps(10));
    node.poll();
    assertThat(value(TrainingMetrics.MFU)).as("its index is no GPU's").isEmpty();
    assertThat(node.rank().lines().get(INFO)).contains("UUID=\"MIG-5\"");

    node.gpus.put("MIG-5", mig(OptionalInt.of(5), OptionalDouble.of(3 / 7.0)));
    node.poll();
    assertThat(value(TrainingMetrics.MFU).orElseThrow()).isCloseTo(0.14, within(1e-6));
  }

  /** The list of processes may come a minute later. */
  @Test
  void theInstanceIsThatOfTheProcessAsSoonAsItIsKnown() throws IOException {
    node.gpus.put("index 2", mig(OptionalInt.empty(), OptionalDouble.empty()));
    put(MadeSteps.rank(3).integer(60, 2).steps(10));
    node.process(4321, 99, (Integer) Files.getAttribute(file(), "unix:uid"));
    assertThat(node.poll().rank().value(TrainingMetrics.MFU)).isEmpty();
    node.gpus.put("pid 4321", mig(OptionalInt.of(5), OptionalDouble.of(3 / 7.0)));
    node.poll();
    assertThat(value(TrainingMetrics.MFU).orElseThrow()).isCloseTo(7 * 0.06 / 3, within(1e-6));
  }

  @Test
  void thePeakDependsOnThePrecision() throws IOException {
    put(MadeSteps.rank(3).text(608, 16, "fp8").steps(10));
    assertThat(node.poll().rank().value(TrainingMetrics.MFU).orElseThrow())
        .isCloseTo(0.03, within(1e-6));
    put(MadeSteps.rank(3).text(608, 16, "tf32").steps(10));
    assertThat(node.poll().rank().value(TrainingMetrics.MFU)).isEmpty();
    put(MadeSteps.rank(3).text(608, 16, "").steps(10));
    assertThat(node.poll().rank().value(TrainingMetrics.MFU)).isPresent();
    node.peak = OptionalDouble.empty();
    assertThat(value(TrainingMetrics.MFU)).isEmpty();
    assertThat(value(TrainingMetrics.TOKENS_PER_SECOND)).isPresent();
  }

  @Test
  void throughputNeedsTwoStepsAndTheMedianEight() throws IOException {
    put(MadeSteps.rank(3).step());
    assertThat(node.poll().rank().value(TrainingMetrics.TOKENS_PER_SECOND)).isEmpty();
    put(MadeSteps.rank(3).steps(7));
    assertThat(node.poll().rank().value(TrainingMetrics.TOKENS_PER_SECOND)).isPresent();
    assertThat(value(TrainingMetrics.USUAL_STEP)).isEmpty();
  }

  @Test
  void throughputCoversTheLastMinute() throws IOException {
    MadeSteps steps = MadeSteps.ofCapacity(512);
    for (int i = 0; i < 200; i++) {
      steps.step(1);
    }
    for (int i = 0; i < 120; i++) {
      steps.step(0.5);
    }
    put(steps);
    node.now = MadeSteps.BEGAN.plusSeconds(261);
    assertThat(node.poll().rank().value(TrainingMetrics.TOKENS_PER_SECOND).orElseThrow())
        .isCloseTo(2000, within(1e-6));
  }

  @Test
  void aStalledLoopHasNoThroughput() throws IOException {
    put(MadeSteps.rank(3).steps(10));
    assertThat(node.poll().later(Duration.ofSeconds(50)).poll().rank().lines())
        .anyMatch(line -> line.startsWith("lapwing_training_tokens_per_second"));
    node.later(Duration.ofSeconds(20)).poll();
    assertThat(value(TrainingMetrics.TOKENS_PER_SECOND)).isEmpty();
    assertThat(value(TrainingMetrics.MFU)).isEmpty();
    assertThat(value(TrainingMetrics.STEPS)).hasValue(10);
  }

  @Test
  void onlyNewRecordsAreCounted() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    put(steps);
    node.poll(3);
    assertThat(value(TrainingMetrics.STEP_DURATION_COUNT)).isPresent();
    steps.steps(2).writeOver(file());
    node.poll(3);

    assertThat(count()).isEqualTo(5);
    assertThat(value(TrainingMetrics.STEPS)).hasValue(5);
  }

  private double count() {
    return node.rank().samples().stream()
        .filter(one -> one.metric().sampleName().endsWith("_count"))
        .mapToDouble(RecordedSink.Sample::value)
        .sum();
  }

  @Test
  void totalsIncludeOverwrittenRecords() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(4);
    put(steps);
    node.poll();
    steps.steps(40).writeOver(file());
    node.poll();

    assertThat(value(TrainingMetrics.STEPS)).hasValue(44);
    assertThat(value(TrainingMetrics.TOKENS)).hasValue(44_000);
    assertThat(count()).isEqualTo(20);
    assertThat(value(TrainingMetrics.MISSED)).hasValue(24);
  }

  @Test
  void recordsBeforeTheFirstReadAreNotMissed() throws IOException {
    put(MadeSteps.rank(3).steps(100));
    assertThat(node.poll().rank().value(TrainingMetrics.MISSED)).hasValue(0);
    assertThat(count()).isEqualTo(16);
    assertThat(value(TrainingMetrics.STEPS)).hasValue(100);
  }

  @Test
  void anUnfinishedRecordIsRetriedAndThenCountedAsTorn() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    int third = steps.place(2);
    steps.big(third, 5);
    put(steps);
    node.poll();
    assertThat(value(TrainingMetrics.STEPS)).hasValue(2);
    steps.big(third, 6).writeOver(file());
    node.poll();
    assertThat(value(TrainingMetrics.STEPS)).hasValue(3);
    assertThat(node.rejectedRecords()).isEmpty();

    steps.steps(2).big(steps.place(3), 7).writeOver(file());
    node.poll(5);
    assertThat(value(TrainingMetrics.STEPS)).hasValue(5);
    assertThat(node.rejectedRecords()).isEqualTo(Map.of("torn", 1));
  }

  @Test
  void aRecordThatACrashedWriterLeftUnfinishedIsNotRead() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    put(steps.big(steps.place(2), 5).big(120, 2));
    assertThat(node.poll(5).rank().value(TrainingMetrics.STEPS)).hasValue(2);
    assertThat(node.rejectedRecords()).isEmpty();
  }

  @Test
  void nonFiniteValuesAreAbsent() throws IOException {
    put(
        MadeSteps.rank(3)
            .number(104, Double.NaN)
            .step()
            .last(48, Double.POSITIVE_INFINITY)
            .last(64, Double.NaN)
            .last(144, Double.NEGATIVE_INFINITY)
            .step()
            .last(48, Double.NaN)
            .last(64, Double.NEGATIVE_INFINITY)
            .last(144, -1));
    node.poll();
    assertThat(
            List.of(
                TrainingMetrics.LOSS,
                TrainingMetrics.LEARNING_RATE,
                TrainingMetrics.COMPUTE_SECONDS,
                TrainingMetrics.FLOPS_PER_TOKEN,
                TrainingMetrics.MFU))
        .allSatisfy(metric -> assertThat(value(metric)).as(metric.name()).isEmpty());
    assertThat(node.rank().samples()).allMatch(sample -> Double.isFinite(sample.value()));
  }

  @Test
  void aLossIsKeptBetweenReports() throws IOException {
    MadeSteps steps = MadeSteps.ofCapacity(512).step();
    for (int i = 0; i < 20; i++) {
      steps.step().last(48, Double.NaN);
    }
    put(steps);
    assertThat(node.poll().rank().value(TrainingMetrics.LOSS)).hasValue(2.5);
    for (int i = 0; i < 256; i++) {
      steps.step().last(48, Double.NaN);
    }
    node.later(Duration.ofSeconds(30));
    steps.writeOver(file());
    assertThat(node.poll().rank().value(TrainingMetrics.LOSS)).isEmpty();
  }

  @Test
  void aClockSteppedBackLosesOneRecord() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    steps.step(MadeSteps.BEGAN.minusSeconds(60), 0.1);
    steps.step(MadeSteps.BEGAN.minusSeconds(59), 0.1);
    steps.step(MadeSteps.BEGAN.minusSeconds(58), 0.1);
    put(steps);
    assertThat(node.poll().rank().value(TrainingMetrics.STEPS)).hasValue(6);
    assertThat(count()).isEqualTo(5);
    assertThat(value(TrainingMetrics.LAST_STEP_TIME).orElseThrow())
        .isCloseTo(MadeSteps.BEGAN.getEpochSecond() - 57.9, within(1e-3));
    assertThat(node.rejectedRecords()).isEqualTo(Map.of("clock_back", 1));
  }

  @Test
  void aRecordThatStartsBeforeTheLastOneEndedCounts() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    steps.step(MadeSteps.BEGAN.plusMillis(150), 0.25);
    steps.step(MadeSteps.BEGAN.plusMillis(200), 0.3);
    put(steps);
    assertThat(node.poll().rank().value(TrainingMetrics.STEPS)).hasValue(5);
    assertThat(count()).isEqualTo(5);
    assertThat(value(TrainingMetrics.TOKENS_PER_SECOND)).hasValueCloseTo(10_000.0, within(1e-6));
    assertThat(node.rejectedRecords()).isEmpty();
  }

  @Test
  void theFrameOfALoopThatFinishesNoStepIsReadAndCleaned() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    put(steps);
    assertThat(node.poll().rank().value(TrainingMetrics.FRAME)).isEmpty();
    steps.text(200, 56, "train.py:88 \"for\\ward\n").writeOver(file());
    assertThat(node.poll().rank().lines())
        .anyMatch(line -> line.contains("_frame") && line.contains("\"train.py:88 _for_ward\""));
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void whetherARankWaitsForOthersIsExposed() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    put(steps);
    assertThat(node.poll().rank().value(TrainingMetrics.WAITING)).isEmpty();
    steps.big(144, 2).big(152, MadeSteps.nanos(MadeSteps.BEGAN.plusSeconds(5))).writeOver(file());
    assertThat(node.poll().rank().value(TrainingMetrics.WAITING)).hasValue(1);
    assertThat(value(TrainingMetrics.WAITING_TIME))
        .hasValue(MadeSteps.BEGAN.getEpochSecond() + 5.0);
    steps.big(144, 1).writeOver(file());
    assertThat(node.poll().rank().value(TrainingMetrics.WAITING)).hasValue(0);
    steps.big(144, 3).writeOver(file());
    assertThat(node.poll().rank().value(TrainingMetrics.WAITING)).isEmpty();
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void ofARankThatFinishesNoStepTheStateOfTheProcessIsRead() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    put(steps);
    node.process(4321, 99, (Integer) Files.getAttribute(file(), "unix:uid"));
    node.states.put(4321L, ProcessState.STOPPED);
    assertThat(node.poll().rank().value(TrainingMetrics.PROCESS_STATE)).isEmpty();
    assertThat(node.poll().rank().lines())
        .anyMatch(line -> line.contains("_process_state") && line.contains("state=\"stopped\""));
    steps.step().writeOver(file());
    assertThat(node.poll().rank().value(TrainingMetrics.PROCESS_STATE)).isEmpty();
  }

  @Test
  void recordsWithImpossibleTimesAreCountedByReason() throws IOException {
    put(
        MadeSteps.rank(3)
            .step()
            .step(MadeSteps.BEGAN.plusSeconds(1), -1)
            .step(MadeSteps.BEGAN.plusSeconds(1), Double.NaN)
            .step(MadeSteps.BEGAN.plusSeconds(1), 1e9)
            .step(MadeSteps.BEGAN.plusSeconds(100_000), 0.1)
            .step(MadeSteps.BEGAN.plusSeconds(1), 0.1)
            .lastBig(16, -5)
            .step(MadeSteps.BEGAN.plusSeconds(1), 0.1)
            .lastBig(104, -1)
            .step(MadeSteps.BEGAN.plusSeconds(1), 0.1)
            .lastBig(8, -10)
            .step(MadeSteps.BEGAN.plusSeconds(1), 0.1));
    node.poll();
    assertThat(count()).isEqualTo(2);
    assertThat(value(TrainingMetrics.STEPS)).hasValue(9);
    assertThat(node.rejectedRecords())
        .isEqualTo(Map.of("bad_duration", 3, "bad_start", 2, "bad_totals", 2));
  }

  @Test
  void totalsNeverDecrease() throws IOException {
    put(MadeSteps.rank(3).step().step().last(144, 0.001));
    assertThat(node.poll().rank().value(TrainingMetrics.COMPUTE_SECONDS)).hasValue(0.06);
  }

  @Test
  void theGpuIsThatOfTheProcessThenByUuidThenByIndex() throws IOException {
    node.gpus.put("GPU-a", new TrainingGpus.RankGpu(1, "GPU-a"));
    node.gpus.put("index 2", new TrainingGpus.RankGpu(2, "GPU-b"));
    node.gpus.put("pid 4321", new TrainingGpus.RankGpu(5, "GPU-c"));
    put(MadeSteps.rank(3).text(512, 96, "GPU-a").integer(60, 2));
    assertThat(node.poll().rank().lines().get(INFO)).contains("gpu=\"1\",UUID=\"GPU-a\"");
    put(MadeSteps.rank(3).text(512, 96, "GPU-x").integer(60, 2));
    assertThat(node.poll().rank().lines().get(INFO)).contains("gpu=\"2\",UUID=\"GPU-b\"");
    put(MadeSteps.rank(3));
    assertThat(node.poll().rank().lines().get(INFO))
        .as("a process that is not visible has a number that means nothing here")
        .contains("gpu=\"\",UUID=\"\"");
    node.process(4321, 99, (Integer) Files.getAttribute(file(), "unix:uid"));
    put(MadeSteps.rank(3).text(512, 96, "GPU-a").integer(60, 2));
    assertThat(node.poll().rank().lines().get(INFO)).contains("gpu=\"5\",UUID=\"GPU-c\"");
  }

  @Test
  void aGpuThatBecomesKnownLaterIsUsedFromThenOn() throws IOException {
    put(MadeSteps.rank(3).integer(60, 2).step());
    assertThat(node.poll().rank().lines().get(INFO)).contains("gpu=\"2\",UUID=\"\"");
    node.gpus.put("index 2", new TrainingGpus.RankGpu(2, "GPU-b"));
    assertThat(node.poll().rank().lines().get(INFO)).contains("gpu=\"2\",UUID=\"GPU-b\"");
    node.gpus.put("index 2", new TrainingGpus.RankGpu(2, "GPU-z"));
    assertThat(node.poll().rank().lines().get(INFO)).contains("UUID=\"GPU-b\"");
  }

  @Test
  void labelsAreIdenticalAcrossRounds() throws IOException {
    put(MadeSteps.rank(3).steps(9));
    List<RecordedSink.Sample> first = node.poll().rank().samples();
    List<RecordedSink.Sample> second = node.poll().rank().samples();
    for (int i = 0; i < first.size(); i++) {
      assertThat(second.get(i).labels()).isSameAs(first.get(i).labels());
      assertThat(second.get(i).metric()).isSameAs(first.get(i).metric());
    }
  }

  @Test
  void aFileTruncatedDuringTheReadIsRejected() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(3);
    put(steps);
    node.poll();
    steps.steps(3).writeOver(file());
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(1024 + 192 * 4);
    }
    node.poll().poll();
    assertThat(node.sources).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("truncated", 1, "bad_size", 1));
  }

  @Test
  void aDecreasedCountMeansTwoWriters() throws IOException {
    put(MadeSteps.rank(3).steps(9));
    node.poll();
    MadeSteps.rank(3).steps(4).writeOver(file());
    node.poll(130);
    assertThat(node.sources).isEmpty();
    assertThat(node.rejected()).isEqualTo(Map.of("two_writers", 1));
  }

  @Test
  void aDecreasedTotalMeansTwoWriters() throws IOException {
    put(MadeSteps.rank(3).steps(5).step().lastBig(104, 2));
    node.poll(2);
    assertThat(node.rejected()).isEqualTo(Map.of("two_writers", 1));
  }

  @Test
  void aReplacedFileIsReadFromTheStart() throws IOException {
    put(MadeSteps.rank(3).steps(9));
    node.poll();
    MadeSteps.rank(3).created(MadeSteps.BEGAN.plusSeconds(1)).steps(2).writeOver(file());
    node.poll(4);
    assertThat(value(TrainingMetrics.STEPS)).hasValue(2);
    assertThat(node.rejected()).isEqualTo(Map.of("replaced", 1));
  }

  @Test
  void anEndedLoopIsRemovedWithoutARejection() throws IOException {
    MadeSteps steps = MadeSteps.rank(3).steps(9);
    put(steps);
    node.poll();
    steps.phase(4, MadeSteps.BEGAN.plusSeconds(1)).writeOver(file());
    node.poll(2);
    assertThat(node.sources).isEmpty();
    assertThat(node.rejected()).isEmpty();
    Files.delete(file());
    node.poll(70);
    assertThat(node.rejected()).isEmpty();
  }
}
