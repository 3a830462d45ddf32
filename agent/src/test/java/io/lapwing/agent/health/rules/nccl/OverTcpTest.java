package io.lapwing.agent.health.rules.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Values;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.host.HostMetrics;
import io.lapwing.jobs.JobNetworkMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import io.lapwing.training.TrainingMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A node with eight GPUs and two EFA devices: 600 GB each way over ENA in five minutes. */
class OverTcpTest {

  private static final String ENA = "ena";
  private static final List<String> PORT = List.of("1");

  private final HealthRule rule = new OverTcp();
  private final Map<String, Map<Metric, Map<List<String>, Double>>> values = new HashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();
  private PartStatus.State efa = PartStatus.State.ANSWERS;

  OverTcpTest() {
    value(ENA, HostMetrics.ENA_RECEIVED, 1e13, "eth0");
    ena(6e11, 6e11);
    efa(0);
  }

  private void value(String part, Metric metric, double value, String... labels) {
    values
        .computeIfAbsent(part, unseen -> new HashMap<>())
        .computeIfAbsent(metric, unseen -> new HashMap<>())
        .put(List.of(labels), value);
  }

  private void ena(double received, double sent) {
    growth.put(List.of(ENA, HostMetrics.ENA_RECEIVED, List.of("eth0")), received);
    growth.put(List.of(ENA, HostMetrics.ENA_TRANSMITTED, List.of("eth0")), sent);
  }

  private void efa(double bytes) {
    for (String device : List.of("efa:rdmap79s0", "efa:rdmap80s0")) {
      growth.put(List.of(device, EfaMetrics.TX_BYTES, PORT), bytes);
      growth.put(List.of(device, EfaMetrics.RX_BYTES, PORT), bytes);
    }
  }

  private void process(int gpu, String nodes, String network, String missing, String settings) {
    value(
        "job_network",
        JobNetworkMetrics.INFO,
        1,
        Integer.toString(gpu),
        "GPU-" + gpu,
        Integer.toString(20_001 + gpu),
        "4711",
        "ada",
        "",
        "",
        nodes,
        network,
        missing,
        "",
        settings);
  }

  private void jobOverTcp(String nodes) {
    for (int gpu = 0; gpu < 8; gpu++) {
      process(gpu, nodes, "tcp", "libnccl-net", "NCCL_DEBUG=WARN");
    }
  }

  private void unreadableJob() {
    process(0, "", "unknown", "", "");
  }

  /** A verified rank of the process on GPU 0, in a job with so many ranks. */
  private void rank(int worldSize, double steps) {
    List<String> labels =
        new ArrayList<>(
            Collections.nCopies(
                TrainingMetrics.INFO.labels().size() - TrainingMetrics.STEPS.labels().size(), ""));
    int own = TrainingMetrics.STEPS.labels().size();
    labels.set(TrainingMetrics.INFO.labels().indexOf("pid") - own, "20001");
    labels.set(
        TrainingMetrics.INFO.labels().indexOf("world_size") - own, Integer.toString(worldSize));
    value("training:4711/0", TrainingMetrics.INFO, 1, labels.toArray(String[]::new));
    value("training:4711/0", TrainingMetrics.VERIFIED, 1);
    growth.put(List.of("training:4711/0", TrainingMetrics.STEPS, List.of()), steps);
  }

  private void communicator(int ranks, double still) {
    value("nccl", NcclMetrics.RANKS, ranks, "abc");
    value("nccl", NcclMetrics.COLLECTIVES_STILL, still, "abc", "8");
  }

  private PartStatus part(String key, PartStatus.State state) {
    String[] names = key.split(":", 2);
    Values now = metric -> values.getOrDefault(key, Map.of()).getOrDefault(metric, Map.of());
    return new PartStatus(names[0], names.length > 1 ? names[1] : "", state, "", now);
  }

