package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the whole check as a process with a fake nvidia-smi and an agent with a fixed response. */
class GpuAcceptanceTest {

  private final Path folder;

  GpuAcceptanceTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void endsWithZeroWhenAllAgrees() throws Exception {
    Outcome outcome = check(resource("h200-idle.prom"));
    assertThat(outcome.output()).contains("54 compared, 0 mismatches");
    assertThat(outcome.code()).isZero();
  }

  @Test
  void endsWithOneAndShowsTheLineWhenAValueIsWrong() throws Exception {
    String wrong = resource("h200-idle.prom").replaceFirst("(PCIE_LINK_WIDTH\\{.*}) 16", "$1 8");
    Outcome outcome = check(wrong);
    assertThat(outcome.output())
        .containsPattern("PCIE_LINK_WIDTH +8 +16 +exact +MISMATCH")
        .contains("54 compared, 1 mismatches");
    assertThat(outcome.code()).isEqualTo(1);
  }

  @Test
  void endsWithOneWhenTheLibraryRefusedAStruct() throws Exception {
    String page =
        resource("h200-idle.prom")
            + "lapwing_collector_read_errors_total{reason=\"argument_version_mismatch\"} 1\n";
    assertThat(check(page).code()).isEqualTo(1);
  }

  @Test
  void namesAnAgentThatDoesNotStart() throws Exception {
    Outcome outcome = run(List.of("false"));
    assertThat(outcome.output()).contains("the agent does not get ready");
    assertThat(outcome.code()).isEqualTo(1);
  }

  private record Outcome(int code, String output) {}

  private Outcome check(String page) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("page"), page);
    return run(java("io.lapwing.bench.FixedPageServer", file.toString()));
  }

  private Outcome run(List<String> agent) throws IOException, InterruptedException {
    Path bin = fakeNvidiaSmi();
    List<String> command = new ArrayList<>(java(Main.class.getName()));
    command.addAll(List.of("--seconds=1", "--idle-only", "--"));
    command.addAll(agent);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().merge("PATH", bin.toString(), (old, ours) -> ours + ":" + old);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  private Path fakeNvidiaSmi() throws IOException {
    Path xml = Files.writeString(folder.resolve("xml"), resource("h200-idle.xml"));
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path program = bin.resolve("nvidia-smi");
    Files.writeString(program, "#!/bin/sh\n[ \"$*\" = '-q -x' ] && cat " + xml + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return bin;
  }

  private List<String> java(String mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + folder); // where it leaves its log when something is wrong
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
    command.addAll(List.of(arguments));
    return command;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(Main.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
