package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code simulate --play} in a separate process, which is ended in various ways. */
class PlayTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Pattern PROCESS =
      Pattern.compile("^gpu\\.\\d\\.processes = (\\d+):60000$", Pattern.MULTILINE);

  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void nothingIsLeftOfTheTestEither() {
    started.forEach(Process::destroyForcibly);
  }

  private Process play(Path node, String path, String scenario) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SimulateMain.class.getName(),
                "--instance-type=g5.48xlarge",
                "--scenario=" + scenario,
                "--out=" + node,
                "--play")
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    command.environment().put("PATH", path);
    Process process = command.start();
    started.add(process);
    BufferedReader said = process.inputReader();
    assertThat(said.readLine()).startsWith("--nvml.library=");
    return process;
  }

  /** The ranks, and the program that runs them. */
  private static List<Long> processes(Path node) throws IOException {
    List<Long> pids = new ArrayList<>();
    Matcher process = PROCESS.matcher(Files.readString(node.resolve("state")));
    while (process.find()) {
      pids.add(Long.valueOf(process.group(1)));
    }
    assertThat(pids).hasSize(8);
    pids.add(ProcessHandle.of(pids.get(0)).orElseThrow().parent().orElseThrow().pid());
    return pids;
  }

  private static void awaitSteps(Path node) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              try (var files =
                  Files.newDirectoryStream(node.resolve(TrainingJob.STEPS), "*.steps")) {
                for (Path file : files) {
                  if (StepFile.of(file).written() > 0) {
                    return true;
                  }
                }
              }
              return false;
            });
  }

  /** An orphan without a reaping parent is still listed, as a zombie. */
  private static boolean lives(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException gone) {
      return false;
    }
  }

  private static void awaitEnd(List<Long> pids) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(pids).noneMatch(PlayTest::lives));
  }

  @Test
  void aFolderThatIsBeingPlayedIsRefused(@TempDir Path node) throws Exception {
    Process play = play(node, System.getenv("PATH"), "healthy");
    String state = Files.readString(node.resolve("state"));
    Ran second = simulate(node);
    assertThat(second.code()).isEqualTo(2);
    assertThat(second.err()).contains(node + " is in use by another simulator process");
    assertThat(node.resolve("state")).hasContent(state);
    play.destroyForcibly().waitFor();
    assertThat(simulate(node).code()).isZero();
  }

  private record Ran(int code, String err) {}

  private static Ran simulate(Path node) {
    StringWriter err = new StringWriter();
    CommandLine command = SimulateMain.commandLine();
    command.setOut(new PrintWriter(new StringWriter())).setErr(new PrintWriter(err));
    return new Ran(command.execute("--out", node.toString()), err.toString());
  }

  @Test
  void terminationLeavesNothingBehind(@TempDir Path node) throws Exception {
    Process play = play(node, System.getenv("PATH"), "training");
    List<Long> pids = processes(node);
    awaitSteps(node);
    play.destroy();
    assertThat(play.waitFor()).isEqualTo(143);
    awaitEnd(pids);
    assertThat(node.resolve(TrainingJob.STEPS)).isEmptyDirectory();
    assertThat(node.resolve(JobTree.MAPPING)).isEmptyDirectory();
    assertThat(node.resolve("sys/fs/cgroup")).doesNotExist();
  }

  @Test
  void killedItLeavesNoOrphans(@TempDir Path node) throws Exception {
    Process play = play(node, System.getenv("PATH"), "training");
    List<Long> pids = processes(node);
    awaitSteps(node);
    play.destroyForcibly().waitFor();
    awaitEnd(pids);
    assertThat(node.resolve(TrainingJob.STEPS)).isEmptyDirectory();
  }

  @Test
  void ranksDoNotOutliveTheProgramThatRunsThem(@TempDir Path node) throws Exception {
    play(node, System.getenv("PATH"), "training");
    List<Long> pids = processes(node);
    awaitSteps(node);
    ProcessHandle.of(pids.get(8)).orElseThrow().destroyForcibly();
    awaitEnd(pids);
    await()
        .atMost(PATIENCE)
        .until(
            () -> PROCESS.matcher(Files.readString(node.resolve("state"))).results().count() == 0);
  }

  @Test
  void withoutPythonTheRanksUseTheCWriter(@TempDir Path node) throws Exception {
    play(node, "/nonexistent", "training");
    awaitSteps(node);
    assertThat(node.resolve("proc/" + processes(node).get(0) + "/comm")).hasContent("training-job");
  }

  @Test
  void aBrokenPythonCountsAsMissing(@TempDir Path dir) throws Exception {
    Path bin = Files.createDirectory(dir.resolve("bin"));
    Path python = bin.resolve("python3");
    Files.writeString(python, "#!/bin/sh\nexit 1\n");
    Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path node = dir.resolve("node");
    play(node, bin.toString(), "training");
    assertThat(node.resolve("proc/" + processes(node).get(0) + "/comm")).hasContent("training-job");
  }

  @Test
  void aScenarioWithoutAJobStartsNoProcess(@TempDir Path node) throws Exception {
    Process play = play(node, System.getenv("PATH"), "healthy");
    assertThat(play.descendants()).isEmpty();
    assertThat(node.resolve("run")).doesNotExist();
  }
}
