package io.lapwing.stack;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A node that does not exist, and the agent that reads it: two processes, one page to scrape. The
 * agent and the simulator have to be on the class path of this JVM.
 */
public final class SimulatedNode implements AutoCloseable {

  private static final Pattern FLAGS = Pattern.compile("(?m)^(--nvml\\.library=.*)$");
  private static final Pattern ADDRESS = Pattern.compile("address=(http://[^ ]+)/metrics");

  private final String name;
  private final ServerProcess simulator;
  private final ServerProcess agent;
  private final URI address;

  private SimulatedNode(String name, ServerProcess simulator, ServerProcess agent, URI address) {
    this.name = name;
    this.simulator = simulator;
    this.agent = agent;
    this.address = address;
  }

  /**
   * Starts both and waits until the agent is ready. The scenario begins before that, when the
   * simulator is.
   *
   * @param folder of this node alone
   * @param name by which it is scraped and calls itself
   * @param scenario by name, or a YAML file
   * @param flags of the agent
   */
  public static SimulatedNode start(Path folder, String name, String scenario, String... flags) {
    ServerProcess simulator =
        ServerProcess.start(
            "simulator",
            folder,
            java(
                "io.lapwing.simulator.SimulateMain",
                List.of("--scenario=" + scenario, "--out=" + folder.resolve("node"), "--play")));
    try {
      String ofNode = simulator.awaitSaid(FLAGS);
      ServerProcess agent =
          ServerProcess.start(
              "agent", folder, java("io.lapwing.agent.Main", words(ofNode, name, flags)));
      URI address = URI.create(agent.awaitSaid(ADDRESS));
      agent.awaitReady(address, "/-/ready");
      return new SimulatedNode(name, simulator, agent, address);
    } catch (RuntimeException e) {
      simulator.close();
      throw e;
    }
  }

  private static List<String> words(String ofNode, String name, String... flags) {
    return Stream.of(
            Stream.of("agent", "--web.listen-address=127.0.0.1:0", "--node.hostname=" + name),
            Arrays.stream(ofNode.split(" ")),
            Arrays.stream(flags))
        .flatMap(stream -> stream)
        .toList();
  }

  private static List<String> java(String main, List<String> words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(words);
    return command;
  }

  public String name() {
    return name;
  }

  /** How Prometheus knows it. */
  public Target target(String cluster) {
    return Target.node(address.getAuthority(), cluster, name);
  }

  /** SIGKILL to the agent; the node goes on. */
  public void killAgent() {
    agent.kill();
  }

  /** Both logs, for people who look for what went wrong. */
  public String log() {
    return simulator.log() + agent.log();
  }

  @Override
  public void close() {
    agent.close();
    simulator.close();
  }
}
