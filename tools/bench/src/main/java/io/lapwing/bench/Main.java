package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code ./lapwing bench}: the launcher passes the agent's command line with the shipped flags and
 * class archive.
 */
public final class Main {

  static final String PEER = "prometheus-node-exporter";

  private Main() {}

  /** Measures, prints the table and writes the JSON file. Exit code 1 if something did not run. */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options;
    try {
      options = BenchOptions.parse(List.of(arguments));
    } catch (IllegalArgumentException mistake) {
      System.err.println("bench: " + mistake.getMessage());
      System.exit(2);
      return;
    }
    ScratchFolder.use("lapwing-bench", folder -> run(options, folder));
  }

  private static void run(BenchOptions options, Path folder)
      throws IOException, InterruptedException {
    Server.Program agent =
        new Server.Program(
            "Lapwing",
            options.agentCommand(),
            "DCGM_FI_DEV_GPU_TEMP{gpu=\"7\"",
            folder.resolve("agent.log"));
    Server.Program peer = peer(folder);
    Result result = new SideBySide(agent, peer, options.effort()).run();
    Report report = new Report(result, MachineFacts.read(agent, peer));
    System.out.print(report.table());
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), report.json());
    }
  }

  private static Server.Program peer(Path folder) throws IOException {
    List<String> command =
        List.of(
            PEER,
            "--collector.disable-defaults",
            "--collector.infiniband",
            "--path.sysfs=" + PeerTree.write(folder));
    return new Server.Program(
        "node_exporter",
        command,
        "node_infiniband_port_data_received_bytes_total",
        folder.resolve("peer.log"));
  }
}
