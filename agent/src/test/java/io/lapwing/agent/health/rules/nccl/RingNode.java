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
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Metric;
import io.lapwing.nccl.ring.RingMetrics;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Views of a node with ranks of job 4711 in rings of NCCL's profiler plugin: rank 3 is process 8403
 * on GPU 3. Each compared 3,000 collectives in the last four minutes.
 */
public final class RingNode {

  public static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration WINDOW = Duration.ofMinutes(4);
  private static final int PARTS = 3;

  private final Map<Metric, Map<List<String>, Double>> rings = new HashMap<>();
  private final Map<Metric, Map<List<String>, Double>> ras = new HashMap<>();
  private final Map<String, Map<Metric, Map<List<String>, Double>>> steps = new LinkedHashMap<>();
  private final Map<List<Object>, Map<List<String>, Double>> ofGpus = new HashMap<>();

  /** Increases by part of the window, the oldest first. */
  private final Map<List<Object>, double[]> growth = new HashMap<>();

  /** Ranks from 0 of one communicator. */
  public static RingNode of(String comm, int ranks) {
    RingNode node = new RingNode().ring(RingMetrics.PROCESSES, ranks);
    IntStream.range(0, ranks).forEach(rank -> node.member(comm, rank));
    return node;
  }

  /** A rank of the job in a further communicator. */
  public RingNode member(String comm, int rank) {
    ring(RingMetrics.INFO, 1, with(comm, rank, "dp", "64", "8", "6"));
    String pid = Integer.toString(8400 + rank);
    String number = Integer.toString(rank);
    ring(RingMetrics.RANK_PROCESS, 1, with(comm, rank, pid, "1000", "4711", number, number));
    ring(RingMetrics.COMPARED, 90_000, base(comm, rank));
    ring(RingMetrics.BEHIND, 0, base(comm, rank));
    ring(RingMetrics.IN_FLIGHT, 0, base(comm, rank));
    grew(RingMetrics.COMPARED, comm, rank, 1000, 1000, 1000);
    grew(RingMetrics.TIMED, comm, rank, 1000, 1000, 1000);
    return late(comm, rank, 0, 0, 0).waited(comm, rank, 0, 0, 0);
  }

  public static String[] base(String comm, int rank) {
    return with(comm, rank);
  }

