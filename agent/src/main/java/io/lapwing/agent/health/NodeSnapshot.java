package io.lapwing.agent.health;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The input of a rule: the node at one moment, and the events before.
 *
 * @param agent the state of the agent's own inputs
 * @param gpus every GPU that was seen since the agent started, by index
 * @param parts the other parts that are read and evaluated, each kind as a whole among them; a part
 *     that was removed is not listed
 * @param trends increases of counters in the last minutes
 */
public record NodeSnapshot(
    Instant now,
    NodeFacts node,
    DriverStatus driver,
    AgentStatus agent,
    List<GpuStatus> gpus,
    List<PartStatus> parts,
    History history,
    Trends trends,
    Kinds kinds) {

  /**
   * All parts, GPUs among them, by kind; nearly every rule reads them.
   *
   * @param wholes each kind as a whole
   * @param parts those with a name
   * @param answering those of them that answer
   */
  public record Kinds(
      Map<String, PartStatus> wholes,
      Map<String, List<PartStatus>> parts,
      Map<String, List<PartStatus>> answering) {

    static Kinds of(List<GpuStatus> gpus, List<PartStatus> others) {
      Kinds kinds = new Kinds(new HashMap<>(), new HashMap<>(), new HashMap<>());
      gpus.forEach(gpu -> kinds.add(gpu.part()));
      others.forEach(kinds::add);
      return kinds;
    }

    private void add(PartStatus part) {
      if (part.name().isEmpty()) {
        wholes.putIfAbsent(part.kind(), part);
        return;
      }
      parts.computeIfAbsent(part.kind(), unseen -> new ArrayList<>()).add(part);
      if (part.answers()) {
        answering.computeIfAbsent(part.kind(), unseen -> new ArrayList<>()).add(part);
      }
    }
  }

  public NodeSnapshot(
      Instant now,
      NodeFacts node,
      DriverStatus driver,
      AgentStatus agent,
      List<GpuStatus> gpus,
      List<PartStatus> parts,
      History history,
      Trends trends) {
    this(now, node, driver, agent, gpus, parts, history, trends, Kinds.of(gpus, parts));
  }

  public NodeSnapshot {
    gpus = List.copyOf(gpus);
    parts = List.copyOf(parts);
  }

  public NodeSnapshot after(History more) {
    return new NodeSnapshot(now, node, driver, agent, gpus, parts, more, trends, kinds);
  }

  /** With these GPUs in the place of those that were read. */
  public NodeSnapshot with(List<GpuStatus> others) {
    return new NodeSnapshot(now, node, driver, agent, others, parts, history, trends);
  }

  public Stream<PartStatus> all() {
    return Stream.concat(gpus.stream().map(GpuStatus::part), parts.stream());
  }

  /** The parts of a kind, without the kind as a whole. */
  public List<PartStatus> parts(String kind) {
    return kinds.parts().getOrDefault(kind, List.of());
  }

  /** Those that answer. */
  public List<PartStatus> answering(String kind) {
    return kinds.answering().getOrDefault(kind, List.of());
  }

  /** A kind as a whole; empty where it is not read. */
  public Optional<PartStatus> whole(String kind) {
    return Optional.ofNullable(kinds.wholes().get(kind));
  }

  /** One part, or its kind as a whole where the name is empty; empty where it does not exist. */
  public Optional<PartStatus> part(String kind, String name) {
    return name.isEmpty()
        ? whole(kind)
        : parts(kind).stream().filter(part -> part.name().equals(name)).findFirst();
  }

  public Optional<GpuStatus> gpu(String uuid) {
    return gpus.stream().filter(gpu -> gpu.uuid().equals(uuid)).findFirst();
  }

  /**
   * The state of the agent's own inputs and of its event log.
   *
   * @param kernelLog why the kernel log is not read, and the remedy; empty while it is read
   * @param logFile the file that is read instead of the kernel log, and why; empty where none is
   * @param xidEvents why NVML's XID events are unavailable; empty while they are received
   * @param eventLog why events are not written to disk; empty while they are
   */
  public record AgentStatus(
      Optional<String> kernelLog,
      Optional<String> logFile,
      Optional<String> xidEvents,
      Optional<String> eventLog) {

    /** The end of {@code eventLog} where the events from before the start could not be read. */
    public static final String NOT_RESTORED = "not all events from before were restored";

    public static final AgentStatus ALL_AVAILABLE =
        new AgentStatus(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
