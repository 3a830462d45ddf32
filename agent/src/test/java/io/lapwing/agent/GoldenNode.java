package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import io.lapwing.agent.sources.SourceActivity;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The agent on a simulated node where every value is known: the times of the node and of the agent
 * are advanced together, so that even averages between two samples (GPM) and sums over time are the
 * same in every run.
 */
final class GoldenNode implements AutoCloseable {

  static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(5);

  private static final Duration MEDIUM = Duration.ofSeconds(10);

  /** The driver reports that it is loaded. */
  private static final int MESSAGES_OF_BOOT = 1;

  /** Four XIDs, before the first of each of two GPUs who it is, and an NVSwitch. */
  private static final int MESSAGES_OF_FAULTS = 4 + 2 * 2 + 1;

  private static final String SXID =
      "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20009, Non-fatal, Link 28 RX Short Error Rate";

  /** Longer than the deadline of five seconds. */
  private static final Duration LONG = Duration.ofSeconds(6);

  private final VirtualClock clock = new VirtualClock();
  private final SimulatedNode node;
  private final int gpus;
  private final TestAgent agent;

  private GoldenNode(Path dir, String type, int gpus, Map<String, String> state, String... flags)
      throws Exception {
    this.gpus = gpus;
    this.node = SimulatedNode.create(dir, InstanceType.named(type));
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("check.seconds", "0");
    lines.put("epoch", String.valueOf(VirtualClock.START.getEpochSecond() - 86_400));
    lines.put("time", time());
    lines.put("gpu.count", String.valueOf(gpus));
    lines.putAll(state);
    node.setAll(lines);
    List<String> all = new ArrayList<>(List.of(flags));
    // Read on a thread of their own, before or after the first GPU is known.
    all.add("--no-collector.jobs");
    this.agent = TestAgent.at(clock, node, all.toArray(String[]::new));
  }

  /**
   * A healthy p5.48xlarge after two rounds.
   *
   * @param gpus of its eight
   */
  static GoldenNode healthy(Path dir, int gpus, String... flags) throws Exception {
    return typical(dir, gpus, all(gpus, flags));
  }

  /** As {@link #healthy}, but the instance type decides how many GPUs are expected. */
  static GoldenNode typical(Path dir, int gpus, String... flags) throws Exception {
    GoldenNode node = new GoldenNode(dir, "p5.48xlarge", gpus, Map.of(), flags);
    node.twoRounds();
    return node;
  }

  private static String[] all(int gpus, String... flags) {
    List<String> all = new ArrayList<>(List.of("--health.expected-gpus=" + gpus));
    all.addAll(List.of(flags));
    return all.toArray(String[]::new);
  }

  /** As {@link #healthy}, with more lines of the simulator's state. */
  static GoldenNode with(Path dir, int gpus, Map<String, String> state, String... flags)
      throws Exception {
    GoldenNode node = new GoldenNode(dir, "p5.48xlarge", gpus, state, all(gpus, flags));
    node.twoRounds();
    return node;
  }

  /** Another node of one GPU. */
  static GoldenNode of(Path dir, String type, Map<String, String> state) throws Exception {
    GoldenNode node = new GoldenNode(dir, type, 1, state, all(1));
    node.twoRounds();
    return node;
  }

  /** All of an instance type, and the instance type decides what is expected. */
  static GoldenNode whole(Path dir, InstanceType type) throws Exception {
    GoldenNode node = new GoldenNode(dir, type.name(), type.gpuCount(), Map.of());
    node.twoRounds();
    return node;
  }

  /**
   * Four GPUs: 0 has failing reads and a GPM without data, 1 answers that it is lost, 2 had memory
   * errors and XIDs, 3 hangs.
   */
  static GoldenNode broken(Path dir, String... flags) throws Exception {
    GoldenNode node = new GoldenNode(dir, "p5.48xlarge", 4, worn(), all(4, flags));
    node.breakDown();
    return node;
  }

  TestAgent agent() {
    return agent;
  }

  SimulatedNode node() {
    return node;
  }

  VirtualClock clock() {
    return clock;
  }

  private String time() {
    return String.valueOf(clock.instant().getEpochSecond());
  }

  private void letPass(Duration duration) {
    node.set("time", String.valueOf(clock.instant().plus(duration).getEpochSecond()));
    clock.advance(duration);
  }

