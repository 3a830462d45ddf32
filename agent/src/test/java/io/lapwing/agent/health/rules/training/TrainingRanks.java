package io.lapwing.agent.health.rules.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
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
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
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
import java.util.stream.Stream;

/**
 * Views of a node with ranks of job 4711, one on each GPU: each has just finished step 1000 after
 * half a second, of which it computed 0.3 s, as in each of the 600 steps of the last five minutes.
 */
final class TrainingRanks {

  /** Of the windows in which a counter grew by the same; by less in shorter ones. */
  private static final Duration SHORTEST = Duration.ofMinutes(4);

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final Map<String, Map<Metric, Map<List<String>, Double>>> values = new LinkedHashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();
  private final Map<String, Labels> labels = new HashMap<>();
  private final Map<String, PartStatus.State> states = new HashMap<>();
  private final List<GpuStatus> gpus = new ArrayList<>();

  private final List<Event> events = new ArrayList<>();
  private Optional<Duration> covered = Optional.empty();
  private final Map<List<Object>, Map<List<String>, Double>> ofGpus = new HashMap<>();

  TrainingRanks ofGpu(int gpu, Metric metric, double value, String... labels) {
    ofGpus
        .computeIfAbsent(List.of("GPU-" + gpu, metric), unseen -> new HashMap<>())
        .put(List.of(labels), value);
    return this;
  }

  static TrainingRanks of(int ranks) {
    TrainingRanks node = new TrainingRanks();
    node.set("", TrainingMetrics.RANKS, ranks);
    for (int rank = 0; rank < ranks; rank++) {
      node.rank("4711/" + rank, rank, "");
    }
    return node;
  }

  TrainingRanks rank(String name, int gpu, String stage) {
    String uuid = "GPU-" + gpu;
    if (gpus.stream().noneMatch(one -> one.uuid().equals(uuid))) {
      gpus.add(
          new GpuStatus(
              uuid,
              gpu,
              "",
              PartStatus.State.ANSWERS,
              metric -> ofGpus.getOrDefault(List.of(uuid, metric), Map.of())));
    }
    String[] info = new String[15];
    Arrays.fill(info, "");
    info[0] = uuid;
    info[4] = stage;
    info[14] = Integer.toString(8400 + gpu);
    set(name, TrainingMetrics.INFO, 1, info);
    set(name, TrainingMetrics.VERIFIED, 1);
    set(name, TrainingMetrics.OWNER, 1000);
    set(name, TrainingMetrics.LAST_STEP, 1000);
    set(name, TrainingMetrics.LAST_STEP_TIME, (double) NOW.getEpochSecond());
    set(name, TrainingMetrics.USUAL_STEP, 0.5);
    phase(name, "training", 3600);
    return grew(name, TrainingMetrics.STEPS, 600)
        .grew(name, TrainingMetrics.COMPUTE_SECONDS, 0.3 * 600);
  }

  /** The size of a rank's job. */
  TrainingRanks worldSize(String name, String uuid, int size) {
    values.getOrDefault(name, Map.of()).remove(TrainingMetrics.INFO);
    String[] info = new String[15];
    Arrays.fill(info, "");
    info[0] = uuid;
    info[1] = Integer.toString(size);
    return set(name, TrainingMetrics.INFO, 1, info);
  }

  TrainingRanks set(String name, Metric metric, double value, String... labels) {
    values
        .computeIfAbsent(name, unseen -> new HashMap<>())
        .computeIfAbsent(metric, unseen -> new HashMap<>())
        .put(List.of(labels), value);
    return this;
  }

  TrainingRanks without(String name, Metric metric) {
    values.getOrDefault(name, Map.of()).remove(metric);
    growth.remove(List.of(key(name), metric));
    return this;
  }

  TrainingRanks idle(String name, double seconds) {
    return set(name, TrainingMetrics.LAST_STEP_TIME, (double) NOW.getEpochSecond() - seconds);
  }

  TrainingRanks phase(String name, String phase, double secondsAgo) {
    values.getOrDefault(name, Map.of()).remove(TrainingMetrics.PHASE);
    return set(name, TrainingMetrics.PHASE, 1, phase)
        .set(name, TrainingMetrics.PHASE_TIME, (double) NOW.getEpochSecond() - secondsAgo);
  }

  TrainingRanks grew(String name, Metric counter, double by) {
    growth.put(List.of(key(name), counter), by);
    return this;
  }

