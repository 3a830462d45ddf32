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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole check as a process, with the agent on simulated nodes. */
@Tag("slow")
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
  void aHostEngineThatListensIsRecorded() throws Exception {
    SimulatedNode node =
        node(
            "p4d.24xlarge",
            Map.of(
                "gpu.*.gpm.sm_active",
                "40",
                "dcgm.switches",
                "6",
                "dcgm.policy.*",
                "0x40",
                "dcgm.reject.1016",
                "13"),
            HOPPER);
    listen(node);
    installDcgmi(node);
    Path recorded = dir.resolve("recorded");
    Outcome outcome =
        check(
            node,
            AcceptanceOnNodesTest::nothing,
            "--seconds=6",
            "--idle-only",
            "--record=" + recorded);

    assertThat(outcome.output())
        .containsPattern("idle +host engine of DCGM +used +at localhost:5555 +ok")
        .containsPattern("idle +1 +DCGM_FI_PROF_SM_ACTIVE .dcgmi. +0.400 +0.400 .. 0.410 .* ok")
        .containsPattern("idle +0 +DCGM_FI_DEV_GPU_TEMP .dcgmi. +50 +61 .* MISMATCH")
        .containsPattern("idle +DCGM_FI_PROF_PIPE_INT_ACTIVE +refused: unknown_field .* MISMATCH")
        .contains(
            "gpu-acceptance: not recorded: DCGM Grace CPUs: module_not_loaded",
            "gpu-acceptance: not recorded: violations of DCGM policies: they are events");
    assertThat(recorded.resolve("ORIGIN.md"))
        .content()
        .contains(
            "- DCGM: 2 GPUs of the host engine 4.4.2",
            "- DCGM activity of 2 GPUs without GPM",
            "- DCGM links of NVSwitches: 96",
            "- DCGM policies of 2 of 2 GPUs",
            "- DCGM Grace CPUs: module_not_loaded");
    assertThat(recorded.resolve("idle.prom"))
        .content()
        .contains("lapwing_dcgm_up 1\n", "engine=\"recorded\"", "DCGM_FI_DEV_NVSWITCH_LINK_STATUS");
    assertThat(Recording.read(recorded.resolve("idle.state")).lines())
        .containsEntry("dcgm.switches", "6")
        .containsEntry("gpu.1.gpm", "unsupported");
  }

  /** A program {@code dcgmi} that is a few degrees off for GPU 0. */
  private void installDcgmi(SimulatedNode node) throws IOException {
    Path program = dir.resolve("bin").resolve("dcgmi");
    Files.writeString(
        program,
        """
        #!/bin/sh
        if [ "$1" = discovery ]; then
          echo '| 0      | Name: NVIDIA A100 |'
          echo '|        | Device UUID: %s |'
          echo '| 1      | Name: NVIDIA A100 |'
          echo '|        | Device UUID: %s |'
        else
          echo '#Entity  SMCLK TMPTR POWER FBUSD GRACT SMACT SMOCC TENSO DRAMA'
          echo 'GPU 0    N/A   61    75.5  1024  N/A   0.40  N/A   N/A   N/A'
          echo 'GPU 1    N/A   50    75.5  1024  N/A   0.40  N/A   N/A   N/A'
          echo 'GPU 1    N/A   50    75.5  1024  N/A   0.41  N/A   N/A   N/A'
        fi
        """
            .formatted(node.lines().get("gpu.0.uuid"), node.lines().get("gpu.1.uuid")));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** As the kernel lists an engine of root at port 5555. */
  private static void listen(SimulatedNode node) throws IOException {
    Path net = Files.createDirectories(node.procfs().resolve("self/net"));
    Files.writeString(
        net.resolve("tcp"),
        "  sl  local_address ...\n   0: 0100007F:15B3 00000000:0000 0A 00000000:00000000"
            + " 00:00000000 00000000 0 0 4711 1\n");
  }

  @Test
  void aNodeWithoutAnEngineSaysSo() throws Exception {
    SimulatedNode node = node("p6e-gb200.36xlarge", Map.of(), "53.125 GB/s");
    Outcome outcome =
        check(
            node,
            AcceptanceOnNodesTest::nothing,
            "--seconds=1",
            "--idle-only",
            "--record=" + dir.resolve("recorded"));

    assertThat(outcome.output())
        .contains("not recorded: DCGM: no DCGM host engine listens on this node")
        .contains(" 0 mismatches");
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
