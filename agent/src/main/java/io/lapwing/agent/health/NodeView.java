package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a rule may look at: the node at one moment, and what happened before.
 *
 * @param agent how well the agent itself sees and remembers
 * @param gpus every GPU that was seen since the agent started, by index
 * @param history what happened, of all that still matters
 * @param trends how counters moved in the last minutes
 */
public record NodeView(
    Instant now,
    NodeFacts node,
    DriverNow driver,
    AgentNow agent,
    List<GpuNow> gpus,
    History history,
    Trends trends) {

  public NodeView {
    gpus = List.copyOf(gpus);
  }

  /** Seen by an agent that sees and remembers everything. */
  public NodeView(
      Instant now,
      NodeFacts node,
      DriverNow driver,
      List<GpuNow> gpus,
      History history,
      Trends trends) {
    this(now, node, driver, AgentNow.WELL, gpus, history, trends);
  }

  public Optional<GpuNow> gpu(String uuid) {
    return gpus.stream().filter(gpu -> gpu.uuid().equals(uuid)).findFirst();
  }
}
