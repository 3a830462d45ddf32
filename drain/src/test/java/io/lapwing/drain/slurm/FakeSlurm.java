package io.lapwing.drain.slurm;

import io.lapwing.drain.exec.Scripts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * scontrol and squeue as scripts that answer from files, and note how they were called. A change
 * puts the line of a file in the node's place, if there is one.
 */
final class FakeSlurm {

  private static final String SCONTROL =
      """
      cd "${0%/*}"
      printf '%s\\n' "$*" >>calls
      case "$*" in
        "show topology") . ./topology ;;
        "show config") . ./config ;;
        *"show node") cat nodes ;;
        *"show node "*) grep "^NodeName=${!#} " nodes || { echo "Node ${!#} not found"; exit 1; } ;;
        *) if [[ -e change ]]; then . ./change; elif [[ -e after ]]; then cp after nodes; fi ;;
      esac
      """;

  private static final String SQUEUE = "cd \"${0%/*}\"; printf '%s\\n' \"$*\" >>calls; cat jobs";

  private final Path dir;

  FakeSlurm(Path dir) throws IOException {
    this.dir = dir;
    scontrol(SCONTROL);
    squeue(SQUEUE);
    jobs("");
    topology("");
  }

  SlurmCommands commands(Duration timeout) {
    return new SlurmCommands(
        dir.resolve("scontrol"), dir.resolve("squeue"), Map.of("SLURM_CONF", "/x"), timeout);
  }

  SlurmCommands commands() {
    return commands(Duration.ofMinutes(1));
  }

  void scontrol(String body) throws IOException {
    Scripts.bash(dir.resolve("scontrol"), body);
  }

  void squeue(String body) throws IOException {
    Scripts.bash(dir.resolve("squeue"), body);
  }

  void nodes(String... lines) throws IOException {
    Files.writeString(dir.resolve("nodes"), String.join("\n", lines) + "\n");
  }

  /** What {@code scontrol show topology} prints. */
  void topology(String lines) throws IOException {
    Files.writeString(dir.resolve("topology.txt"), lines);
    Files.writeString(dir.resolve("topology"), "cat topology.txt");
  }

  /** It fails with these words. */
  void noTopology(String words) throws IOException {
    Files.writeString(dir.resolve("topology"), "echo '" + words + "' >&2; exit 1");
  }

  /** What {@code scontrol show config} prints. */
  void config(String lines) throws IOException {
    Files.writeString(dir.resolve("config.txt"), lines);
    Files.writeString(dir.resolve("config"), "cat config.txt");
  }

  /** It fails with these words. */
  void noConfig(String words) throws IOException {
    Files.writeString(dir.resolve("config"), "echo '" + words + "' >&2; exit 1");
  }

  /** What the nodes are after a change. */
  void after(String... lines) throws IOException {
    Files.writeString(dir.resolve("after"), String.join("\n", lines) + "\n");
  }

  /** What a change does instead; a part of a script. */
  void change(String body) throws IOException {
    Files.writeString(dir.resolve("change"), body);
  }

  void jobs(String lines) throws IOException {
    Files.writeString(dir.resolve("jobs"), lines);
  }

  /** The commands that would change something. */
  List<String> changes() throws IOException {
    Path calls = dir.resolve("calls");
    if (!Files.exists(calls)) {
      return List.of();
    }
    return Files.readAllLines(calls).stream().filter(call -> !call.startsWith("--all")).toList();
  }

  /** A node as scontrol prints it. */
  static String node(String name, String state, String written) {
    return "NodeName="
        + name
        + " CPUAlloc="
        + (state.startsWith("MIXED") ? 1 : 0)
        + " Gres=gpu:8 State="
        + state
        + " ThreadsPerCore=1 Partitions=p BootTime=2026-11-25T18:47:33 CfgTRES=cpu=2"
        + " AllocTRES= CurrentWatts=0 AveWatts=0"
        + (written.isEmpty() ? "" : " " + written);
  }

  /** With a reason of root. */
  static String reason(String text) {
    return "Reason=" + text + " [root@2026-11-25T18:57:00]";
  }
}
