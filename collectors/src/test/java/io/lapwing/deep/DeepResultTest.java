package io.lapwing.deep;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResult.TestResult;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class DeepResultTest {

  private static final TestResult WRONG = test(DeepTest.ARITHMETIC, Outcome.WRONG);
  private static final TestResult PASSED = test(DeepTest.ARITHMETIC, Outcome.PASSED);
  private static final TestResult COPIED = test(DeepTest.DEVICE_COPY, Outcome.PASSED);

  /** As it is kept by a later check. */
  private static final TestResult KEPT =
      new TestResult(
          DeepTest.ARITHMETIC,
          Outcome.WRONG,
          OptionalDouble.empty(),
          "",
          Optional.of(Instant.EPOCH));

  private static TestResult test(DeepTest test, Outcome outcome) {
    return new TestResult(test, outcome, OptionalDouble.empty(), "");
  }

  private static GpuResult gpu(int index, TestResult... tests) {
    return new GpuResult("GPU-0000000" + index, index, "H100", List.of(tests));
  }

  private static DeepResult of(GpuResult... gpus) {
    return of(Instant.EPOCH, gpus);
  }

  private static DeepResult of(Instant at, GpuResult... gpus) {
    return new DeepResult(at, false, List.of(gpus), List.of());
  }

  @Test
  void onlyATestShowsThatADefectIsGone() {
    assertThat(of(gpu(0, COPIED)).keeping(of(gpu(0, COPIED, WRONG))).gpus())
        .containsExactly(gpu(0, COPIED, KEPT));
    assertThat(of(gpu(0, PASSED)).keeping(of(gpu(0, WRONG))).gpus())
        .containsExactly(gpu(0, PASSED));
  }

  @Test
  void whatIsKeptWasFoundByTheFirstCheck() throws IOException {
    DeepResult second =
        of(Instant.EPOCH.plusSeconds(60), gpu(0, COPIED)).keeping(of(gpu(0, WRONG)));
    DeepResult third = of(Instant.EPOCH.plusSeconds(120), gpu(0, COPIED)).keeping(second);

    assertThat(third.gpus()).containsExactly(gpu(0, COPIED, KEPT));
    String json = new String(DeepResultJson.write(third, "failing"), UTF_8);
    assertThat(DeepResultJson.read(json)).isEqualTo(third);
  }

  @Test
  void aGpuThatIsMissingKeepsItsDefectsAlone() {
    DeepResult earlier = of(gpu(0, PASSED), gpu(1, COPIED), gpu(3, COPIED, WRONG));

    assertThat(of(gpu(0, PASSED)).keeping(earlier).gpus())
        .containsExactly(gpu(0, PASSED), gpu(3, KEPT));
  }
}
