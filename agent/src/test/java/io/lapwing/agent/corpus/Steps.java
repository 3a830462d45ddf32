package io.lapwing.agent.corpus;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Policy;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.RuleSet;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.xid.XidTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Performs the steps of a case, whose verbs the README of the corpus lists. */
final class Steps {

  private static final Map<String, Metric> METRICS = metrics();
  private static final Duration WARM = Duration.ofMinutes(1);

  private final LivePlay play;
  private final CorpusNode node;
  private final Path procfs;
  private String instance = "i-1";

  private Steps(LivePlay play, Path procfs) {
    this.play = play;
    this.node = play.node;
    this.procfs = procfs;
  }

  private static Map<String, Metric> metrics() {
    XidTable table = XidTable.load();
    Policy policy = Policy.of(Profile.AWS, table, HealthRules.specs(), PolicyOverrides.NONE);
    Map<String, Metric> byName = new HashMap<>();
    new RuleSet(HealthRules.under(policy, table), policy)
        .needs()
        .forEach(metric -> byName.put(metric.name(), metric));
    return byName;
  }

  /** The last report after all steps. */
  static HealthReport report(Case one, Profile profile, Path procfs) throws IOException {
    CorpusNode node = new CorpusNode(one.model(), one.driver());
    Steps steps = onNode(new LivePlay(node, profile, one.driver(), procfs), procfs);
    if (!one.steps().contains("start")) {
      steps.start();
    }
    steps.all(one.name(), one.steps());
    return steps.play.settled();
  }

  /** Steps on a node that booted an hour ago and has all EFA devices; no agent runs yet. */
  static Steps onNode(LivePlay play, Path procfs) {
    Steps steps = new Steps(play, procfs);
    play.node.part("efa", "", EfaMetrics.DEVICES, 32, List.of());
    play.node.efaOnPci(32);
    play.boot(steps.instance, Duration.ofHours(1));
    return steps;
  }

  void all(String name, List<String> steps) throws IOException {
    for (String step : steps) {
      try {
        step(step);
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
        throw new IllegalArgumentException(name + ": " + step, wrong);
      }
    }
  }

  /** Nothing happens for that long, and nothing is evaluated. */
  void sleep(Duration time) {
    play.off(time);
  }

  /** The agent starts, and a minute passes. */
  void start() {
    play.start();
    play.pass(WARM);
  }

  HealthReport settled() {
    return play.settled();
  }

  static String addressed(String line) {
    String text = line;
    for (int gpu = 0; gpu < 8; gpu++) {
      text = text.replace("{" + gpu + "}", CorpusNode.pci(gpu));
    }
    return text;
  }

  private void step(String step) throws IOException {
    String[] words = step.split(" ", 2);
    String rest = words.length > 1 ? words[1] : "";
    String[] args = rest.isEmpty() ? new String[0] : rest.split(" +", -1);
    switch (words[0]) {
      case "log" -> play.log(addressed(rest));
      case "logged" -> {
        String[] message = rest.split(" ", 2);
        play.logged(duration(message[0]), addressed(message[1]));
      }
      case "wait" -> play.pass(duration(rest));
      case "nvml" -> play.nvml(Integer.parseInt(args[0]), Long.parseLong(args[1]));
      case "start" -> {
        play.start();
        play.pass(Duration.ofSeconds(30));
      }
      case "restart" -> {
        play.off(Duration.ofSeconds(5));
        play.start();
      }
      case "failed-start" -> play.logStart();
      case "boot" -> boot(rest);
      case "clock" -> play.stepClock(duration(rest));
      case "clear" -> play.clear(rest);
      case "driver" -> node.driver(rest);
      case "reload" -> {
        node.reloads++;
        node.resetAll();
        node.driver("up");
      }
      case "reset" -> node.reset(Integer.parseInt(rest));
      case "swap" -> node.swap(Integer.parseInt(rest));
      case "count" -> node.counted(Integer.parseInt(rest));
      case "gpu" -> gpu(args);
      case "set" -> set(args);
      case "ramp" -> ramp(args);
      case "without" -> node.without(Integer.parseInt(args[0]), metric(args[1]));
      case "part" -> part(args, false);
      case "grow" -> part(args, true);
      case "efa" -> node.part("efa", "", EfaMetrics.DEVICES, Integer.parseInt(rest), List.of());
      case "efa-pci" -> node.efaOnPci(Integer.parseInt(rest));
      case "fabric-manager" -> node.fabricManager(rest.equals("runs"));
      case "efa-expected" -> node.efaExpected(Integer.parseInt(rest));
      case "running" -> Files.createDirectories(procfs.resolve(rest));
      case "exited" -> Files.delete(procfs.resolve(rest));
      case "log-file" -> {
        play.logFile();
        node.agent(
            new NodeSnapshot.AgentStatus(
                Optional.empty(),
                Optional.of("/var/log/messages is read in its place: permission denied"),
                Optional.empty(),
                Optional.empty()));
      }
      case "events-unavailable" ->
          node.agent(
              new NodeSnapshot.AgentStatus(
                  Optional.empty(),
                  Optional.empty(),
                  Optional.of("NVML events are not supported"),
                  Optional.empty()));
      case "event-log-unreadable" ->
          node.agent(
              new NodeSnapshot.AgentStatus(
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.of("/var/lib/lapwing: permission denied")));
      case "event-log-readable" -> node.agent(NodeSnapshot.AgentStatus.ALL_AVAILABLE);
      case "kernel-log-unreadable" ->
          node.agent(
              new NodeSnapshot.AgentStatus(
                  Optional.of("/dev/kmsg: permission denied"),
                  Optional.empty(),
                  Optional.of("NVML events are not supported"),
                  Optional.empty()));
      default -> throw new IllegalArgumentException("no such step");
    }
  }