  private List<Detection> detections() {
    List<PartStatus> parts = new ArrayList<>();
    values.keySet().forEach(key -> parts.add(part(key, PartStatus.State.ANSWERS)));
    parts.add(part("efa", PartStatus.State.ANSWERS));
    parts.add(part("efa:rdmap79s0", PartStatus.State.ANSWERS));
    parts.add(part("efa:rdmap80s0", efa));
    Map<String, Double> presets = new HashMap<>();
    for (Threshold threshold : rule.spec().thresholds()) {
      presets.put(threshold.name(), threshold.preset());
    }
    NodeSnapshot view =
        new NodeSnapshot(
            Instant.parse("2026-03-01T12:00:00Z"),
            new NodeFacts(
                "node-1",
                "p5.48xlarge",
                "i-0",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalInt.empty()),
            new DriverStatus.Up("570.133.20", 8),
            AgentStatus.ALL_AVAILABLE,
            IntStream.range(0, 8)
                .mapToObj(
                    gpu ->
                        new GpuStatus("GPU-" + gpu, gpu, "", PartStatus.State.ANSWERS, Values.NONE))
                .toList(),
            parts,
            new History(List.of()),
            (part, metric, labels, window) -> {
              Double grown = growth.get(List.of(part, metric, labels));
              return grown == null ? OptionalDouble.empty() : OptionalDouble.of(grown);
            });
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, rule.spec().aws(), presets));
  }

  @Test
  void theJobItsProcessesAndWhatIsMissingAreNamed() {
    jobOverTcp("several");
    process(1, "several", "tcp", "libnccl-net", "NCCL_DEBUG=WARN");

    assertThat(detections()).hasSize(1);
    Detection found = detections().get(0);
    assertThat(found.what())
        .isEqualTo(
            "job 4711 uses NCCL over TCP in processes 20001, 20002, 20003, 20004, 20005, 20006, "
                + "20007 and 20008 (aws-ofi-nccl (libnccl-net) is not loaded; NCCL_DEBUG=WARN); in "
                + "5 min the node received 600 GB and sent 600 GB over ENA, and moved nothing over EFA");
    assertThat(found.disposition()).isEqualTo(Disposition.EXTERNAL);
    assertThat(found.subject().text()).isEqualTo("node");
  }

  @Test
  void aSettingOrAForeignPluginIsNamed() {
    process(0, "several", "tcp", "", "NCCL_NET=Socket");
    process(1, "several", "tcp", "libfabric.so", "");

    assertThat(detections().get(0).what())
        .startsWith(
            "job 4711 uses NCCL over TCP in processes 20001 and 20002 (libnccl-net is not that of "
                + "aws-ofi-nccl: libfabric is not loaded; NCCL_NET=Socket); ");
  }

  @Test
  void aLoaderReceivesAndACheckpointSends() {
    jobOverTcp("several");
    ena(6e11, 6e9);
    assertThat(detections()).isEmpty();
    ena(6e9, 6e11);
    assertThat(detections()).isEmpty();
  }

  @Test
  void aJobOfOneNodeNeedsNoNetwork() {
    jobOverTcp("one");
    communicator(64, 0);
    assertThat(detections()).isEmpty();
  }

  @Test
  void aJobWithoutASignOfOtherNodesIsLeftAlone() {
    jobOverTcp("");
    assertThat(detections()).isEmpty();
    communicator(8, 0);
    assertThat(detections()).isEmpty();
    rank(8, 100);
    assertThat(detections()).isEmpty();
  }

  @Test
  void theStepFileAndRasKnowOtherNodesToo() {
    jobOverTcp("");
    rank(16, 0);
    assertThat(detections()).hasSize(1);
    values.remove("training:4711/0");
    assertThat(detections()).isEmpty();
    communicator(16, 30);
    assertThat(detections()).hasSize(1);
  }

  @Test
  void aJobThatUsesEfaOrIsIdleOrHasItsLibrariesIsWell() {
    jobOverTcp("several");
    efa(1e10);
    assertThat(detections()).isEmpty();
    efa(0);
    ena(1e9, 1e9);
    assertThat(detections()).isEmpty();
    ena(6e11, 6e11);
    values.remove("job_network");
    for (int gpu = 0; gpu < 8; gpu++) {
      process(gpu, "several", "efa", "", "");
    }
    assertThat(detections()).isEmpty();
  }

  @Test
  void nothingIsSaidWhereATrafficCounterIsUnknown() {
    jobOverTcp("several");
    efa = PartStatus.State.HUNG;
    assertThat(detections()).isEmpty();
    efa = PartStatus.State.ANSWERS;
    growth.remove(List.of("efa:rdmap80s0", EfaMetrics.RX_BYTES, PORT));
    assertThat(detections()).isEmpty();
  }

  @Test
  void withoutPermissionItIsAnObservationAndOnlyWithProgressAcrossNodes() {
    unreadableJob();
    assertThat(detections()).isEmpty();
    rank(16, 0);
    assertThat(detections()).isEmpty();
    rank(16, 100);

    assertThat(detections()).hasSize(1);
    Detection found = detections().get(0);
    assertThat(found.disposition().action()).isEqualTo(Action.NONE);
    assertThat(found.what())
        .startsWith("job 4711 uses collectives without EFA in process 20001; in 5 min");
    assertThat(found.why()).contains("CAP_SYS_PTRACE");
  }

  @Test
  void rasShowsProgressAcrossNodesToo() {
    unreadableJob();
    communicator(16, 400);
    assertThat(detections()).isEmpty();
    communicator(16, 30);
    assertThat(detections()).hasSize(1);
  }
}
