package io.lapwing.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the changes of one step of a scenario. */
final class StepReader {
  private static final Set<String> KEYS =
      Set.of(
          "at", "every", "times", "reset", "reboot", "replace", "set", "clear", "exit", "xid",
          "kmsg", "storm");
  private static final Set<String> STORM_KEYS = Set.of("per_second", "for", "line");
  private static final Pattern XID =
      Pattern.compile("(\\d{1,2})(?:@(\\d{1,3}))? +(\\d{1,3})(?:, *(.+))?");

  /** Write interval of a storm; readers see a steady stream. */
  private static final Duration BETWEEN_GUSTS = Duration.ofMillis(50);

  private static final int PER_SECOND_MAX = 100_000;
  private static final Duration STORM_MAX = Duration.ofMinutes(10);

  private StepReader() {}

  /** The step and the later steps of its storm. */
  static List<Scenario.Step> steps(YamlValue yaml) throws ScenarioException {
    yaml.requireMapOf(KEYS);
    Duration at = yaml.at("at").duration();
    List<Scenario.Step> steps = new ArrayList<>();
    List<Change> changes = new ArrayList<>(restarts(yaml));
    if (yaml.has("set") || yaml.has("clear")) {
      changes.add(new Change.Lines(yaml.at("set").stateLines(), yaml.at("clear").texts()));
    }
    for (int pid : yaml.at("exit").numbers("a process id such as 20003")) {
      changes.add(new Change.Exit(pid));
    }
    changes.addAll(xids(yaml.at("xid")));
    if (yaml.has("kmsg")) {
      changes.add(new Change.Messages(messages(yaml.at("kmsg"))));
    }
    steps.add(new Scenario.Step(at, changes));
    if (yaml.has("storm")) {
      steps.addAll(storm(at, yaml.at("storm")));
    }
    return steps;
  }

  /** These come first; the other changes of a step apply after them. */
  private static List<Change> restarts(YamlValue yaml) throws ScenarioException {
    List<Change> restarts = new ArrayList<>();
    if (yaml.at("replace").flag()) {
      restarts.add(new Change.Replace());
    }
    if (yaml.at("reboot").flag()) {
      restarts.add(new Change.Reboot());
    }
    for (int gpu : yaml.at("reset").numbers("a GPU such as 3")) {
      restarts.add(new Change.Reset(gpu));
    }
    return restarts;
  }

  private static List<Change> xids(YamlValue yaml) throws ScenarioException {
    List<Change> xids = new ArrayList<>();
    for (String text : yaml.texts()) {
      Matcher matcher = XID.matcher(text);
      yaml.require(matcher.matches(), "'" + text + "' is not a GPU and an XID such as 3 94");
      xids.add(
          new Change.Xid(
              Integer.parseInt(matcher.group(1)),
              Optional.ofNullable(matcher.group(2)).stream().mapToInt(Integer::parseInt).findAny(),
              Integer.parseInt(matcher.group(3)),
              Optional.ofNullable(matcher.group(4))));
    }
    return xids;
  }

  private static List<KernelLine> messages(YamlValue yaml) throws ScenarioException {
    List<KernelLine> lines = new ArrayList<>();
    for (String text : yaml.texts()) {
      Optional<String> unknown = Placeholders.unknown(text);
      yaml.require(
          unknown.isEmpty(), "'" + unknown.orElse("") + "' is none of " + Placeholders.KNOWN);
      lines.add(KernelLine.of(text.stripTrailing()));
    }
    yaml.require(!lines.isEmpty(), "has no message");
    return lines;
  }

  private static List<Scenario.Step> storm(Duration at, YamlValue yaml) throws ScenarioException {
    yaml.requireMapOf(STORM_KEYS);
    int perSecond = yaml.at("per_second").number(1, PER_SECOND_MAX);
    Duration lasts = yaml.at("for").duration();
    yaml.at("for").require(lasts.compareTo(STORM_MAX) <= 0, "is longer than 10m");
    List<KernelLine> lines = messages(yaml.at("line"));
    List<Scenario.Step> gusts = new ArrayList<>();
    long written = 0;
    for (Duration now = Duration.ZERO; now.compareTo(lasts) < 0; ) {
      Duration next = now.plus(BETWEEN_GUSTS);
      now = next.compareTo(lasts) < 0 ? next : lasts;
      long due = perSecond * now.toMillis() / 1000;
      gusts.add(new Scenario.Step(at.plus(now), List.of(gust(lines, written, due))));
      written = due;
    }
    return gusts;
  }

  /** A range of messages of a storm, which repeats its lines in turn. */
  private static Change gust(List<KernelLine> lines, long from, long to) {
    List<KernelLine> gust = new ArrayList<>();
    for (long i = from; i < to; i++) {
      gust.add(lines.get((int) (i % lines.size())));
    }
    return new Change.Messages(gust);
  }
}
