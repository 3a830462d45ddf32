package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.Recording;
import io.lapwing.simulator.SimulatedNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole check as a process, with the agent on simulated nodes. */
class AcceptanceOnNodesTest {

  private static final int GPUS = 2;
  private static final String HOPPER = "26.562 GB/s";

  private final Path dir;

  AcceptanceOnNodesTest(@TempDir Path dir) {
    this.dir = dir;
  }

  private record Outcome(int code, String output) {}

  private SimulatedNode node(String type, Map<String, String> lines, String speed)
      throws IOException {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named(type).withoutEfa());
    Map<String, String> all = new LinkedHashMap<>(SimulatedSmi.CONSTANT);
    all.put("gpu.count", String.valueOf(GPUS));
    all.putAll(lines);
    node.setAll(all);
    new SimulatedSmi(node, GPUS, dir.resolve("bin")).install(speed);
    return node;
  }

  private Outcome check(SimulatedNode node, Consumer<String> heard, String... flags)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + dir);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(flags));
    command.add("--deep.library=" + node.cudaLibrary());
    command.add("--");
    command.addAll(SimulatedSmi.agent(node));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", dir.resolve("bin").toString(), (old, us) -> us + ":" + old);
    Process process = builder.start();
    StringBuilder output = new StringBuilder();
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.append(line).append('\n');
        heard.accept(line);
      }
    }
    return new Outcome(process.waitFor(), output.toString());
  }

  private static void nothing(String line) {}

  @Test
  void aNodeWithNvlinksIsComparedIdleAndUnderItsOwnLoadAndRecorded() throws Exception {
    SimulatedNode node = node("p5.48xlarge", Map.of(), HOPPER);
    Path recorded = dir.resolve("recorded");

    Outcome outcome =
        check(
            node,
            line -> {
              if (line.contains("gpu-acceptance: loaded")) {
                node.set("gpu.*.gpm.sm_active", "98");
              }
            },
            "--seconds=6",
            "--record=" + recorded);

    assertThat(outcome.output())
        .containsPattern("idle +0 +NVLinks that are up +0-17 +0-17 +exact +ok")
        .containsPattern("idle +1 +lapwing_gpu_nvlink_tx_bytes_total +0 +0 .* ok")
        .containsPattern("idle +0 +fabric domain +the cluster UUID is all zeros.* skipped")
        .containsPattern("idle +0 +MIG instances +MIG mode is Disabled +skipped")
        .containsPattern("loaded +1 +results of the load +right +right +exact +ok")
        .containsPattern("loaded +1 +DCGM_FI_PROF_SM_ACTIVE +0.980 .* ok")
        .contains(" 0 mismatches");
    assertThat(outcome.code()).isZero();

    assertThat(recorded.resolve("ORIGIN.md"))
        .content()
        .contains("2 x NVIDIA H100 80GB HBM3", "580.95.05", "idle, loaded", "replaced");
    String page = Files.readString(recorded.resolve("loaded.prom"));
    assertThat(page)
        .contains("Hostname=\"recorded\"", "GPU-00000000-0000-4000-8000-000000000001")
        .doesNotContain(node.lines().get("gpu.0.uuid"), "node-1");
    assertThat(Recording.read(recorded.resolve("idle.state")).lines())
        .containsEntry("gpu.1.gpm.sm_active", "0");
    assertThat(Recording.read(recorded.resolve("loaded.state")).lines().get("gpu.1.gpm.sm_active"))
        .startsWith("98");
  }

  @Test
  void aGpuWithAJobGetsNoLoad() throws Exception {
    SimulatedNode node =
        node(
            "p5.48xlarge",
            Map.of("gpu.*.processes", "4711:1024", "gpu.*.gpm.sm_active", "60"),
            HOPPER);
    Outcome outcome = check(node, AcceptanceOnNodesTest::nothing, "--seconds=1");

    assertThat(outcome.output())
        .containsPattern("idle +0 +DCGM_FI_PROF_SM_ACTIVE +a job computes on it +skipped")
        .containsPattern("loaded +1 +results of the load +a job computes on it +skipped")
        .contains(" 0 mismatches");
  }

  @Test
  void theDomainOfAnUltraServerIsCompared() throws Exception {
    SimulatedNode node = node("p6e-gb200.36xlarge", Map.of(), "53.125 GB/s");
    Outcome outcome = check(node, AcceptanceOnNodesTest::nothing, "--seconds=1", "--idle-only");

    String cluster = node.lines().get("gpu.*.fabric.uuid");
    assertThat(outcome.output())
        .containsPattern("fabric cluster UUID +" + cluster + " +" + cluster + " +exact +ok")
        .containsPattern("fabric clique +2 +2 +exact +ok")
        .contains(" 0 mismatches");
    assertThat(outcome.code()).isZero();
  }

  @Test
  void theInstancesOfADividedGpuAreCompared() throws Exception {
    SimulatedNode node = node("p5.48xlarge", SimulatedSmi.divided(), HOPPER);
    Outcome outcome = check(node, AcceptanceOnNodesTest::nothing, "--seconds=1", "--idle-only");

    assertThat(outcome.output())
        .containsPattern("idle +0 +MIG devices +3/0 9/0 +3/0 9/0 +exact +ok")
        .containsPattern("lapwing_gpu_instance_multiprocessors of 9 +16 +16 +exact +ok")
        .containsPattern("idle +0 +DCGM_FI_DEV_FB_USED +MIG instances have it, the GPU not")
        .containsPattern("idle +0 +DCGM_FI_PROF_SM_ACTIVE +MIG instances have it +skipped")
        .containsPattern("idle +1 +MIG instances +MIG mode is Disabled +skipped")
        .contains(" 0 mismatches");
    assertThat(outcome.code()).isZero();
  }

  @Test
  void aLinkThatOnlyNvidiaSmiHasIsAMismatch() throws Exception {
    SimulatedNode node = node("p5.48xlarge", Map.of("gpu.1.nvlink.inactive", "5"), HOPPER);
    Outcome outcome = check(node, AcceptanceOnNodesTest::nothing, "--seconds=1", "--idle-only");

    assertThat(outcome.output())
        .containsPattern("idle +1 +NVLinks that are up +0-4 6-17 +0-17 +exact +MISMATCH");
    assertThat(outcome.code()).isEqualTo(1);
  }
}