  /** Within one window, unlike within the others. */
  TrainingRanks grew(String name, Metric counter, Duration window, double by) {
    growth.put(List.of(key(name), counter, window), by);
    return this;
  }

  /** A rank of job 4711 that died that long ago. */
  TrainingRanks died(int rank, double secondsAgo, int outlived) {
    String[] labels = {"4711", "", "" + rank, "GPU-" + rank, Integer.toString(8400 + rank), "1000"};
    set("", TrainingMetrics.RANK_GONE, NOW.getEpochSecond() - secondsAgo, labels);
    return set("", TrainingMetrics.RANK_OUTLIVED, outlived, labels);
  }

  TrainingRanks gone(String name) {
    values.remove(name);
    return this;
  }

  /** Names the run of a rank. */
  TrainingRanks run(String name, String run) {
    String[] names = name.split("/", 3);
    labels.put(
        name,
        Labels.of(
            "job_id", names[0], "run", run, "rank", names[1], "local_rank", names[1], "gpu", ""));
    return this;
  }

  TrainingRanks state(String name, PartStatus.State state) {
    states.put(name, state);
    return this;
  }

  /** A finding that was opened so long ago. */
  TrainingRanks opened(HealthRule rule, Subject subject, String what, double secondsAgo) {
    Instant at = NOW.minusMillis(Math.round(1e3 * secondsAgo));
    events.add(
        new Event.FindingOpened(at, at, rule.spec().name(), subject.text(), "info", "none", what));
    return this;
  }

  /** It was closed so long ago. */
  TrainingRanks closed(HealthRule rule, Subject subject, double secondsAgo) {
    Instant at = NOW.minusMillis(Math.round(1e3 * secondsAgo));
    events.add(new Event.FindingClosed(at, rule.spec().name(), subject.text(), "gone"));
    return this;
  }

  /** The agent was started so long ago. */
  TrainingRanks started(double secondsAgo) {
    events.add(new Event.Started(NOW.minusMillis(Math.round(1e3 * secondsAgo)), "1.0"));
    return this;
  }

  /** All counters have been read for so long. */
  TrainingRanks covered(Duration since) {
    covered = Optional.of(since);
    return this;
  }

  private static String key(String name) {
    return "training:" + name;
  }

  NodeSnapshot view() {
    return view(Metric.class::cast);
  }

  private interface Requested {
    Metric of(Metric metric);
  }

  private NodeSnapshot view(Requested requested) {
    List<PartStatus> parts = new ArrayList<>();
    values.forEach(
        (name, readings) -> {
          PartStatus.State state = states.getOrDefault(name, PartStatus.State.ANSWERS);
          Values now =
              state == PartStatus.State.ANSWERS
                  ? metric -> readings.getOrDefault(requested.of(metric), Map.of())
                  : Values.NONE;
          Labels own = labels.getOrDefault(name, Labels.NONE);
          parts.add(new PartStatus("training", name, own, state, "", now));
        });
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
        gpus,
        parts,
        new History(events),
        new Trends() {
          @Override
          public OptionalDouble increase(
              String part, Metric metric, List<String> labels, Duration window) {
            assertThat(labels).isEmpty();
            return grown(part, metric, requested, window);
          }

          @Override
          public double covered(String part, Metric metric, List<String> labels, Duration window) {
            Duration whole = covered.filter(some -> some.compareTo(window) < 0).orElse(window);
            return whole.toMillis() / 1e3;
          }
        });
  }

  private OptionalDouble grown(String part, Metric metric, Requested requested, Duration window) {
    Double of = growth.get(List.of(part, requested.of(metric)));
    Double own = growth.get(List.of(part, metric, window));
    double share = Math.min(1, window.toMillis() / (double) SHORTEST.toMillis());
    return own != null
        ? OptionalDouble.of(own)
        : of == null ? OptionalDouble.empty() : OptionalDouble.of(share * of);
  }

  /** What a rule sees; it names what it reads, and nothing else is read for it. */
  List<Detection> detections(HealthRule rule) {
    List<Metric> named =
        Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
            .flatMap(List::stream)
            .toList();
    Map<String, Double> presets = new HashMap<>();
    for (Threshold threshold : rule.spec().thresholds()) {
      presets.put(threshold.name(), threshold.preset());
    }
    NodeSnapshot view =
        view(
            metric -> {
              assertThat(named).contains(metric);
              return metric;
            });
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, rule.spec().aws(), presets));
  }

  Detection one(HealthRule rule) {
    List<Detection> found = detections(rule);
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}
