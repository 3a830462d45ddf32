package io.lapwing.bench.health;

import io.lapwing.bench.Server;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The agent on a simulated node, with a separate kernel log and state directory. */
record AgentSetup(List<String> command, Path procfs, Path folder) {

  private static final String PROCFS = "--path.procfs=";

  static AgentSetup of(List<String> agent, Path folder) {
    Path procfs =
        agent.stream()
            .filter(word -> word.startsWith(PROCFS))
            .map(word -> Path.of(word.substring(PROCFS.length())))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("the agent's command has no " + PROCFS));
    List<String> command = new ArrayList<>(agent);
    command.removeIf(word -> word.startsWith("--path.kmsg=") || word.startsWith("--path.state="));
    command.add("--path.kmsg=" + folder.resolve("kmsg"));
    command.add("--path.state=" + folder.resolve("state"));
    return new AgentSetup(List.copyOf(command), procfs, folder);
  }

  Kmsg kmsg() throws IOException {
    return Kmsg.create(folder.resolve("kmsg"), procfs);
  }

  Path state() {
    return folder.resolve("state");
  }

  Server start() throws IOException {
    return new Server.Program("Lapwing", command, "lapwing_node_verdict", folder.resolve("log"))
        .start();
  }
}
