package io.lapwing.agent.attribution;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A node on which four ranks of a job train, each on its GPU: a hundred steps a minute of half a
 * second, 0.3 s of it computing and 0.1 s waiting for others.
 */
final class TrainingNode {

  static final int RANKS = 4;

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Values OF_NOTHING = Values.NONE;

  private final StepTimeAttribution lost = new StepTimeAttribution();
  private final Map<Integer, Map<Metric, Double>> totals = new HashMap<>();
  private final Map<Integer, Map<Metric, Double>> steps = new HashMap<>();
  private final Map<Integer, Double> clocks = new HashMap<>();
  private final Map<Integer, String> reasons = new HashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();
  private final List<PartStatus> others = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<Integer, String> instances = new HashMap<>();
  private Instant now = Instant.parse("2026-03-01T12:00:00Z");
  private int ranks = RANKS;
  private int stepsAMinute = 100;
  private final Set<Integer> unverified = new HashSet<>();
  private final Map<Integer, String> stages = new HashMap<>();

  TrainingNode() {
    for (int rank = 0; rank < RANKS; rank++) {
      totals.put(rank, new HashMap<>());
      steps.put(rank, new HashMap<>());
      clocks.put(rank, 1980.0);
      takes(rank, TrainingMetrics.COMPUTE_SECONDS, 0.3);
      takes(rank, TrainingMetrics.COMMUNICATION_WAIT_SECONDS, 0.1);
      takes(rank, TrainingMetrics.DATA_WAIT_SECONDS, 0);
      takes(rank, TrainingMetrics.CHECKPOINT_SECONDS, 0);
      grew("gpu:" + uuid(rank), GpuMetrics.SM_ACTIVE_SECONDS, 55);
    }
    looks();
  }

  static String uuid(int rank) {
    return "GPU-" + rank;
  }

  /** Changes the seconds per step. */
  TrainingNode takes(int rank, Metric portion, double seconds) {
    steps.getOrDefault(rank, Map.of()).put(portion, seconds);
    return this;
  }

  TrainingNode all(Metric portion, double seconds) {
    for (int rank = 0; rank < RANKS; rank++) {
      takes(rank, portion, seconds);
    }
    return this;
  }

  /** The loops do not report that portion. */
  TrainingNode without(Metric portion) {
    steps.values().forEach(each -> each.remove(portion));
    return this;
  }

  TrainingNode clock(int rank, double megahertz) {
    clocks.put(rank, megahertz);
    return this;
  }

  /** The GPU reports a reason of its clock. */
  TrainingNode reports(int rank, String reason) {
    reasons.put(rank, reason);
    return this;
  }

  TrainingNode grew(String part, Metric counter, double by, String... labels) {
    growth.put(List.of(part, counter, List.of(labels)), by);
    return this;
  }

  TrainingNode beside(String kind, String name) {
    others.add(new PartStatus(kind, name, PartStatus.State.ANSWERS, "", OF_NOTHING));
    return this;
  }

  TrainingNode isNotVerified(int rank) {
    unverified.add(rank);
    return this;
  }

  /** The MIG instance of its rank. */
  TrainingNode instance(int rank, String id) {
    instances.put(rank, id);
    return this;
  }

  /** An XID 94 of a MIG instance of a GPU, and its finding. */
  TrainingNode contained(int rank, int instance) {
    events.add(
        new Event.Xid(
            now,
            uuid(rank),
            "",
            OptionalInt.of(instance),
            OptionalInt.empty(),
            94,
            OptionalLong.empty(),
            "",
            "Contained",
            OptionalInt.empty(),
            Set.of(Event.Origin.NVML),
            1,
            OptionalLong.empty()));
    Detection detection =
        new Detection(
            "xid_94",
            new Subject.Gpu(uuid(rank)),
            Disposition.WATCH,
            "XID 94",
            "",
            "",
            Optional.of(now),
            Optional.of(now),
            1,
            List.of("NVML event"));
    findings.add(new Finding(detection, now, now));
    return this;
  }

  /** Its pipeline stage. */
  TrainingNode stage(int rank, String stage) {
    stages.put(rank, stage);
    return this;
  }

  TrainingNode only(int howMany) {
    ranks = howMany;
    return this;
  }

  TrainingNode steps(int aMinute) {
    stepsAMinute = aMinute;
    return this;
  }

