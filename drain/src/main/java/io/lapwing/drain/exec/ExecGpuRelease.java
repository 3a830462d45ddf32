package io.lapwing.drain.exec;

import io.lapwing.drain.cluster.CommandResult;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.GpuRelease;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/**
 * Has the agent close its GPUs by a program of the site, since an agent accepts such a request only
 * from its own host: {@code lapwing release}, by ssh for example. The agent reports when they are
 * closed.
 */
public final class ExecGpuRelease implements GpuRelease {

  private final SiteProgram program;
  private final Function<NodeName, State> agents;

  /**
   * @param agents the state that a node's agent shows
   */
  public ExecGpuRelease(SiteProgram program, Function<NodeName, State> agents) {
    this.program = program;
    this.agents = agents;
  }

  @Override
  public State state(NodeName node) {
    return agents.apply(node);
  }

  @Override
  public CommandResult release(NodeName node, Duration time) {
    return program.command(
        Map.of("action", "release", "node", node.text(), "for", time.toSeconds() + "s"));
  }

  @Override
  public CommandResult end(NodeName node) {
    return program.command(Map.of("action", "end", "node", node.text()));
  }
}
