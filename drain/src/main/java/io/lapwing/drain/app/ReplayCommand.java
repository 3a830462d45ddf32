package io.lapwing.drain.app;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.CommandLine.Flag;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.DurationText;
import io.lapwing.common.config.Option;
import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.app.DrainOptions.SchedulerKind;
import io.lapwing.drain.app.DrainValueTypes.RepairDriver;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.replay.Assumed;
import io.lapwing.drain.replay.Outcome;
import io.lapwing.drain.replay.RecordFiles;
import io.lapwing.drain.replay.Recording;
import io.lapwing.drain.replay.Replay;
import io.lapwing.drain.replay.Trial;
import io.lapwing.drain.replay.UnreadableRecord;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code lapwing drain replay}: what a policy would have done to the recorded past. */
final class ReplayCommand {
  static final String NAME = "replay";

  private static final String USAGE =
      """
      usage: lapwing drain replay (--events PATH | --alerts FILE)... [<flags>]

      Plays recorded history through the controller's policy in virtual time and shows what it would have done: drains,
      GPU hours lost, false drains, limits reached, nodes handed to people. Nothing is done to any node, and no running
      controller is needed. An action in mode dry-run counts as done.

      Flags:
            --events NODE=PATH     The event log of a node's agent, a file or a folder with events*.jsonl. Repeatable.
            --events FOLDER        NODE.jsonl or NODE/events*.jsonl for each node.
            --alerts FILE          Prometheus' export of ALERTS (/api/v1/query_range). Repeatable.
            --jobs FILE            CSV: job,user,nodes,gpus,start,end, and minutes between checkpoints if known.
            --nodes COUNT          Number of nodes of the cluster. (default: those that the files name)
            --gpus COUNT           GPUs of a node whose record does not show them. (default: 8)
            --reset-takes TIME     Duration of a reset. (default: 5m)
            --reboot-takes TIME    Duration of a reboot. (default: 10m)
            --replace-takes TIME   Duration of a replacement. (default: 30m)
            --policy FILE          Configuration file of the controller. Two of them are shown side by side.
            --json                 Print JSON.

      Without --policy the configuration is read as run reads it. All flags of run are taken: run --help lists them.
      """;

  private static final Set<String> SWITCHES = Set.of("--json");
  private static final Set<String> REPEATABLE = Set.of("--events", "--alerts", "--policy");
  private static final Set<String> ONCE =
      Set.of("--jobs", "--nodes", "--gpus", "--reset-takes", "--reboot-takes", "--replace-takes");
  private static final int MOST_NODES = 65_536;

  private final CommandLine line;
  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  private ReplayCommand(List<String> args, Map<String, String> environment) throws ConfigException {
    Set<String> valued = new HashSet<>(REPEATABLE);
    valued.addAll(ONCE);
    this.line = CommandLine.split(args, SWITCHES, valued, problems);
    this.environment = environment;
    Set<String> seen = new HashSet<>();
    for (Flag flag : line.flags()) {
      if (!REPEATABLE.contains(flag.name()) && !seen.add(flag.name())) {
        problems.add("flag " + flag.name() + ": given more than once");
      }
    }
  }

  /** Returns the text to print. */
  static String run(List<String> args, Map<String, String> environment)
      throws ConfigException, IOException {
    return args.contains("--help") || args.contains("-h")
        ? USAGE
        : new ReplayCommand(args, environment).run();
  }

  private String run() throws ConfigException, IOException {
    RecordFiles files =
        new RecordFiles(
            values("--events"),
            paths("--alerts"),
            paths("--jobs").stream().findFirst(),
            line.value("--nodes").isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(count("--nodes", 1)));
    Assumed assumed = assumed();
    if (files.events().isEmpty() && files.alerts().isEmpty() && problems.isEmpty()) {
      problems.add("replay: needs --events or --alerts");
    }
    ConfigException.throwAny(problems);
    List<Trial> trials = trials();
    Recording recording = recording(files);
    List<Outcome> outcomes =
        trials.stream().map(trial -> Replay.run(recording, assumed, trial)).toList();
    return line.has("--json")
        ? ReplayJson.of(recording, assumed, outcomes)
        : ReplayText.of(recording, assumed, outcomes);
  }

