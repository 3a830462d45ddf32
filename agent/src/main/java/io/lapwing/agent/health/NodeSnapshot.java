package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that a rule may look at: the node at one moment, and what happened before.
 *
 * @param agent how well the agent itself sees and remembers
 * @param gpus every GPU that was seen since the agent started, by index
 * @param parts the other parts that are read and evaluated, each kind as a whole among them; a part
 *     that was removed is not listed
 * @param history what happened, of all that still matters
 * @param trends how counters moved in the last minutes
 */
public record NodeSnapshot(
    Instant now,
    NodeFacts node,
    DriverStatus driver,
    AgentStatus agent,
    List<GpuStatus> gpus,
    List<PartStatus> parts,
    History history,
    Trends trends) {

  public NodeSnapshot {
    gpus = List.copyOf(gpus);
    parts = List.copyOf(parts);
  }

  /** A node of which nothing but GPUs is read. */
  public NodeSnapshot(
      Instant now,
      NodeFacts node,
      DriverStatus driver,
      AgentStatus agent,
      List<GpuStatus> gpus,
      History history,
      Trends trends) {
    this(now, node, driver, agent, gpus, List.of(), history, trends);
  }

  /** Seen by an agent that sees and remembers everything. */
  public NodeSnapshot(
      Instant now,
      NodeFacts node,
      DriverStatus driver,
      List<GpuStatus> gpus,
      History history,
      Trends trends) {
    this(now, node, driver, AgentStatus.WELL, gpus, history, trends);
  }

  /** The same moment, once more is known to have happened. */
  public NodeSnapshot after(History more) {
    return new NodeSnapshot(now, node, driver, agent, gpus, parts, more, trends);
  }

  /** Every part, GPUs first. */
  public Stream<PartStatus> all() {
    return Stream.concat(gpus.stream().map(GpuStatus::part), parts.stream());
  }

  /** The parts of a kind, without the kind as a whole. */
  public List<PartStatus> parts(String kind) {
    return all().filter(part -> part.kind().equals(kind) && !part.name().isEmpty()).toList();
  }

  /** A kind as a whole; empty where nothing of that kind is read. */
  public Optional<PartStatus> whole(String kind) {
    return part(kind, "");
  }

  /** One part; empty where there is none of that name, or no more. */
  public Optional<PartStatus> part(String kind, String name) {
    return all().filter(part -> part.kind().equals(kind) && part.name().equals(name)).findFirst();
  }

  public Optional<GpuStatus> gpu(String uuid) {
    return gpus.stream().filter(gpu -> gpu.uuid().equals(uuid)).findFirst();
  }
}
