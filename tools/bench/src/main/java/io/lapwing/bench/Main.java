package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code ./lapwing bench}: the launcher hands over the agent's own command line, with the flags and
 * the class archive that ship.
 */
public final class Main {

  static final String PEER = "prometheus-node-exporter";

  private Main() {}

  /** Measures, prints the table, writes the record; exit code 1 only when something did not run. */
  public static void main(String[] arguments) throws Exception {
    BenchOptions options;
    try {
      options = BenchOptions.parse(List.of(arguments));
    } catch (IllegalArgumentException mistake) {
      System.err.println("bench: " + mistake.getMessage());
      System.exit(2);
      return;
    }
    ScratchFolder folder = ScratchFolder.create("lapwing-bench");
    try {
      run(options, folder.path());
      folder.delete();
    } catch (IOException failure) {
      System.err.println("bench: " + failure.getMessage());
      System.err.println("bench: what there is to look at is in " + folder.path());
      System.exit(1);
    }
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
