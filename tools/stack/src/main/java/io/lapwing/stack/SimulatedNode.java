package io.lapwing.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A simulated node and its agent, as two processes. Both must be on the class path of this JVM. */
public final class SimulatedNode implements AutoCloseable {

  private static final Pattern FLAGS = Pattern.compile("(?m)^(--nvml\\.library=.*)$");

  private final String name;
  private final ServerProcess simulator;
  private final SimulatedAgent agent;

  private SimulatedNode(String name, ServerProcess simulator, SimulatedAgent agent) {
    this.name = name;
    this.simulator = simulator;
    this.agent = agent;
  }

  /**
   * Starts both and waits until the agent is ready. The scenario starts earlier, with the
   * simulator. If it boots the node, the agent restarts at the same address.
   *
   * @param folder folder of this node
   * @param name instance label and node name
   * @param scenario name or YAML file
   * @param flags of the agent
   */
  public static SimulatedNode start(Path folder, String name, String scenario, String... flags) {
    return start(folder, name, "p5.48xlarge", scenario, flags);
  }

  /**
   * As {@link #start(Path, String, String, String...)}, of another instance type.
   *
   * @param type such as {@code p4d.24xlarge}
   */
  public static SimulatedNode ofType(
      Path folder, String name, String type, String scenario, String... flags) {
    return start(folder, name, type, scenario, flags);
  }

  private static SimulatedNode start(
      Path folder, String name, String type, String scenario, String[] flags) {
    Path node = folder.resolve("node");
    ServerProcess simulator =
        ServerProcess.start(
            "simulator",
            folder,
            JavaCommand.of(
                "io.lapwing.simulator.SimulateMain",
                "--scenario=" + scenario,
                "--instance-type=" + type,
                "--out=" + node,
                "--play"));
    try {
      List<String> words = new ArrayList<>(List.of(simulator.awaitLogged(FLAGS).split(" ")));
      words.add("--node.hostname=" + name);
      words.addAll(List.of(flags));
      return new SimulatedNode(name, simulator, SimulatedAgent.start(folder, node, words));
    } catch (RuntimeException e) {
      simulator.close();
      throw e;
    }
  }

  public String name() {
    return name;
  }

  /** Its scrape target. */
  public Target target(String cluster) {
    return Target.node(agent.address(), cluster, name);
  }

  /** The agent's log, including restarts. */
  public String agentLog() {
    return agent.log();
  }

  /** Kills the agent with SIGKILL, without restart; the node continues. */
  public void killAgent() {
    agent.kill();
  }

  @Override
  public void close() {
    agent.close();
    simulator.close();
  }
}