  public static String[] with(String comm, int rank, String... more) {
    List<String> all = new ArrayList<>(List.of(comm, "" + rank, "" + rank));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  public RingNode ring(Metric metric, double value, String... labels) {
    rings.computeIfAbsent(metric, unseen -> new HashMap<>()).put(List.of(labels), value);
    return this;
  }

  public RingNode without(Metric metric) {
    rings.remove(metric);
    return this;
  }

  public RingNode ras(Metric metric, double value, String... labels) {
    ras.computeIfAbsent(metric, unseen -> new HashMap<>()).put(List.of(labels), value);
    return this;
  }

  public RingNode gpu(int gpu, Metric metric, double value, String... labels) {
    ofGpus
        .computeIfAbsent(List.of("GPU-" + gpu, metric), unseen -> new HashMap<>())
        .put(List.of(labels), value);
    return this;
  }

  /** Seconds of each part of the window. */
  public RingNode late(String comm, int rank, double... seconds) {
    return grew(RingMetrics.LATE, comm, rank, seconds);
  }

  public RingNode waited(String comm, int rank, double... seconds) {
    return grew(RingMetrics.WAIT, comm, rank, seconds);
  }

  public RingNode grew(Metric counter, String comm, int rank, double... by) {
    return grew("nccl_profiler", counter, List.of(base(comm, rank)), by);
  }

  public RingNode grew(String part, Metric counter, List<String> labels, double... by) {
    growth.put(List.of(part, counter, labels), by);
    return this;
  }

  /** The step file of a rank, in a phase. */
  public RingNode step(int rank, String phase) {
    Map<Metric, Map<List<String>, Double>> values = new HashMap<>();
    String[] info = new String[15];
    Arrays.fill(info, "");
    info[0] = "GPU-" + rank;
    info[14] = Integer.toString(8400 + rank);
    values.put(TrainingMetrics.INFO, Map.of(List.of(info), 1.0));
    values.put(TrainingMetrics.VERIFIED, Map.of(List.of(), 1.0));
    values.put(TrainingMetrics.OWNER, Map.of(List.of(), 1000.0));
    values.put(TrainingMetrics.PHASE, Map.of(List.of(phase), 1.0));
    values.put(TrainingMetrics.STEPS, Map.of(List.of(), 1000.0));
    values.put(TrainingMetrics.STEP_SECONDS, Map.of(List.of(), 500.0));
    steps.put("llm/" + rank, values);
    return this;
  }

  public RingNode stepValue(int rank, Metric metric, double value) {
    steps.getOrDefault("llm/" + rank, Map.of()).put(metric, Map.of(List.of(), value));
    return this;
  }

  /** A rank that the others of the communicator wait for. */
  public RingNode behind(String comm, int rank, double seconds, String state, int... waiting) {
    ring(RingMetrics.BEHIND, seconds, base(comm, rank));
    ring(RingMetrics.BEHIND_SEQUENCE, 6650, with(comm, rank, "AllReduce", state));
    for (int other : waiting) {
      ring(RingMetrics.IN_FLIGHT, seconds, base(comm, other));
    }
    return this;
  }

  /** What a rule sees; it names what it reads, and nothing else is read for it. */
  public List<Detection> detections(HealthRule rule) {
    List<Metric> named =
        Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
            .flatMap(List::stream)
            .toList();
    Map<String, Double> presets = new HashMap<>();
    for (Threshold threshold : rule.spec().thresholds()) {
      presets.put(threshold.name(), threshold.preset());
    }
    return rule.evaluate(
        view(named), new RulePolicy(rule.spec(), true, rule.spec().aws(), presets));
  }

  public Detection one(HealthRule rule) {
    List<Detection> found = detections(rule);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static Values values(Map<Metric, Map<List<String>, Double>> values, List<Metric> named) {
    return metric -> {
      assertThat(named).contains(metric);
      return values.getOrDefault(metric, Map.of());
    };
  }

  private NodeSnapshot view(List<Metric> named) {
    List<PartStatus> parts = new ArrayList<>();
    parts.add(part("nccl_profiler", "", values(rings, named)));
    parts.add(part("training", "", Values.NONE));
    if (!ras.isEmpty()) {
      parts.add(part("nccl", "", values(ras, named)));
    }
    steps.forEach((name, of) -> parts.add(part("training", name, values(of, named))));
    return new NodeSnapshot(
        NOW,
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
        IntStream.range(0, 8).mapToObj(gpu -> gpu(gpu, named)).toList(),
        parts,
        History.EMPTY,
        new Growth(growth));
  }

  private GpuStatus gpu(int gpu, List<Metric> named) {
    String uuid = "GPU-" + gpu;
    return new GpuStatus(
        uuid,
        gpu,
        "",
        PartStatus.State.ANSWERS,
        metric -> {
          assertThat(named).contains(metric);
          return ofGpus.getOrDefault(List.of(uuid, metric), Map.of());
        });
  }

  private static PartStatus part(String kind, String name, Values values) {
    return new PartStatus(kind, name, PartStatus.State.ANSWERS, "", values);
  }

  private record Growth(Map<List<Object>, double[]> growth) implements Trends {

    @Override
    public OptionalDouble increase(
        String part, Metric metric, List<String> labels, Duration window) {
      double[] by = growth.get(List.of(part, metric, labels));
      if (by == null) {
        return OptionalDouble.empty();
      }
      double left = PARTS * window.toMillis() / (double) WINDOW.toMillis();
      double sum = 0;
      for (int i = by.length - 1; i >= 0 && left > 0; i--) {
        sum += Math.min(1, left) * by[i];
        left -= 1;
      }
      return OptionalDouble.of(sum);
    }
  }
}
