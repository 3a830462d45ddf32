package io.lapwing.simulator;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves RAS of a simulated job until stopped. */
@Command(
    name = "fake-ras",
    mixinStandardHelpOptions = true,
    description = "Answers as NCCL's RAS service of a simulated job.")
public final class FakeRasMain implements Callable<Integer> {

  /** Faults of the job. */
  enum Fault {
    NONE,
    MISSING,
    DEAD,
    ASYNC_ERROR,
    LAGGING,
    STILL
  }

  @Option(names = "--port", defaultValue = "28028", description = "Port on the loopback address.")
  private int port;

  @Option(names = "--nodes", defaultValue = "2", description = "Nodes of the job.")
  private int nodes;

  @Option(names = "--ranks-per-node", defaultValue = "8", description = "Ranks per node.")
  private int ranksPerNode;

  @Option(
      names = "--fault",
      defaultValue = "NONE",
      description = "Fault of the second to last rank of the first node: ${COMPLETION-CANDIDATES}.")
  private Fault fault = Fault.NONE;

  @Option(
      names = "--manner",
      defaultValue = "JSON",
      description = "How the service answers: ${COMPLETION-CANDIDATES}.")
  private RasManner manner = RasManner.JSON;

  @Option(
      names = "--here",
      description =
          "Use the address and the process of this program for the ranks of the first node.")
  private boolean here;

  public static void main(String... args) {
    CommandLine command = new CommandLine(new FakeRasMain());
    System.exit(command.setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    RasJob job = job();
    try (FakeRas ras = FakeRas.start(port, job)) {
      ras.manner(manner);
      System.out.printf(
          Locale.ROOT, "RAS of %d ranks at localhost:%d%n", nodes * ranksPerNode, ras.port());
      while (fault != Fault.STILL) {
        job.advance("AllReduce", 10).advance("AllGather", 2);
        Thread.sleep(1000);
      }
      Thread.currentThread().join();
    }
    return 0;
  }

  private RasJob job() {
    RasJob job = RasJob.of(nodes, ranksPerNode).advance("AllReduce", 100);
    if (here) {
      job.host("10.0.0.0", InetAddress.getLoopbackAddress().getHostAddress());
      for (int rank = 0; rank < ranksPerNode; rank++) {
        job.pid(rank, (int) ProcessHandle.current().pid());
      }
    }
    int rank = Math.max(0, ranksPerNode - 2);
    return switch (fault) {
      case NONE, STILL -> job;
      case MISSING -> job.missing(rank, false);
      case DEAD -> job.missing(rank, true);
      case ASYNC_ERROR -> job.asyncError(rank, 2);
      case LAGGING -> job.stopped(rank);
    };
  }
}
