package io.lapwing.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A node that does not exist, and the agent that reads it: two processes, one page to scrape. The
 * agent and the simulator have to be on the class path of this JVM.
 */
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
   * Starts both and waits until the agent is ready. The scenario begins before that, when the
   * simulator is; where it boots the machine, the agent starts again at the same address.
   *
   * @param folder of this node alone
   * @param name by which it is scraped and calls itself
   * @param scenario by name, or a YAML file
   * @param flags of the agent
   */
  public static SimulatedNode start(Path folder, String name, String scenario, String... flags) {
    Path node = folder.resolve("node");
    ServerProcess simulator =
        ServerProcess.start(
            "simulator",
            folder,
            JavaCommand.of(
                "io.lapwing.simulator.SimulateMain",
                "--scenario=" + scenario,
                "--out=" + node,
                "--play"));
    try {
      List<String> words = new ArrayList<>(List.of(simulator.awaitSaid(FLAGS).split(" ")));
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

  /** How Prometheus knows it. */
  public Target target(String cluster) {
    return Target.node(agent.address(), cluster, name);
  }

  /** What the agent logged, in all of its lives. */
  public String agentLog() {
    return agent.log();
  }

  /** SIGKILL to the agent, for good; the node goes on. */
  public void killAgent() {
    agent.kill();
  }

  @Override
  public void close() {
    agent.close();
    simulator.close();
  }
}
