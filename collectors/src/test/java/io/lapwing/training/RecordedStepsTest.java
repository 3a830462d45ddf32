package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Step files of Lapwing's own writers, recorded and fresh. */
class RecordedStepsTest {

  private static final Path WRITERS = Path.of("..", "steps", "python");

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"c", "python"})
  void recordedFilesAreExposed(String writer) throws IOException {
    try (InputStream in = RecordedStepsTest.class.getResourceAsStream(writer + ".steps")) {
      Files.copy(Objects.requireNonNull(in), folder.resolve("recorded.3.4242.steps"));
    }
    TrainingNode node = new TrainingNode(folder).process(4242, 123_456, -1);
    node.processes.put(
        4242L,
        new TrainingProcesses.Seen(
            OptionalLong.of(123_456), OptionalLong.empty(), Optional.empty(), Optional.empty()));
    node.now = Instant.ofEpochSecond(1_700_000_006L);
    List<String> lines = node.poll().rank().lines();

    String base =
        "{job_id=\"recorded\",run=\"" + writer + "\",rank=\"3\",local_rank=\"1\",gpu=\"\"}";
    assertThat(lines)
        .contains(
            "lapwing_training_steps_total" + base + " 11",
            "lapwing_training_tokens_total" + base + " 45056",
            "lapwing_training_samples_total" + base + " 22",
            "lapwing_training_step_seconds_total" + base + " 5.5",
            "lapwing_training_data_wait_seconds_total" + base + " 0.6875",
            "lapwing_training_compute_seconds_total" + base + " 2.75",
            "lapwing_training_communication_wait_seconds_total" + base + " 1.375",
            "lapwing_training_checkpoint_seconds_total" + base + " 1.5",
            "lapwing_training_last_step" + base + " 110",
            "lapwing_training_last_step_timestamp_seconds" + base + " 1700000005.5",
            "lapwing_training_usual_step_seconds" + base + " 0.5",
            "lapwing_training_loss" + base + " 1.25",
            "lapwing_training_gradient_norm" + base + " 0.75",
            "lapwing_training_tokens_per_second" + base + " 8192",
            "lapwing_training_model_flops_per_token" + base + " 42000000000",
            // 4.2e10 * 8192 of the peak of 1e15
            "lapwing_training_mfu_ratio" + base + " 0.344064");
    assertThat(lines.get(0))
        .contains("UUID=\"GPU-00000000-0000-0000-0000-000000000001\",world_size=\"16\"")
        .contains("dp_rank=\"1\",tp_rank=\"1\",pp_rank=\"\"")
        .contains("dp_size=\"8\",tp_size=\"2\",pp_size=\"\"")
        .contains("precision=\"bf16\",framework=\"none\",pid=\"4242\",verified=\"0\"");
    assertThat(node.rejected()).isEmpty();
  }

  @Test
  void aLoopOfTwentyLinesIsReadWhileItRunsAndLeavesWithItsProcess()
      throws IOException, InterruptedException {
    Process loop = start();
    try (TrainingNode node = new TrainingNode(folder)) {
      node.namespace = OptionalLong.empty();
      node.real = true;
      Instant patience = Instant.now().plusSeconds(60);
      while (steps(node) < 5 && loop.isAlive() && Instant.now().isBefore(patience)) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(node.names()).containsExactly("training-example-2");
      assertThat(steps(node)).isGreaterThanOrEqualTo(5);
      double speed = node.rank().value(TrainingMetrics.TOKENS_PER_SECOND).orElseThrow();
      double perToken = node.rank().value(TrainingMetrics.FLOPS_PER_TOKEN).orElseThrow();
      assertThat(perToken).isEqualTo(6e9 + 12 * 16 * 16 * 128 * 2048);
      assertThat(node.rank().value(TrainingMetrics.MFU).orElseThrow())
          .isCloseTo(perToken * speed / 1e15, within(1e-9));
      loop.destroyForcibly().waitFor();
      node.now = Instant.now();
      node.poll(3);
      assertThat(node.names()).as("the lock is free").isEmpty();
      assertThat(node.rejected()).containsEntry("process_gone", 1);
    } finally {
      loop.destroyForcibly().waitFor();
    }
  }

  private static double steps(TrainingNode node) {
    node.now = Instant.now();
    node.poll();
    return node.names().isEmpty() ? 0 : node.rank().value(TrainingMetrics.STEPS).orElse(0);
  }

  private Process start() throws IOException {
    assumeTrue(Files.isDirectory(WRITERS), "the Python writer is not here");
    ProcessBuilder command =
        new ProcessBuilder("python3", WRITERS.resolve("examples/loop.py").toString(), "100000");
    command.environment().put("PYTHONPATH", WRITERS.toString());
    command.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    command.environment().put("LAPWING_STEPS_DIR", folder.toString());
    command.environment().put("RANK", "2");
    try {
      return command.inheritIO().start();
    } catch (IOException none) {
      assumeTrue(false, "no python3 here");
      throw none;
    }
  }
}
