package io.lapwing.drain.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.exec.Outcome.Exited;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of the package, with stand-ins for the node's programs. */
class ResetGpusSampleTest {

  private static final Path SAMPLE =
      Path.of("../tools/packaging/drain/reset-gpus").toAbsolutePath().normalize();

  @TempDir private Path dir;
  private Path calls = Path.of("");

  @BeforeEach
  void aNodeOfTwoGpus() throws IOException {
    calls = dir.resolve("calls");
    program("ssh", "exec bash -s");
    program("systemctl", "[[ $1 != is-active || $3 == nvidia-persistenced ]]");
    program("lapwing", "exit 0");
    program(
        "nvidia-smi",
        "case $1 in --query-gpu=uuid) printf 'GPU-a\\nGPU-b\\n' ;; --query-compute-apps=pid)"
            + " : ;; *) exit 0 ;; esac");
  }

  /** Notes its call, and goes on with the body. */
  private void program(String name, String body) throws IOException {
    Path file =
        Scripts.bash(dir.resolve(name), "echo \"" + name + " $*\" >>" + calls + "\n" + body);
    assertThat(file).isExecutable();
  }

  private Exited run(String remedy, String node) {
    return (Exited)
        ProgramRun.of(
            new Command(
                SAMPLE,
                List.of(),
                Map.of(
                    "PATH",
                    dir + ":/usr/bin:/bin",
                    "LAPWING_DRAIN_REMEDY",
                    remedy,
                    "LAPWING_DRAIN_NODE",
                    node),
                "{}",
                Duration.ofMinutes(1),
                100_000));
  }

  private List<String> calls() throws IOException {
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  @Test
  void theGpusAreResetBetweenTheReleaseAndItsEnd() throws IOException {
    assertThat(run("reset_gpu", "gpu-17").code()).isZero();
    assertThat(calls())
        .containsSubsequence(
            "lapwing release --gpus --for 10m --wait 1m",
            "systemctl stop nvidia-persistenced",
            "nvidia-smi --gpu-reset -i GPU-a,GPU-b",
            "systemctl start nvidia-persistenced",
            "lapwing release --end")
        .doesNotContain("systemctl stop nvidia-dcgm", "systemctl start nvidia-dcgm");
    assertThat(calls().get(0)).startsWith("ssh ").endsWith("root@gpu-17 bash -s");
  }

  /** The next stronger repair follows. */
  @Test
  void aResetThatFailsIsNotPossible() throws IOException {
    program(
        "nvidia-smi",
        "case $1 in --query-gpu=uuid) echo GPU-a ;; --gpu-reset) echo 'in use' >&2; exit 19 ;;"
            + " esac");
    Exited failed = run("reset_gpu", "gpu-17");
    assertThat(failed.code()).isEqualTo(69);
    assertThat(failed.errors()).endsWith("in use\nnvidia-smi does not reset the GPUs\n");
    assertThat(calls()).endsWith("systemctl start nvidia-persistenced", "lapwing release --end");
  }

  @Test
  void aGpuThatIsGoneAfterTheResetIsNotPossible() throws IOException {
    program(
        "nvidia-smi",
        "case $1 in --query-gpu=uuid) echo GPU-a; [[ -e "
            + dir
            + "/reset ]] || echo GPU-b ;; --gpu-reset) touch "
            + dir
            + "/reset ;; esac");
    assertThat(run("reset_gpu", "gpu-17").code()).isEqualTo(69);
  }

  @Test
  void aGpuOnWhichAProcessComputesIsNotReset() throws IOException {
    program(
        "nvidia-smi",
        "case $1 in --query-gpu=uuid) echo GPU-a ;; --query-compute-apps=pid) echo 4711 ;; esac");
    Exited refused = run("reset_gpu", "gpu-17");
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.errors()).isEqualTo("a process computes on a GPU: 4711\n");
    assertThat(calls()).noneMatch(call -> call.contains("--gpu-reset") || call.contains("release"));
  }

  @Test
  void withoutTheReleaseOfTheAgentNothingIsReset() throws IOException {
    program("lapwing", "exit 2");
    assertThat(run("reset_gpu", "gpu-17").code()).isEqualTo(1);
    assertThat(calls()).noneMatch(call -> call.contains("--gpu-reset"));
  }

  @Test
  void aNodeThatCannotBeReachedIsUnknown() throws IOException {
    program("ssh", "exit 255");
    assertThat(run("reset_gpu", "gpu-17").code()).isEqualTo(75);
  }

  @Test
  void otherRepairsAndNamesThatAreNoneAreRefused() throws IOException {
    assertThat(run("reboot_node", "gpu-17").code()).isEqualTo(69);
    assertThat(run("reset_gpu", "-oProxyCommand=x").code()).isEqualTo(64);
    assertThat(run("reset_gpu", "a b").code()).isEqualTo(64);
    assertThat(calls()).isEmpty();
  }
}