  /** Restarts the file of a rank at 0. */
  TrainingNode restarts(int rank) {
    totals.getOrDefault(rank, Map.of()).clear();
    return this;
  }

  Slowness minutes(int count) {
    Slowness slowness = Slowness.NONE;
    for (int i = 0; i < count; i++) {
      now = now.plus(MINUTE);
      for (int rank = 0; rank < RANKS; rank++) {
        advance(totals.getOrDefault(rank, Map.of()), steps.getOrDefault(rank, Map.of()));
      }
      slowness = looks();
    }
    return slowness;
  }

  private void advance(Map<Metric, Double> total, Map<Metric, Double> each) {
    double recorded = each.values().stream().mapToDouble(Double::doubleValue).sum();
    recorded -= each.getOrDefault(TrainingMetrics.CHECKPOINT_SECONDS, 0.0);
    total.merge(TrainingMetrics.STEPS, (double) stepsAMinute, Double::sum);
    total.merge(TrainingMetrics.STEP_SECONDS, stepsAMinute * (recorded + 0.1), Double::sum);
    each.forEach((portion, seconds) -> total.merge(portion, stepsAMinute * seconds, Double::sum));
  }

  Slowness looks() {
    return lost.evaluate(view(), findings);
  }

  private NodeSnapshot view() {
    List<PartStatus> parts = new ArrayList<>(others);
    List<GpuStatus> gpus = new ArrayList<>();
    for (int rank = 0; rank < RANKS; rank++) {
      gpus.add(gpu(rank));
      if (rank < ranks) {
        parts.add(part(rank));
      }
    }
    return new NodeSnapshot(
        now,
        new NodeFacts(
            "node",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.Up("570", RANKS),
        AgentStatus.ALL_AVAILABLE,
        gpus,
        parts,
        new History(events),
        trends());
  }

  private Trends trends() {
    return (part, metric, labels, window) -> {
      Double by = growth.get(List.of(part, metric, labels));
      return by == null ? OptionalDouble.empty() : OptionalDouble.of(by);
    };
  }

  private PartStatus part(int rank) {
    Map<Metric, Double> total = Map.copyOf(totals.getOrDefault(rank, Map.of()));
    Values values =
        metric -> {
          if (metric.equals(TrainingMetrics.INFO)) {
            return Map.of(info(rank), 1.0);
          }
          if (metric.equals(TrainingMetrics.VERIFIED)) {
            return Map.of(List.of(), unverified.contains(rank) ? 0.0 : 1.0);
          }
          if (metric.equals(TrainingMetrics.OWNER)) {
            return Map.of(List.of(), 1000.0);
          }
          Double value = total.get(metric);
          return value == null ? Map.of() : Map.of(List.of(), value);
        };
    Labels labels =
        Labels.of(
            "job_id",
            "4711",
            "run",
            "llama",
            "rank",
            String.valueOf(rank),
            "local_rank",
            String.valueOf(rank),
            "gpu",
            String.valueOf(rank));
    return new PartStatus("training", "4711/" + rank, labels, PartStatus.State.ANSWERS, "", values);
  }

  /** The labels of its info series after those of all series. */
  private List<String> info(int rank) {
    Map<String, String> known =
        Map.of(
            "UUID",
            uuid(rank),
            "world_size",
            "4",
            "pp_rank",
            stages.getOrDefault(rank, ""),
            "GPU_I_ID",
            instances.getOrDefault(rank, ""));
    return TrainingMetrics.INFO.labels().stream()
        .skip(TrainingMetrics.STEPS.labels().size())
        .map(label -> known.getOrDefault(label, ""))
        .toList();
  }

  private GpuStatus gpu(int rank) {
    double clock = clocks.getOrDefault(rank, 0.0);
    String reason = reasons.getOrDefault(rank, "");
    Values values =
        metric -> {
          if (metric.equals(GpuMetrics.CLOCK_EVENT_ACTIVE)) {
            return reason.isEmpty() ? Map.of() : Map.of(List.of(reason), 1.0);
          }
          return metric.equals(DcgmMetrics.SM_CLOCK) ? Map.of(List.of(), clock) : Map.of();
        };
    return new GpuStatus(uuid(rank), rank, "", PartStatus.State.ANSWERS, values);
  }
}
