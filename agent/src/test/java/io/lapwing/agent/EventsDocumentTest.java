package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.events.EventKind;
import io.lapwing.agent.health.engine.ClearRequests;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample lines of {@code docs/events.md}: what the whole agent, with its parser, rules and
 * writer, puts into {@code events.jsonl} about faults of a simulated node. Run with {@code
 * -Dgolden.update} to rewrite them.
 */
class EventsDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "events.md");
  private static final String START = "```json\n";
  private static final String END = "```";

  private static final Pattern XID = Pattern.compile("\"number\":\\d+");

  private static final int GPUS = 8;
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(5);

  private static final String SXID =
      "nvidia-nvswitch0: SXid (PCI:0000:c3:00.0): 20034, Fatal, Link 28 LTSSM Fault Up";
  private static final String MIG =
      "NVRM: Xid (PCI:{pci:1} GPU-I:05 GPU-CI:00): 31, pid={pid:1}, name=python3, "
          + "Ch 00000008, intr 00000000. MMU Fault: ENGINE GRAPHICS GPCCLIENT_T1_3 faulted @ "
          + "0x7f2a_10000000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ";

  private static final String CAUSED =
      "NVRM: Xid (PCI:{pci:0}): 43, pid={pid:0}, name=python3, "
          + "Ch 00000008 caused by previous Xid 94";

  private static final List<String> WITHOUT_XID =
      List.of(
          "NVRM: GPU {pci:4}.0: RmInitAdapter failed! (0x62:0x40:2477)",
          "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:{pci:5} (printing 1 of every 30).  "
              + "The GPU likely needs to be reset.",
          "NVRM: knvlinkUpdatePostRxDetectLinkMask_IMPL: Failed to update Rx Detect Link mask!");
  private static final String HUNG =
      "INFO: task python3:{pid:0} blocked for more than 122 seconds.";
  private static final String FRAME = " os_acquire_rwlock_read+0x12/0x50 [nvidia]";

  private static final List<String> OPERATIONS =
      List.of(
          "maintenance_started",
          "test_finding",
          "test_finding_ended",
          "gpus_released",
          "gpus_reopened",
          "maintenance_ended");

  private final VirtualClock clock = new VirtualClock();
  private int rounds;

  @Test
  void theDocumentShowsALineOfEachKindAsTheAgentWritesIt(@TempDir Path dir) throws Exception {
    String lines = String.join("\n", samples(written(dir))) + "\n";
    String document = Files.readString(DOCUMENT);
    int from = document.indexOf(START) + START.length();
    int to = document.indexOf(END, from);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document.substring(0, from) + lines + document.substring(to));
      return;
    }
    assertThat(document.substring(from, to))
        .as("run the tests with -Dgolden.update to rewrite it")
        .isEqualTo(lines);
  }

  /** Of each kind, and of each XID, the last of those lines that have most members. */
  private static List<String> samples(List<String> lines) {
    List<String> plain =
        lines.stream().map(line -> line.replaceFirst(",\"more\":true}$", "}")).toList();
    assertThat(plain.stream().map(EventsDocumentTest::kind)).containsAll(EventKind.all());
    return plain.stream()
        .collect(
            Collectors.toMap(
                line -> kind(line) + XID.matcher(line).results().map(MatchResult::group).toList(),
                line -> line,
                (one, other) -> members(other) >= members(one) ? other : one))
        .values()
        .stream()
        .sorted(Comparator.comparing(plain::indexOf))
        .toList();
  }

  private static String kind(String line) {
    return line.split("\"", 5)[3];
  }

  private static long members(String line) {
    return line.split("\":", -1).length;
  }

  private SimulatedNode node(Path dir) throws IOException {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
    node.setAll(
        Map.of(
            "check.seconds",
            "0",
            "epoch",
            String.valueOf(clock.instant().minus(Duration.ofDays(1)).getEpochSecond()),
            "time",
            String.valueOf(clock.instant().getEpochSecond())));
    return node;
  }

  private List<String> written(Path dir) throws Exception {
    SimulatedNode node = node(dir.resolve("node"));
    before(
        node,
        node.lines().getOrDefault("gpu.0.uuid", ""),
        "GPU-0badcafe-51a7-4ed0-8000-5eed00000003");
    try (TestAgent agent = TestAgent.at(clock, node)) {
      round(agent, node);
      round(agent, node);
      faults(agent, node);
      memory(agent, node);
      lost(agent, node);
      cleared(agent, node);
      operations(agent, node);
    }
    List<String> all = new ArrayList<>(withoutEffects(lines(node)));
    all.addAll(replaced(dir.resolve("replaced")));
    return all;
  }

  /** The agent fetches requests when it likes: GPUs may close, and their findings with them. */
  private static List<String> withoutEffects(List<String> lines) {
    int first = lines.stream().map(EventsDocumentTest::kind).toList().indexOf(OPERATIONS.get(0));
    List<String> kept = new ArrayList<>(lines.subList(0, first));
    lines.stream().skip(first).filter(line -> OPERATIONS.contains(kind(line))).forEach(kept::add);
    return kept;
  }

  private static List<String> lines(SimulatedNode node) throws IOException {
    return Files.readAllLines(node.agentState().resolve("events.jsonl"));
  }

  private void round(TestAgent agent, SimulatedNode node) {
    if (rounds > 0) {
      // The clock last: it wakes the collectors, which are to find the new time.
      node.set("time", String.valueOf(clock.instant().plus(BETWEEN_ROUNDS).getEpochSecond()));
      clock.advance(BETWEEN_ROUNDS);
    }
    rounds++;
    Map<String, Integer> wanted = new HashMap<>(Map.of("nvml", 1));
    for (int gpu = 0; gpu < GPUS; gpu++) {
      wanted.put("gpu" + gpu, rounds);
    }
    agent.awaitRounds(wanted);
    agent.judge();
  }

  /** An XID and one that it causes, one of a MIG instance, a fault of an NVSwitch, others. */
  private void faults(TestAgent agent, SimulatedNode node) {
    agent.awaitListening();
    node.xid(0, 94);
    agent.awaitXids(1);
    node.kernel(CAUSED);
    node.kernel(MIG);
    node.kernel(SXID);
    node.kernel(HUNG);
    node.kernel(FRAME);
    WITHOUT_XID.forEach(node::kernel);
    // The driver, the GPU's UUID before its first XID, and seven faults.
    agent.awaitKernelMessages(11);
    round(agent, node);
    String processes = node.lines().getOrDefault("gpu.0.processes", "");
    node.exit(Long.parseLong(processes.split(":", 2)[0]));
    round(agent, node);
  }

  /** An earlier boot of the machine, with these GPUs. */
  private static void before(SimulatedNode node, String... gpus) throws IOException {
    StringBuilder log =
        new StringBuilder(
            "{\"kind\":\"booted\",\"at\":\"2025-12-01T00:00:00Z\",\"bootId\":\"before\"}\n");
    for (String gpu : gpus) {
      log.append(
          "{\"kind\":\"rows_remapped\",\"at\":\"2025-12-01T00:00:10Z\",\"gpu\":\"%s\",\"correctable\":0,\"uncorrectable\":0}\n"
              .formatted(gpu));
    }
    Files.createDirectories(node.agentState());
    Files.writeString(node.agentState().resolve("events.jsonl"), log);
  }

  /** The lines of a machine none of whose GPUs is left. */
  private List<String> replaced(Path dir) throws Exception {
    SimulatedNode node = node(dir);
    before(
        node,
        "GPU-0badcafe-51a7-4ed0-8000-5eed00000000",
        "GPU-0badcafe-51a7-4ed0-8000-5eed00000001");
    rounds = 0;
    try (TestAgent agent = TestAgent.at(clock, node)) {
      round(agent, node);
      round(agent, node);
    }
    return lines(node).stream().filter(line -> kind(line).equals("machine_replaced")).toList();
  }

  private void memory(TestAgent agent, SimulatedNode node) {
    node.setAll(
        Map.of(
            "gpu.2.ecc.corrected.volatile.dram", "14",
            "gpu.2.ecc.corrected.aggregate.dram", "14",
            "gpu.2.rows.correctable", "1",
            "gpu.2.rows.pending", "1"));
    round(agent, node);
    round(agent, node);
    round(agent, node);
    node.reset(2);
    node.set("gpu.2.rows.pending", "1");
    // Until then the state may be the one before the reset.
    for (int i = 0; i < 26; i++) {
      round(agent, node);
    }
  }

  /** The kernel's line first, which the state of the GPU confirms. */
  private void lost(TestAgent agent, SimulatedNode node) {
    node.kernel("NVRM: Xid (PCI:{pci:1}): 79, GPU has fallen off the bus.");
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () -> {
              agent.judge();
              return agent.wiring().health().events().stream()
                  .anyMatch(event -> event instanceof Event.Xid xid && xid.number() == 79);
            });
    round(agent, node);
    node.set("gpu.1.lost", "1");
    round(agent, node);
    node.clear("gpu.1.lost");
    round(agent, node);
  }

  private void cleared(TestAgent agent, SimulatedNode node) throws IOException {
    new ClearRequests(node.agentState(), clock).ask("xid_94", "gpu:0", "job restarted");
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () -> {
              agent.judge();
              return agent.wiring().health().events().stream()
                  .anyMatch(Event.OperatorCleared.class::isInstance);
            });
  }

  private void operations(TestAgent agent, SimulatedNode node) throws IOException {
    Instant now = clock.instant();
    ask(
        agent,
        node,
        Event.MaintenanceStarted.class,
        new OperatorRequest.StartMaintenance(now.plusSeconds(7_200), "swap PSU"));
    ask(
        agent,
        node,
        Event.TestFinding.class,
        new OperatorRequest.StartTest(now.plusSeconds(300), "xid_79", "gpu:3", ""));
    ask(agent, node, Event.TestFindingEnded.class, new OperatorRequest.EndTests());
    new OperatorRequests(node.agentState())
        .ask(new OperatorRequest.ReleaseGpus(now.plusSeconds(600)));
    ask(agent, node, Event.GpusReopened.class, new OperatorRequest.ReopenGpus());
    ask(agent, node, Event.MaintenanceEnded.class, new OperatorRequest.EndMaintenance());
  }

  private static void ask(
      TestAgent agent, SimulatedNode node, Class<? extends Event> kind, OperatorRequest request)
      throws IOException {
    new OperatorRequests(node.agentState()).ask(request);
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () -> {
              agent.judge();
              return agent.wiring().health().events().stream().anyMatch(kind::isInstance);
            });
  }
}