  private static Recording recording(RecordFiles files) throws ConfigException, IOException {
    try {
      return files.read();
    } catch (UnreadableRecord e) {
      throw new ConfigException(List.of(String.valueOf(e.getMessage())));
    } catch (NoSuchFileException e) {
      throw new ConfigException(List.of(e.getFile() + ": there is no such file"));
    }
  }

  private Assumed assumed() {
    Map<Remedy, Duration> takes = new EnumMap<>(Remedy.class);
    takes.put(Remedy.RESET_GPU, time("--reset-takes", Duration.ofMinutes(5)));
    takes.put(Remedy.REBOOT_NODE, time("--reboot-takes", Duration.ofMinutes(10)));
    takes.put(Remedy.REPLACE_NODE, time("--replace-takes", Duration.ofMinutes(30)));
    return new Assumed(count("--gpus", 8), takes);
  }

  private List<Trial> trials() throws ConfigException {
    List<Trial> trials = new ArrayList<>();
    for (String file : values("--policy")) {
      List<String> words = new ArrayList<>(line.rest().words());
      words.add("--config.file=" + file);
      trials.add(trial(file, words));
    }
    return trials.isEmpty() ? List.of(trial("policy", line.rest().words())) : trials;
  }

  private Trial trial(String name, List<String> words) throws ConfigException {
    if (!(Configuration.read(
            new CommandLine.Rest(words, line.rest().known()), environment, ParallelClusterHost.NONE)
        instanceof Invocation.Run run)) {
      throw new ConfigException(List.of("lapwing drain replay --help shows the flags"));
    }
    DrainSettings settings = run.configuration().settings();
    Set<Remedy> repaired = EnumSet.noneOf(Remedy.class);
    add(repaired, settings, DrainOptions.RESET, Remedy.RESET_GPU);
    add(repaired, settings, DrainOptions.REBOOT, Remedy.REBOOT_NODE);
    add(repaired, settings, DrainOptions.REPLACE, Remedy.REPLACE_NODE);
    return new Trial(
        name,
        settings.policy().played(),
        settings.get(DrainOptions.DEFAULT_URGENCY),
        repaired,
        settings.get(DrainOptions.SCHEDULER) != SchedulerKind.NONE,
        settings.parallelCluster(ParallelClusterHost.NONE).isPresent());
  }

  private static void add(
      Set<Remedy> repaired, DrainSettings settings, Option<RepairDriver> option, Remedy remedy) {
    if (settings.get(option).kind() != RepairDriver.Kind.NONE) {
      repaired.add(remedy);
    }
  }

  private List<String> values(String flag) {
    return line.flags().stream()
        .filter(one -> one.name().equals(flag))
        .flatMap(one -> one.value().stream())
        .toList();
  }

  private List<Path> paths(String flag) {
    List<Path> paths = new ArrayList<>();
    for (String value : values(flag)) {
      try {
        paths.add(Path.of(value));
      } catch (InvalidPathException e) {
        problems.add("flag " + flag + ": not a path");
      }
    }
    return paths;
  }

  private int count(String flag, int otherwise) {
    Optional<String> value = line.value(flag);
    boolean valid =
        value.isEmpty()
            || (value.get().matches("[1-9][0-9]{0,5}")
                && Integer.parseInt(value.get()) <= MOST_NODES);
    if (!valid) {
      problems.add("flag " + flag + ": not a number from 1 to " + MOST_NODES);
    }
    return valid ? value.map(Integer::parseInt).orElse(otherwise) : otherwise;
  }

  private Duration time(String flag, Duration otherwise) {
    Optional<Duration> time = line.value(flag).flatMap(DurationText::read);
    if (line.value(flag).isPresent() && time.isEmpty()) {
      problems.add("flag " + flag + ": is not a duration such as 500ms, 5s or 1m");
    }
    return time.orElse(otherwise);
  }
}