  /** Two rounds, for the second look that rates need. */
  private void twoRounds() {
    agent.awaitRounds(rounds(1));
    // Those that were found meanwhile.
    agent.awaitRounds(rounds(1));
    agent.awaitKernelMessages(MESSAGES_OF_BOOT);
    agent.judge();
    letPass(BETWEEN_ROUNDS);
    agent.awaitRounds(rounds(2));
    agent.judge();
  }

  /** One round more of a node that had two. */
  void anotherRound() {
    letPass(BETWEEN_ROUNDS);
    agent.awaitRounds(rounds(3));
    agent.judge();
  }

  private void breakDown() {
    twoRounds();
    agent.awaitListening();
    node.xid(1, 79);
    node.xid(2, 94);
    node.xid(2, 63);
    node.xid(2, 94);
    node.kernel(SXID);
    agent.awaitXids(4);
    agent.awaitKernelMessages(MESSAGES_OF_BOOT + MESSAGES_OF_FAULTS);
    agent.judge();
    node.setAll(breakage());
    letPass(BETWEEN_ROUNDS);
    agent.awaitRounds(ofTheOthers(3));
    awaitBusy("gpu3");
    letPass(LONG);
    agent.awaitRounds(ofTheOthers(4));
    agent.judge();
  }

  private Map<String, Integer> ofTheOthers(int count) {
    Map<String, Integer> rounds = rounds(count);
    rounds.remove("gpu3");
    rounds.put("nvml", 2);
    return rounds;
  }

  /** The values of a GPU with past faults. */
  static Map<String, String> worn() {
    Map<String, String> state = new LinkedHashMap<>();
    state.put("gpu.2.ecc.uncorrected.volatile.dram", "3");
    state.put("gpu.2.ecc.uncorrected.aggregate.dram", "5");
    state.put("gpu.2.rows.uncorrectable", "2");
    state.put("gpu.2.rows.pending", "1");
    state.put("gpu.2.clocks.reasons", "0x40");
    state.put("gpu.2.nvlink.inactive", "5 7");
    state.put("gpu.2.nvlink.error.link", "5");
    state.put("gpu.2.nvlink.replay", "12");
    state.put("gpu.2.recovery.action", "1");
    return state;
  }

  private static Map<String, String> breakage() {
    Map<String, String> state = new LinkedHashMap<>();
    state.put("gpu.0.fieldreturn.82", "999");
    state.put("gpu.0.return.nvmlDeviceGetClockInfo", "999");
    state.put("gpu.0.gpm", "nan");
    state.put("gpu.1.return.*", "15");
    state.put("gpu.3.block.*", "forever");
    return state;
  }

  /** The driver is read less often: it stays at its first round. */
  private Map<String, Integer> rounds(int count) {
    Set<String> collectors = agent.wiring().page().collectors();
    Map<String, Integer> rounds = new HashMap<>(Map.of("nvml", 1));
    if (collectors.contains("node")) {
      rounds.put("node", count);
    }
    if (collectors.contains("gpu_xid")) {
      rounds.put("gpu_events", count);
    }
    if (collectors.contains("gpu_p2p")) {
      rounds.put("gpu_peers", count);
    }
    for (int gpu = 0; gpu < gpus; gpu++) {
      rounds.put("gpu" + gpu, count);
    }
    rounds.putAll(ofCounters(collectors));
    return rounds;
  }

  /** What is read less often than GPUs: EFA, Lustre and LNet, and what was found of them by now. */
  private Map<String, Integer> ofCounters(Set<String> collectors) {
    int count = 1 + (int) (clock.passed().toSeconds() / MEDIUM.toSeconds());
    Map<String, Integer> rounds = new HashMap<>();
    for (String kind : List.of("efa", "lustre", "lnet")) {
      if (collectors.contains(kind)) {
        rounds.put(kind, count);
      }
    }
    if (collectors.contains("lustre") && collectors.contains("lustre_targets")) {
      rounds.put("lustre-sums-scratch", count);
    }
    for (SourceActivity found : agent.wiring().poller().activities()) {
      if (found.source().contains("-")) {
        rounds.put(found.source(), found.source().startsWith("lustre-capacity") ? 1 : count);
      }
    }
    return rounds;
  }

  private void awaitBusy(String source) {
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                agent.wiring().poller().activities().stream()
                    .anyMatch(state -> state.source().equals(source) && state.busy().isPresent()));
  }

  @Override
  public void close() {
    node.clear("gpu.3.block.*");
    agent.close();
  }
}