  /** The machine is off for three minutes; the agent starts a minute after it is up. */
  private void boot(String other) {
    instance = other.isEmpty() ? instance : other;
    play.off(Duration.ofMinutes(3));
    play.boot(instance, Duration.ofMinutes(1));
    play.start();
    play.pass(Duration.ofSeconds(40));
  }

  private void gpu(String[] args) {
    int gpu = Integer.parseInt(args[0]);
    PartStatus.State state = PartStatus.State.valueOf(args[1].toUpperCase(Locale.ROOT));
    node.gpu(gpu, state, args.length > 2 ? args[2] : "");
  }

  private void set(String[] args) {
    for (int gpu : gpus(args[0])) {
      node.set(
          gpu,
          metric(args[1]),
          Double.parseDouble(args[2]),
          Arrays.copyOfRange(args, 3, args.length));
    }
  }

  private void ramp(String[] args) {
    for (int gpu : gpus(args[0])) {
      node.ramp(gpu, metric(args[1]), Double.parseDouble(args[2]));
    }
  }

  /** {@code 3}, {@code 4-7} or {@code all}. */
  private static int[] gpus(String text) {
    String[] ends = (text.equals("all") ? "0-7" : text).split("-", 2);
    return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]))
        .toArray();
  }

  /** {@code part KIND NAME down}, or {@code part KIND NAME METRIC VALUE LABEL...}; "-" is empty. */
  private void part(String[] args, boolean add) {
    String name = args[1].equals("-") ? "" : args[1];
    if (args.length == 3) {
      node.partState(args[0], name, PartStatus.State.valueOf(args[2].toUpperCase(Locale.ROOT)));
      return;
    }
    List<String> labels =
        Arrays.stream(args).skip(4).map(label -> label.equals("-") ? "" : label).toList();
    double value = Double.parseDouble(args[3]);
    if (add) {
      node.addToPart(args[0], name, metric(args[2]), value, labels);
    } else {
      node.part(args[0], name, metric(args[2]), value, labels);
    }
  }

  private static Metric metric(String name) {
    Metric metric = METRICS.get(name);
    if (metric == null) {
      throw new IllegalArgumentException("no rule reads " + name);
    }
    return metric;
  }

  /** {@code 250ms}, {@code 20s}, {@code 5m}, {@code 26h}, {@code 8d}; may be negative. */
  static Duration duration(String text) {
    if (text.endsWith("ms")) {
      return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
    }
    long number = Long.parseLong(text.substring(0, text.length() - 1));
    return switch (text.charAt(text.length() - 1)) {
      case 's' -> Duration.ofSeconds(number);
      case 'm' -> Duration.ofMinutes(number);
      case 'h' -> Duration.ofHours(number);
      case 'd' -> Duration.ofDays(number);
      default -> throw new IllegalArgumentException("no duration: " + text);
    };
  }
}
