package io.lapwing.agent.health.rules.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Detection;
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
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.NcclMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** Views of a node with eight ranks of 64 on one communicator that works, then changed. */
final class NcclNode {

  static final String COMM = "ae94423cfbb2ef4a";

  private final Map<Metric, Map<List<String>, Double>> values = new HashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();
  private PartStatus.State state = PartStatus.State.ANSWERS;

  private NcclNode() {}

  static NcclNode idle() {
    return new NcclNode().value(NcclMetrics.RAS_UP, 0).value(NcclMetrics.COMMUNICATORS, 0);
  }

  static NcclNode training() {
    NcclNode node = new NcclNode().value(NcclMetrics.RAS_UP, 1);
    node.value(NcclMetrics.RANKS, 64, COMM);
    node.missing(0, 0, 0);
    for (int rank = 0; rank < 8; rank++) {
      String name = Integer.toString(rank + 8);
      node.asyncError(rank, 0);
      node.value(NcclMetrics.COLLECTIVES, 6650, COMM, name, "AllReduce");
      node.rank(rank, 1, 0);
    }
    return node;
  }

  NcclNode value(Metric metric, double value, String... labels) {
    values.computeIfAbsent(metric, unseen -> new HashMap<>()).put(List.of(labels), value);
    return this;
  }

  NcclNode missing(int unresponsive, int dead, int here) {
    return value(NcclMetrics.UNRESPONSIVE_RANKS, unresponsive, COMM)
        .value(NcclMetrics.MISSING_RANKS, unresponsive, COMM)
        .value(NcclMetrics.DEAD_RANKS, dead, COMM)
        .value(NcclMetrics.MISSING_RANKS_HERE, here, COMM);
  }

  NcclNode asyncError(int gpu, int result) {
    return value(
        NcclMetrics.RANK_ASYNC_ERROR,
        result,
        COMM,
        Integer.toString(gpu + 8),
        Integer.toString(gpu));
  }

  NcclNode rank(int gpu, int behind, int still) {
    String rank = Integer.toString(gpu + 8);
    return value(NcclMetrics.COLLECTIVES_BEHIND, behind, COMM, rank)
        .value(NcclMetrics.COLLECTIVES_STILL, still, COMM, rank);
  }

  NcclNode allStill(int seconds) {
    for (int rank = 0; rank < 8; rank++) {
      rank(rank, 0, seconds);
    }
    return this;
  }

  NcclNode efaSent(double bytes) {
    growth.put(List.of("efa:rdmap79s0", EfaMetrics.TX_BYTES, List.of("1")), bytes);
    return this;
  }

  NcclNode nvlinkSent(int gpu, double bytes) {
    growth.put(List.of("gpu:GPU-" + gpu, GpuMetrics.NVLINK_TX_BYTES, List.of()), bytes);
    return this;
  }

  NcclNode without(Metric metric) {
    values.remove(metric);
    return this;
  }

  NcclNode state(PartStatus.State other) {
    state = other;
    return this;
  }

  /** What a rule sees; it names what it reads, and nothing else is read for it. */
  List<Detection> detections(HealthRule rule) {
    List<Metric> named = new ArrayList<>(rule.spec().needs());
    named.addAll(rule.spec().reads());
    Values readings =
        metric -> {
          assertThat(named).contains(metric);
          return values.getOrDefault(metric, Map.of());
        };
    Map<String, Double> presets = new HashMap<>();
    for (Threshold threshold : rule.spec().thresholds()) {
      presets.put(threshold.name(), threshold.preset());
    }
    return rule.evaluate(
        view(readings), new RulePolicy(rule.spec(), true, rule.spec().aws(), presets));
  }

  private NodeSnapshot view(Values readings) {
    Values now = state == PartStatus.State.ANSWERS ? readings : Values.NONE;
    return new NodeSnapshot(
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
                gpu -> new GpuStatus("GPU-" + gpu, gpu, "", PartStatus.State.ANSWERS, Values.NONE))
            .toList(),
        List.of(
            new PartStatus("nccl", "", state, "", now),
            new PartStatus("efa", "rdmap79s0", PartStatus.State.ANSWERS, "", Values.NONE)),
        new History(List.of()),
        (part, metric, labels, window) -> {
          Double grown = growth.get(List.of(part, metric, labels));
          return grown == null ? OptionalDouble.empty() : OptionalDouble.of(grown);
        });
  }

  Detection one(HealthRule rule) {
    List<Detection> found = detections(rule);
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}
