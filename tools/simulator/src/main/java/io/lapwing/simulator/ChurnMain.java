package io.lapwing.simulator;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code churn}: plays every fault on a node in turn until stopped. */
@Command(
    name = "churn",
    description = "Writes a node, then plays and heals every fault in turn, repeatedly.",
    mixinStandardHelpOptions = true)
public final class ChurnMain implements Callable<Integer> {

  @Option(names = "--out", required = true, description = "The folder to write the node into.")
  private @Nullable Path out;

  @Option(
      names = "--instance-type",
      defaultValue = "p5.48xlarge",
      description = "An EC2 instance type; default ${DEFAULT-VALUE}.")
  private String instanceType = "";

  @Option(
      names = "--pass-seconds",
      defaultValue = "450",
      description = "Duration of one pass through all scenarios; default ${DEFAULT-VALUE}.")
  private int passSeconds;

  public static void main(String[] args) {
    System.exit(new CommandLine(new ChurnMain()).execute(args));
  }

  @Override
  @SuppressWarnings("try") // the folder is claimed until the node ends
  public Integer call() throws Exception {
    Path folder = Objects.requireNonNull(out);
    try (NodeFolder claimed = NodeFolder.claim(folder)) {
      return churn(SimulatedNode.create(folder, InstanceType.named(instanceType)));
    } catch (NodeFolder.Refused e) {
      System.err.println("churn: " + e.getMessage());
      return CommandLine.ExitCode.USAGE;
    }
  }

  @SuppressWarnings("try") // both run in the background
  private Integer churn(SimulatedNode node) throws InterruptedException {
    try (PassingTime time = node.letTimePass();
        JobRun job = node.letJobRun()) {
      // A signal ends this process without returning here.
      Runtime.getRuntime().addShutdownHook(new Thread(job::close, "end-of-job"));
      Churn churn = new Churn(node, Scenario.all(), Duration.ofSeconds(passSeconds));
      System.out.println(node.agentFlags());
      System.out.flush();
      Instant start = Instant.now();
      while (true) {
        churn.pass(start);
        start = start.plusSeconds(passSeconds);
      }
    }
  }
}
