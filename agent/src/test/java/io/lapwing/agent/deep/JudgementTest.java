package io.lapwing.agent.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.common.config.ConfigException;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgementTest {

  private static final String H100 = "NVIDIA H100 80GB HBM3";

  @TempDir private Path dir;

  private static List<Outcome> judged(Judgement judgement, String model, double... rates) {
    List<GpuResult> gpus =
        DoubleStream.of(rates)
            .mapToObj(
                rate ->
                    new GpuResult(
                        "GPU-00000000",
                        0,
                        model,
                        List.of(
                            new TestResult(
                                DeepTest.DEVICE_COPY,
                                Outcome.PASSED,
                                OptionalDouble.of(rate),
                                ""))))
            .toList();
    return judgement.judge(gpus).stream().map(gpu -> gpu.tests().get(0).outcome()).toList();
  }

  @Test
  void slowIsBelowNinetyPercentOfTheMedian() throws Exception {
    Judgement judgement = Judgement.load(Optional.empty());
    assertThat(judged(judgement, "other", 100, 100, 91, 89))
        .containsExactly(Outcome.PASSED, Outcome.PASSED, Outcome.PASSED, Outcome.PASSED);
    assertThat(judged(judgement, "other", 100, 100, 100, 89))
        .containsExactly(Outcome.PASSED, Outcome.PASSED, Outcome.PASSED, Outcome.SLOW);
    assertThat(judged(judgement, "other", 1)).containsExactly(Outcome.PASSED);
  }

  @Test
  void allGpusOfANodeMayBeSlow() throws Exception {
    assertThat(judged(Judgement.load(Optional.empty()), H100, 500e9, 500e9))
        .containsExactly(Outcome.SLOW, Outcome.SLOW);
    assertThat(judged(Judgement.load(Optional.empty()), H100, 1300e9, 1300e9))
        .containsExactly(Outcome.PASSED, Outcome.PASSED);
    Path baseline = dir.resolve("baseline.csv");
    Files.writeString(
        baseline, "# our nodes\nmodel,test,per_second\n" + H100 + ",device_copy,1500e9\n");
    assertThat(judged(Judgement.load(Optional.of(baseline)), H100, 1300e9, 1400e9))
        .containsExactly(Outcome.SLOW, Outcome.PASSED);
  }

  @Test
  void mistakesInTheBaselineAreNamedWithTheirLine() throws Exception {
    Path baseline = dir.resolve("baseline.csv");
    Files.writeString(baseline, "model,test,per_second\nx,no_such_test,1\nx,device_copy,-1\nx\n");
    assertThatThrownBy(() -> Judgement.load(Optional.of(baseline)))
        .isInstanceOfSatisfying(
            ConfigException.class,
            wrong ->
                assertThat(wrong.problems())
                    .hasSize(3)
                    .allMatch(problem -> problem.startsWith(baseline + ":")));
    assertThatThrownBy(() -> Judgement.load(Optional.of(dir.resolve("absent"))))
        .isInstanceOf(ConfigException.class);
  }
}
