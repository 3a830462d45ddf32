package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shell blocks of the README, the quick starts and the first documents of a user. Each line is
 * in {@code documented-commands.tsv}, with what it needs; {@code run} ones are run here as they
 * stand, but for the port, beside an agent on a simulated node.
 */
class DocumentedCommandsTest {

  private static final Path ROOT = Path.of("..");
  private static final List<String> DOCUMENTS =
      List.of("README.md", "docs/install.md", "docs/top.md", "docs/ui.md");
  private static final String RUN = "run";

  /** Beside {@link #RUN}: what a line needs that a test does not have. */
  private static final List<String> NEEDS =
      List.of("clone", "package", "cluster", "cloud", "terminal");

  private record Command(String needs, String line) {}

  @Test
  void everyLineIsRunOrItIsKnownWhatItNeeds() throws IOException {
    List<Command> known = known();

    assertThat(known).extracting(Command::line).doesNotHaveDuplicates();
    assertThat(known)
        .allSatisfy(
            command -> assertThat(NEEDS.contains(command.needs()) || isRun(command)).isTrue());
    assertThat(known).filteredOn(DocumentedCommandsTest::isRun).hasSizeGreaterThan(5);
    assertThat(documented())
        .as("lines of the documents; documented-commands.tsv says what each needs")
        .containsExactlyInAnyOrderElementsOf(known.stream().map(Command::line).toList());
  }

  @Test
  @Tag("slow")
  void theLinesForOneMachineWork(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    List<String> flags = new ArrayList<>(node.agentArguments());
    flags.add("--web.unix-socket=" + dir.resolve("agent.sock"));
    List<String> words = new ArrayList<>(List.of("agent", "--web.listen-address=127.0.0.1:0"));
    words.addAll(flags);
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      int port = URI.create(agent.address()).getPort();
      FaultyAgent.awaitVerdict(agent, "healthy");
      Path programs = programs(dir);
      for (Command command : known().stream().filter(DocumentedCommandsTest::isRun).toList()) {
        String line = command.line().replace("localhost:9754", "localhost:" + port);
        Process shell = shell(line, dir, programs, flags);
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(shell.waitFor()).as(line + "\n" + output).isZero();
        assertThat(output).as(line).isNotBlank();
      }
    }
  }

  private static Process shell(String line, Path dir, Path programs, List<String> flags)
      throws IOException {
    ProcessBuilder shell =
        new ProcessBuilder("bash", "-c", line).directory(dir.toFile()).redirectErrorStream(true);
    shell.environment().merge("PATH", programs.toString(), (path, own) -> own + ":" + path);
    // As /etc/lapwing/lapwing.yml would: every command reads the agent's options.
    for (String flag : flags) {
      String[] option = flag.substring(2).split("=", 2);
      String name = option[0].replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
      shell.environment().put("LAPWING_" + name, option[1]);
    }
    return shell.start();
  }

  /** The program of the package, and a sudo that changes no user. */
  private static Path programs(Path dir) throws IOException {
    Path programs = Files.createDirectory(dir.resolve("bin"));
    String java = "'" + String.join("' '", AgentProcess.command(List.of())) + "'";
    program(programs.resolve("lapwing"), "exec " + java + " \"$@\"");
    program(programs.resolve("sudo"), "exec \"$@\"");
    return programs;
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static boolean isRun(Command command) {
    return command.needs().equals(RUN);
  }

  private static List<Command> known() throws IOException {
    try (var in = DocumentedCommandsTest.class.getResourceAsStream("/documented-commands.tsv")) {
      String table = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return table
          .lines()
          .map(line -> line.split("\t", 2))
          .map(of -> new Command(of[0], of[1]))
          .toList();
    }
  }

  /** Each line once. */
  private static List<String> documented() throws IOException {
    List<Path> files = new ArrayList<>(DOCUMENTS.stream().map(ROOT::resolve).toList());
    try (Stream<Path> starts = Files.list(ROOT.resolve("docs/quickstart"))) {
      files.addAll(starts.toList());
    }
    List<String> lines = new ArrayList<>();
    for (Path file : files) {
      lines.addAll(ofBlocks(Files.readAllLines(file)));
    }
    return lines.stream().distinct().toList();
  }

  /** The lines of shell blocks, without comments; a continued line is one. */
  private static List<String> ofBlocks(List<String> document) {
    List<String> lines = new ArrayList<>();
    boolean shell = false;
    String before = "";
    for (String line : document) {
      String text = line.strip();
      if (text.startsWith("```")) {
        shell = text.equals("```sh") || text.equals("```bash");
      } else if (shell) {
        String command = (before + text).replaceAll("\\s{2,}# .*$", "").strip();
        boolean goesOn = command.endsWith("\\");
        before = goesOn ? command.substring(0, command.length() - 1).strip() + " " : "";
        if (!goesOn && !command.isEmpty() && !command.startsWith("#")) {
          lines.add(command);
        }
      }
    }
    return lines;
  }
}
