package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * All that a rule may look at: the node at one moment, and what happened before.
 *
 * @param gpus every GPU that was seen since the agent started, by index
 * @param history what happened, of all that still matters
 * @param trends how counters moved in the last minutes
 */
public record NodeView(
    Instant now,
    NodeFacts node,
    DriverNow driver,
    List<GpuNow> gpus,
    History history,
    Trends trends) {

  public NodeView {
    gpus = List.copyOf(gpus);
  }

  public Optional<GpuNow> gpu(String uuid) {
    return gpus.stream().filter(gpu -> gpu.uuid().equals(uuid)).findFirst();
  }
}
