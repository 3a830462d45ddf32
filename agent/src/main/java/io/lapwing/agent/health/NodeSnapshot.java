package io.lapwing.agent.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The node at one moment, and the events before: every GPU seen since the agent started, by index,
 * and the other parts, each kind as a whole among them; removed parts are not listed.
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

  public NodeSnapshot after(History more) {
    return new NodeSnapshot(now, node, driver, agent, gpus, parts, more, trends);
  }

  public Stream<PartStatus> all() {
    return Stream.concat(gpus.stream().map(GpuStatus::part), parts.stream());
  }

  /** The parts of a kind, without the kind as a whole. */
  public List<PartStatus> parts(String kind) {
    return all().filter(part -> part.kind().equals(kind) && !part.name().isEmpty()).toList();
  }

  /** A kind as a whole; empty where it is not read. */
  public Optional<PartStatus> whole(String kind) {
    return part(kind, "");
  }

  /** One part; empty where it does not exist. */
  public Optional<PartStatus> part(String kind, String name) {
    return all().filter(part -> part.kind().equals(kind) && part.name().equals(name)).findFirst();
  }

  public Optional<GpuStatus> gpu(String uuid) {
    return gpus.stream().filter(gpu -> gpu.uuid().equals(uuid)).findFirst();
  }

  /**
   * The agent's own inputs and event log: why each does not work, empty while it does; {@code
   * logFile} is read instead of the kernel log.
   */
  public record AgentStatus(
      Optional<String> kernelLog,
      Optional<String> logFile,
      Optional<String> xidEvents,
      Optional<String> eventLog) {

    public static final AgentStatus ALL_AVAILABLE =
        new AgentStatus(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
