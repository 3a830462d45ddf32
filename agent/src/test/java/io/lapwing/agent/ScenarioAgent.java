package io.lapwing.agent;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import io.lapwing.simulator.Scenario;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** An agent under one profile, with a library and a state of its own, on a simulated node. */
final class ScenarioAgent implements AutoCloseable {

  /** Beside the library of NVML. */
  static final String DCGM = "libdcgm.so.4";

  private final SimulatedNode node;
  private final Profile profile;
  private final List<WatchedNvml> libraries = new CopyOnWriteArrayList<>();
  private final TestAgent agent;

  private ScenarioAgent(
      SimulatedNode node, Profile profile, Path library, Path state, ScenarioTable.Row row)
      throws Exception {
    this.node = node;
    this.profile = profile;
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--nvml.library=" + library,
                "--path.sysfs=" + node.sysfs(),
                "--path.procfs=" + node.procfs(),
                "--path.kmsg=" + node.kmsg(),
                "--path.rootfs=" + node.rootfs(),
                "--path.state=" + state,
                "--node.hostname=node-1",
                "--imds.url=off",
                "--metrics=full",
                "--health.profile=" + profile,
                "--cadence.fast=10s",
                "--cadence.medium=15s",
                "--cadence.slow=20s",
                "--health.expected-efa-devices=" + (row.needsEfa() ? "auto" : "0"),
                "--poll.deadline=" + row.deadline().toSeconds() + "s"));
    if (Scenario.named(row.scenario()).usesDcgm()) {
      flags.add("--dcgm.library=" + library.resolveSibling(DCGM));
      flags.add("--dcgm.engine=localhost:5555");
    }
    Invocation asked = SettingsReader.read(flags, Map.of(), CollectorGroup.collectors());
    Settings settings = ((Invocation.Run) asked).settings();
    this.agent =
        TestAgent.started(
            settings,
            new NodeClock(node),
            nvml -> {
              WatchedNvml watched = new WatchedNvml(nvml);
              libraries.add(watched);
              return watched;
            });
  }

  /**
   * Starts one, which continues with the state of the last one of its profile.
   *
   * @param library of its own: no agent may shut the driver of another
   */
  static ScenarioAgent on(SimulatedNode node, Profile profile, Path library, ScenarioTable.Row row)
      throws Exception {
    Path state = node.dir().resolve("state-" + profile);
    Path past = node.agentState().resolve("events.jsonl");
    if (!Files.exists(state) && Files.exists(past)) {
      Files.createDirectories(state);
      Files.copy(past, state.resolve(past.getFileName()));
    }
    return new ScenarioAgent(node, profile, library, state, row);
  }

  Profile profile() {
    return profile;
  }

  boolean judged() {
    return agent.wiring().evaluated();
  }

  OptionalLong readTo() {
    return agent.wiring().health().kernelLog().readTo();
  }

  /** XIDs that NVML reported. */
  int told() {
    return libraries.stream().mapToInt(WatchedNvml::told).sum();
  }

  boolean listening() {
    return libraries.stream().anyMatch(WatchedNvml::listening);
  }

  HealthReport report() {
    return agent.wiring().health().report();
  }

  List<Event> events() {
    return agent.wiring().health().events();
  }

  /** What is said now. */
  ScenarioTable.Said said() {
    HealthReport report = report();
    if (report.unevaluated().getOrDefault("all", "").startsWith("health is not evaluated")) {
      return ScenarioTable.Said.NOTHING;
    }
    String call =
        report.verdict() == Verdict.HEALTHY
            ? "healthy"
            : report.verdict().text()
                + " "
                + report.action().text()
                + " "
                + report.urgency().map(Urgency::text).orElse("");
    Set<String> findings =
        report.findings().stream()
            .filter(finding -> finding.disposition().severity() != Severity.INFO)
            .map(finding -> name(finding.subject()) + " " + finding.rule())
            .collect(Collectors.toCollection(TreeSet::new));
    return new ScenarioTable.Said(call, findings);
  }

  /** {@code gpu:3}, by the slot in the scenario, whether or not the agent can read it. */
  private String name(Subject subject) {
    if (!(subject instanceof Subject.Gpu gpu)) {
      return subject instanceof Subject.NvSwitch nvSwitch ? nvSwitch.device() : subject.text();
    }
    return node.lines().entrySet().stream()
        .filter(line -> line.getKey().endsWith(".uuid") && line.getValue().equals(gpu.uuid()))
        .map(line -> line.getKey().replaceAll("gpu\\.(\\d+)\\..*", "gpu:$1"))
        .findFirst()
        .orElse(gpu.text());
  }

  /** Which of {@link ScenarioTable#OF_DCGM} have no data. */
  Set<String> withoutData() {
    Set<String> missing = new TreeSet<>(report().unevaluated().keySet());
    missing.retainAll(ScenarioTable.OF_DCGM);
    return missing;
  }

  /** Since when each finding stands, and how often it came. */
  Map<String, Evidence> evidence() {
    return report().findings().stream()
        .collect(
            Collectors.toMap(
                finding -> name(finding.subject()) + " " + finding.rule(),
                finding -> new Evidence(finding.since(), finding.detection().times())));
  }

  record Evidence(Instant since, long times) {}

  /** For people who look for what went wrong. */
  String text() {
    HealthReport report = report();
    List<String> lines = new ArrayList<>();
    lines.add(profile + ": " + said());
    for (Finding finding : report.findings()) {
      lines.add(
          "    "
              + name(finding.subject())
              + " "
              + finding.rule()
              + " "
              + finding.disposition()
              + ": "
              + finding.detection().what()
              + " x"
              + finding.detection().times());
    }
    return String.join("\n", lines);
  }

  /**
   * All findings that opened, but for those of severity info and those that were unknown only.
   *
   * @param names of GPUs, also of those on a machine that was replaced
   */
  List<String> opened(Map<String, String> names) {
    return events().stream()
        .filter(Event.FindingOpened.class::isInstance)
        .map(Event.FindingOpened.class::cast)
        .filter(event -> !event.severity().equals("info"))
        .filter(event -> !event.severity().equals("unknown") || escalated(event))
        .map(
            event ->
                names.getOrDefault(event.subject(), event.subject().replaceFirst("^nvswitch:", ""))
                    + " "
                    + event.rule())
        .sorted()
        .toList();
  }

  private boolean escalated(Event.FindingOpened opened) {
    return events().stream()
        .anyMatch(
            event ->
                event instanceof Event.FindingEscalated later
                    && later.rule().equals(opened.rule())
                    && later.subject().equals(opened.subject()));
  }

  @Override
  public void close() {
    agent.close();
  }
}
