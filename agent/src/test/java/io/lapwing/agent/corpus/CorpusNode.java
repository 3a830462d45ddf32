package io.lapwing.agent.corpus;

import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.NodeSnapshots;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The state of a node with eight GPUs, as collectors read it; healthy until a step changes it. */
final class CorpusNode {

  private static final int GPUS = 8;

  private final NodeSnapshots gpus = NodeSnapshots.healthy();
  private final String model;
  private final String version;
  private final Map<Integer, PartStatus.State> states = new HashMap<>();
  private final Map<Integer, String> reasons = new HashMap<>();
  private final Map<Integer, Double> stateSince = new HashMap<>();
  private final Map<Integer, Integer> boards = new HashMap<>();
  private final Map<Integer, Double> energySince = new HashMap<>();
  private final Map<Integer, Map<Metric, Ramp>> ramps = new HashMap<>();
  private final Map<List<String>, Map<Metric, Map<List<String>, Double>>> parts =
      new LinkedHashMap<>();
  private final Map<List<String>, PartStatus.State> partStates = new HashMap<>();
  private String driver = "up";
  private double driverSince;
  private boolean seen;
  private int counted = GPUS;
  private OptionalInt efaOnPci = OptionalInt.empty();
  private OptionalInt efaExpected = OptionalInt.empty();
  private Optional<Boolean> fabricManager = Optional.empty();
  private NodeSnapshot.AgentStatus agent = NodeSnapshot.AgentStatus.ALL_AVAILABLE;
  private double seconds;
  long reloads;

  /** A counter that increases steadily. */
  private record Ramp(double from, double since, double perSecond) {

    double at(double seconds) {
      return from + (seconds - since) * perSecond;
    }
  }

  CorpusNode(String model, String version) {
    this.model = model;
    this.version = version;
  }

  static String pci(int gpu) {
    return "0000:5" + gpu + ":00";
  }

  /** {@code GPU-00000003-...}; another board in the same place has another one. */
  String uuid(int gpu) {
    return "GPU-0000000%d-0000-0000-0000-%012d".formatted(gpu, boards.getOrDefault(gpu, 0));
  }

  void pass(double more) {
    seconds += more;
  }

  void agent(NodeSnapshot.AgentStatus status) {
    agent = status;
  }

  void swap(int gpu) {
    boards.merge(gpu, 1, Integer::sum);
    energySince.put(gpu, seconds);
  }

  void reset(int gpu) {
    energySince.put(gpu, seconds);
  }

  void resetAll() {
    for (int gpu = 0; gpu < GPUS; gpu++) {
      reset(gpu);
    }
  }

  /** The machine boots: the agent knows only the GPUs that answer from then on. */
  void boot() {
    seen = false;
    resetAll();
  }

  void driver(String now) {
    driver = now;
    driverSince = seconds;
  }

  void gpu(int gpu, PartStatus.State state, String reason) {
    states.put(gpu, state);
    reasons.put(gpu, reason);
    stateSince.put(gpu, seconds);
  }

  /** How many GPUs the driver counts; those of the highest index are missing. */
  void counted(int now) {
    counted = now;
  }

  void set(int gpu, Metric metric, double value, String... labels) {
    gpus.value(gpu, metric, value, labels);
  }

  /** A counter of a GPU increases at that rate from now on. */
  void ramp(int gpu, Metric metric, double perSecond) {
    ramps
        .computeIfAbsent(gpu, unseen -> new HashMap<>())
        .merge(
            metric,
            new Ramp(0, seconds, perSecond),
            (before, next) -> new Ramp(before.at(seconds), seconds, perSecond));
  }

  void without(int gpu, Metric metric) {
    gpus.without(gpu, metric);
  }

  void efaOnPci(int devices) {
    efaOnPci = OptionalInt.of(devices);
  }

  void fabricManager(boolean runs) {
    fabricManager = Optional.of(runs);
  }

  void efaExpected(int devices) {
    efaExpected = OptionalInt.of(devices);
  }

  void part(String kind, String name, Metric metric, double value, List<String> labels) {
    partStates.putIfAbsent(List.of(kind, name), PartStatus.State.ANSWERS);
    parts
        .computeIfAbsent(List.of(kind, name), unseen -> new HashMap<>())
        .computeIfAbsent(metric, unseen -> new HashMap<>())
        .put(labels, value);
  }

