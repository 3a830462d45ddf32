package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loops of {@code docs/training.md}, as a newcomer runs them, before the whole agent. */
class TrainingLoopTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Path STEPS = Path.of("..", "steps").toAbsolutePath().normalize();

  /** 6 N + 6 L H D T of the loop in Python: 6e9 and 6 * 16 * 16 * (128 + 128) * 2048. */
  private static final double PYTHON_FLOPS = 6e9 + 805_306_368;

  private static final double C_FLOPS = 48e9;

  private final Path dir;

  TrainingLoopTest(@TempDir Path dir) {
    this.dir = dir;
  }

  private Process run(Path steps, String... command) throws IOException {
    ProcessBuilder loop = new ProcessBuilder(command).inheritIO();
    loop.environment().put("PYTHONPATH", STEPS.resolve("python").toString());
    loop.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    loop.environment().put("LAPWING_STEPS_DIR", steps.toString());
    try {
      return loop.start();
    } catch (IOException none) {
      assumeTrue(false, "no " + command[0] + " here");
      throw none;
    }
  }

  private static double value(TextPage page, String family, String job) {
    return page.samples(family).stream()
        .filter(sample -> sample.label("job_id").equals(job))
        .mapToDouble(TextPage.Sample::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Until enough steps ended for a rate, and then by hand. */
  private void isShown(String job, double flops, double tokens, String... command)
      throws Exception {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), InstanceType.named("g6.xlarge"));
    Path steps = Files.createDirectories(dir.resolve("steps"));
    Process loop = run(steps, command);
    try (TestAgent agent = TestAgent.quick(node, "--training.steps-dir=" + steps)) {
      await()
          .atMost(PATIENCE)
          .until(() -> value(agent.page(), "lapwing_training_steps_total", job) >= 20);
      TextPage page = agent.page();
      double rate = value(page, "lapwing_training_tokens_per_second", job);
      double peak = page.value("lapwing_node_gpu_peak_flops", "precision", "bf16").orElseThrow();

      assertThat(value(page, "lapwing_training_model_flops_per_token", job)).isEqualTo(flops);
      assertThat(rate)
          .isCloseTo(
              tokens / value(page, "lapwing_training_usual_step_seconds", job),
              Percentage.withPercentage(30));
      assertThat(value(page, "lapwing_training_mfu_ratio", job))
          .isCloseTo(flops * rate / peak, within(1e-9));
      assertThat(value(page, "lapwing_training_tokens_total", job))
          .isEqualTo(tokens * value(page, "lapwing_training_steps_total", job));
    } finally {
      List<ProcessHandle> all =
          Stream.concat(loop.descendants(), Stream.of(loop.toHandle())).toList();
      all.forEach(ProcessHandle::destroy);
      all.forEach(one -> one.onExit().join());
    }
  }

  @Test
  void thePythonLoopIsExposedWithTheExpectedValues() throws Exception {
    String loop = STEPS.resolve("python/examples/loop.py").toString();
    isShown("example", PYTHON_FLOPS, 2048, "python3", loop, "100000");
  }

  @Test
  void theCExampleIsExposedWithTheExpectedValues() throws Exception {
    Path example = dir.resolve("example");
    String source = STEPS.resolve("c/example.c").toString();
    Process compiler = run(dir, "cc", "-std=c11", "-O2", "-o", example.toString(), source, "-lm");
    assertThat(compiler.waitFor()).isZero();
    List<String> again = List.of("sh", "-c", "while :; do " + example + "; done");
    isShown("c-example", C_FLOPS, 4096, again.toArray(String[]::new));
  }
}
