package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code ./lapwing bench --efa}: the cost of reading EFA devices, compared with node_exporter's
 * infiniband collector. The launcher passes the agent's command line on a simulated p5.48xlarge.
 */
public final class EfaMain {

  private static final Duration WINDOW = Duration.ofSeconds(10);
  private static final int ROUNDS = 9;
  private static final int QUICK_ROUNDS = 3;

  private EfaMain() {}

  /** Measures, prints the table and writes the JSON file. Exit code 1 if something did not run. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    BenchOptions options;
    try {
      options = BenchOptions.parse(List.of(arguments));
    } catch (IllegalArgumentException mistake) {
      System.err.println("bench: " + mistake.getMessage());
      System.exit(2);
      return;
    }
    ScratchFolder.use("lapwing-bench-efa", folder -> run(options, folder));
  }

  private static void run(BenchOptions options, Path folder)
      throws IOException, InterruptedException {
    Server.Program agent =
        agent(
            options,
            folder.resolve("agent"),
            "node_amazonefa_tx_bytes",
            "--collector.efa",
            "--collector.efa_info");
    Server.Program idle =
        agent(options, folder.resolve("idle"), "lapwing_build_info", "--collector.node");
    Server.Program peer = peer(folder);
    EfaSideBySide sideBySide = new EfaSideBySide(agent, idle, peer, WINDOW);
    EfaReport report =
        new EfaReport(
            MachineFacts.read(agent, peer),
            sideBySide.run(options.quick() ? QUICK_ROUNDS : ROUNDS));
    System.out.print(report.table());
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), report.json());
    }
  }

  /** The agent with the shipped flags, only these collectors and a separate state folder. */
  private static Server.Program agent(
      BenchOptions options, Path folder, String marker, String... collectors) throws IOException {
    Files.createDirectories(folder);
    String cadence = EfaSideBySide.CADENCE.toMillis() + "ms";
    List<String> command = new ArrayList<>(options.agentCommand());
    command.removeIf(word -> word.startsWith("--path.state="));
    Stream.of(
            "--path.state=" + folder.resolve("state"),
            "--cadence.fast=" + cadence,
            "--cadence.medium=" + cadence,
            // All counters in each round.
            "--metrics=full",
            "--collector.disable-defaults")
        .forEach(command::add);
    command.addAll(List.of(collectors));
    return new Server.Program("Lapwing", command, marker, folder.resolve("log"));
  }

  private static Server.Program peer(Path folder) throws IOException {
    List<String> command =
        List.of(
            Main.PEER,
            "--collector.disable-defaults",
            "--collector.infiniband",
            "--path.sysfs=" + PeerTree.write(folder, EfaSideBySide.COUNTERS));
    return new Server.Program(
        "node_exporter",
        command,
        "node_infiniband_port_data_received_bytes_total",
        folder.resolve("peer.log"));
  }
}