  void addToPart(String kind, String name, Metric metric, double by, List<String> labels) {
    double before =
        parts
            .getOrDefault(List.of(kind, name), Map.of())
            .getOrDefault(metric, Map.of())
            .getOrDefault(labels, 0.0);
    part(kind, name, metric, before + by, labels);
  }

  void partState(String kind, String name, PartStatus.State state) {
    parts.computeIfAbsent(List.of(kind, name), unseen -> new HashMap<>());
    partStates.put(List.of(kind, name), state);
  }

  NodeSnapshot build(Instant now, History history, Trends trends) {
    NodeSnapshot base = gpus.view();
    NodeFacts facts = base.node();
    seen = seen || driver.equals("up");
    List<GpuStatus> list = new ArrayList<>();
    if (seen) {
      base.gpus().forEach(gpu -> list.add(gpu(gpu)));
    }
    list.removeIf(gpu -> gpu.index() >= counted && gpu.state() != PartStatus.State.GONE);
    return new NodeSnapshot(
        now,
        new NodeFacts(
            facts.hostname(),
            facts.instanceType(),
            facts.instanceId(),
            facts.expected(),
            facts.expectedGpus(),
            efaExpected,
            facts.pciGpus(),
            efaOnPci,
            fabricManager),
        driver(),
        agent,
        list,
        parts(),
        history,
        trends);
  }

  private DriverStatus driver() {
    return switch (driver) {
      case "up" -> new DriverStatus.Up(version, counted);
      case "unloaded" -> new DriverStatus.Down("driver_not_loaded", "the driver is not loaded");
      case "mismatch" -> new DriverStatus.Down("lib_rm_version_mismatch", "versions differ");
      case "hung" -> new DriverStatus.Hung(Duration.ofSeconds((long) (seconds - driverSince)));
      case "absent" -> new DriverStatus.Absent("no NVIDIA driver library");
      case "off" -> new DriverStatus.NotPolled();
      default -> throw new IllegalArgumentException("driver " + driver);
    };
  }

  private GpuStatus gpu(GpuStatus healthy) {
    int index = healthy.index();
    PartStatus.State state = states.getOrDefault(index, PartStatus.State.ANSWERS);
    String reason = reasons.getOrDefault(index, "");
    if (driver.equals("hung")) {
      state = PartStatus.State.HUNG;
    } else if (!driver.equals("up")) {
      state = PartStatus.State.DOWN;
      reason = driver.equals("mismatch") ? "lib_rm_version_mismatch" : "driver_not_loaded";
    }
    double millijoules = 1e6 + (seconds - energySince.getOrDefault(index, -1e6)) * 400_000;
    Map<Metric, Double> counted = new HashMap<>();
    ramps.getOrDefault(index, Map.of()).forEach((one, ramp) -> counted.put(one, ramp.at(seconds)));
    counted.put(DcgmMetrics.TOTAL_ENERGY_CONSUMPTION, millijoules);
    Values values =
        metric ->
            counted.containsKey(metric)
                ? Map.of(List.of(), counted.get(metric))
                : healthy.values().all(metric);
    return new GpuStatus(
        new PartStatus(
            Subject.Gpu.KIND,
            uuid(index),
            state,
            reason,
            state == PartStatus.State.ANSWERS ? values : Values.NONE),
        index,
        pci(index),
        model,
        state == PartStatus.State.HUNG ? hung(index) : Duration.ZERO);
  }

  private Duration hung(int gpu) {
    double since = driver.equals("hung") ? driverSince : stateSince.getOrDefault(gpu, 0.0);
    return Duration.ofSeconds((long) (seconds - since));
  }

  private List<PartStatus> parts() {
    List<PartStatus> list = new ArrayList<>();
    parts.forEach(
        (part, readings) -> {
          PartStatus.State state = partStates.getOrDefault(part, PartStatus.State.ANSWERS);
          boolean answers = state == PartStatus.State.ANSWERS;
          Map<Metric, Map<List<String>, Double>> now = new HashMap<>();
          readings.forEach((metric, values) -> now.put(metric, Map.copyOf(values)));
          list.add(
              new PartStatus(
                  part.get(0),
                  part.get(1),
                  state,
                  answers ? "" : "it does not answer",
                  answers ? metric -> now.getOrDefault(metric, Map.of()) : Values.NONE));
        });
    return list;
  }
}
