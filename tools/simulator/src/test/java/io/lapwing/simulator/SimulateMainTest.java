package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SimulateMainTest {
  /** Exit code and output. */
  private record Ran(int code, String out, String err) {}

  private static Ran run(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = SimulateMain.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(args);
    return new Ran(code, out.toString(), err.toString());
  }

  private static void assertMistake(Ran ran, String message) {
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err().lines()).singleElement().asString().contains(message);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void itPrintsTheFlagsOfTheNodeItWrote(@TempDir Path dir) {
    Path node = dir.resolve("node");
    Ran ran = run("--instance-type", "g6.xlarge", "--scenario", "idle", "--out", node.toString());
    assertThat(ran)
        .isEqualTo(
            new Ran(
                0,
                ("--nvml.library=%s/lib/libnvidia-ml.so.1 --dcgm.library=%s/lib/libdcgm.so.4 --path.sysfs=%s/sys"
                        + " --path.procfs=%s/proc --path.rootfs=%s --path.kmsg=%s/dev/kmsg"
                        + " --path.state=%s/agent-state"
                        + " --training.steps-dir=%s/run/lapwing/steps"
                        + " --jobs.mapping-dir=%s/run/slurm/dcgm-job-mapping"
                        + " --jobs.pod-resources=%s/var/lib/kubelet/pod-resources/kubelet.sock"
                        + " --jobs.kubelet-checkpoint=%s/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint"
                        + " --imds.url=off%n")
                    .formatted(node, node, node, node, node, node, node, node, node, node, node),
                ""));
    assertThat(node.resolve("state")).content().contains("gpu.*.load = 0");
    assertThat(node.resolve("run")).doesNotExist();
  }

  @Test
  void aJobWithASlowRankOnAMissingGpuIsRefused(@TempDir Path dir) {
    assertMistake(
        run("--instance-type", "g6.xlarge", "--scenario", "straggler", "--out", dir.toString()),
        "scenario straggler needs 4 GPUs, g6.xlarge has 1");
  }

  @Test
  void aMigProfileThatTheGpusDoNotHaveIsRefused(@TempDir Path dir) throws IOException {
    Path file = dir.resolve("own.yaml");
    Files.writeString(file, "summary: x\nset: {gpu.0.mig.instances: 7:1g.10gb@0}\n");
    assertMistake(
        run(
            "--instance-type",
            "p6-b200.48xlarge",
            "--scenario",
            file.toString(),
            "--out",
            dir.resolve("node").toString()),
        "own.yaml: gpu.0.mig.instances: NVIDIA B200 has no MIG profile 1g.10gb");
    assertMistake(
        run("--instance-type", "g6.xlarge", "--scenario", "mig", "--out", dir.toString()),
        "scenario mig: gpu.*.mig.instances: NVIDIA L4 has no MIG");
  }

  @Test
  void aScenarioOfOtherInstanceTypesIsRefused(@TempDir Path dir) throws IOException {
    assertMistake(
        run(
            "--instance-type",
            "p5.48xlarge",
            "--scenario",
            "nvlink5-fatal",
            "--out",
            dir.resolve("node").toString()),
        "scenario nvlink5-fatal: is for p6-b200.48xlarge, p6-b300.48xlarge, not for p5.48xlarge");
    Path file = dir.resolve("own.yaml");
    Files.writeString(file, "summary: x\ntypes: [p6-b20.48xlarge]\n");
    assertMistake(
        run("--instance-type", "p5.48xlarge", "--scenario", file.toString(), "--out", "x"),
        "types: 'p6-b20.48xlarge' is no instance type");
  }

  @Test
  void itListsTheScenariosWithTheirSummaries() {
    assertThat(run("--list").out().lines())
        .hasSize(Scenario.all().size())
        .anyMatch(line -> line.matches("gpu-hang +GPU 3 blocks .*"));
  }

  @Test
  void anOlderDriversLibraryCanBeTheMainOne(@TempDir Path dir) throws IOException {
    run("--library-variant", "old", "--out", dir.toString());
    assertThat(
            Files.mismatch(
                dir.resolve("lib/libnvidia-ml.so.1"), dir.resolve("lib-old/libnvidia-ml.so.1")))
        .isEqualTo(-1);
  }

  @Test
  void anUnknownTypeIsAnsweredWithTheKnownOnes(@TempDir Path dir) {
    assertMistake(
        run("--instance-type", "p9.metal", "--out", dir.toString()),
        "unknown instance type 'p9.metal'; known are p5.48xlarge, ");
    assertMistake(
        run("--instance-type", "p6-b20048xlarge", "--out", dir.toString()),
        "unknown instance type 'p6-b20048xlarge' (did you mean p6-b200.48xlarge?); known are ");
  }

  @Test
  void anUnknownScenarioIsAnsweredWithTheKnownOnes(@TempDir Path dir) {
    assertMistake(
        run("--scenario", "gpu-hangs", "--out", dir.toString()),
        "unknown scenario 'gpu-hangs' (did you mean gpu-hang?); known are healthy, ");
    assertMistake(
        run("--scenario", "xid79", "--out", dir.toString()),
        "unknown scenario 'xid79' (did you mean xid-79?); known are healthy, ");
    assertMistake(
        run("--scenario", "earthquake", "--out", dir.toString()),
        "unknown scenario 'earthquake'; known are healthy, ");
  }

  @Test
  void aScenarioFileWithAMistakeIsNamed(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("mine.yaml"), "steps: [{at: never}]");
    assertMistake(
        run("--scenario", file.toString(), "--out", dir.toString()), "mine.yaml: steps[0].at: ");
  }

  @Test
  void aScenarioThatNeedsMoreGpusIsRefused(@TempDir Path dir) {
    assertMistake(
        run("--instance-type", "g6.xlarge", "--scenario", "gpu-hang", "--out", dir.toString()),
        "scenario gpu-hang needs 4 GPUs, g6.xlarge has 1");
  }

  @Test
  void aScenarioThatNeedsMoreEfaDevicesIsRefused(@TempDir Path dir) {
    assertMistake(
        run(
            "--instance-type",
            "g5.48xlarge",
            "--scenario",
            "efa-device-lost",
            "--out",
            dir.toString()),
        "scenario efa-device-lost needs 6 EFA devices, g5.48xlarge has 1");
  }

  @Test
  void aFileInTheWayIsNamed(@TempDir Path dir) throws IOException {
    Path file = Files.writeString(dir.resolve("file"), "");
    assertMistake(run("--out", file.toString()), file + " is a file; --out needs a folder");
  }

  @Test
  void aNodeReplacesAnEarlierOneInTheSameFolder(@TempDir Path dir) throws IOException {
    Path twice = dir.resolve("twice");
    Path once = dir.resolve("once");
    run("--instance-type", "g5.48xlarge", "--scenario", "training", "--out", twice.toString());
    Path events = Files.createDirectories(twice.resolve("agent-state")).resolve("events.jsonl");
    Files.writeString(events, "{}");
    Path own = Files.writeString(twice.resolve("notes.txt"), "mine");
    for (Path node : List.of(twice, once)) {
      Ran ran = run("--instance-type", "g5.48xlarge", "--out", node.toString());
      assertThat(ran.code()).isZero();
    }
    assertThat(events).doesNotExist();
    assertThat(own).hasContent("mine");
    Files.delete(own);
    assertThat(files(twice)).isEqualTo(files(once));
    for (String name : List.of("vendor", "device", "class")) {
      assertThat(texts(twice, name)).isNotEmpty().isEqualTo(texts(once, name));
    }
  }

  private static Set<Path> files(Path node) throws IOException {
    try (Stream<Path> paths = Files.walk(node)) {
      return paths.map(node::relativize).collect(Collectors.toSet());
    }
  }

  /** Contents of all regular files with that name, by path. */
  private static Map<Path, String> texts(Path node, String name) throws IOException {
    Map<Path, String> texts = new TreeMap<>();
    for (Path path : files(node)) {
      if (path.endsWith(name) && Files.isRegularFile(node.resolve(path))) {
        texts.put(path, Files.readString(node.resolve(path)));
      }
    }
    return texts;
  }

  @Test
  void aFolderWithOtherContentIsRefused(@TempDir Path dir) throws IOException {
    Path own = Files.writeString(dir.resolve("thesis.txt"), "mine");
    assertMistake(
        run("--out", dir.toString()), dir + " is not empty and does not hold a simulated node");
    assertThat(own).hasContent("mine");
    assertThat(files(dir)).hasSize(2);
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() {
    assertMistake(run("--out", "/proc/lapwing"), "/proc/lapwing cannot be written: ");
  }

  @Test
  void aMissingFolderAndAnUnknownFlagAreMistakes() {
    assertMistake(run(), "--out is missing");
    assertMistake(run("--outt", "x"), "--outt");
    assertMistake(run("--library-variant", "ancient", "--out", "x"), "ancient");
  }
}
