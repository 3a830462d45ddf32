package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.health.Profile;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.PassingTime;
import io.lapwing.simulator.Scenario;
import io.lapwing.simulator.ScenarioPlayer;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scenario played step by step, with an agent for each profile. The node's time runs as fast as
 * the real one during an act, so that the reports of the kernel and NVML on one fault come together
 * as on a real node, and many times as fast while the outcome is awaited, so that conditions which
 * last for minutes take seconds.
 */
final class ScenarioRun implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration SETTLES = Duration.ofSeconds(10);
  private static final Duration NVML_PATIENCE = Duration.ofSeconds(2);

  /** Of the node's time: what is said has to stay for so long. */
  private static final Duration STAYS = Duration.ofSeconds(45);

  private final ScenarioTable.Row row;
  private final SimulatedNode node;
  private final ScenarioPlayer player;
  private final PassingTime time;
  private final boolean usesDcgm;
  private final Map<String, String> names = new HashMap<>();
  private final Map<Profile, Path> libraries = new EnumMap<>(Profile.class);

  private final Map<Profile, ScenarioAgent> agents = new EnumMap<>(Profile.class);
  private long told;

  ScenarioRun(Path dir, ScenarioTable.Row row) throws Exception {
    this.row = row;
    InstanceType type = InstanceType.named(row.instance());
    // In accelerated time devices miss heartbeats whenever this machine stalls.
    this.node = SimulatedNode.create(dir, row.needsEfa() ? type : type.withoutEfa());
    Scenario scenario = Scenario.named(row.scenario());
    this.usesDcgm = scenario.usesDcgm();
    this.player = new ScenarioPlayer(node, scenario);
    node.set("check.seconds", "0");
    player.begin();
    this.time = node.letTimePass();
    startAgents();
  }

  private ScenarioAgent agent(Profile profile) {
    return Objects.requireNonNull(agents.get(profile));
  }

  private void startAgents() throws Exception {
    node.pace(1);
    told = 0;
    for (Profile profile : ScenarioTable.PROFILES) {
      agents.put(profile, ScenarioAgent.on(node, profile, library(profile), row));
    }
    // A source that is slow from the beginning would be awaited until the deadline.
    waitFor(SETTLES, () -> all(ScenarioAgent::judged));
    node.pace(all(ScenarioAgent::judged) ? 1 : row.pace());
    await().atMost(PATIENCE).until(() -> all(ScenarioAgent::judged));
    awaitXidEvents();
    node.pace(row.pace());
  }

  /**
   * A copy for each profile, and after a boot a new one: in a new process nothing is initialised.
   * An agent that is only started again keeps it all the same, since a library that is loaded anew
   * does not know what the load was before.
   */
  private Path library(Profile profile) throws IOException {
    Path known = libraries.get(profile);
    if (known != null) {
      return known;
    }
    Path folder = Files.createTempDirectory(node.dir(), "lib");
    Path library = Files.copy(node.library(), folder.resolve("libnvidia-ml.so.1"));
    Files.copy(node.dcgmLibrary(4), folder.resolve(ScenarioAgent.DCGM));
    libraries.put(profile, library);
    return library;
  }

  private void stopAgents() {
    agents.values().forEach(ScenarioAgent::close);
    agents.clear();
  }

  /** Carries out the act of the moment, and waits until the agents have received it. */
  void act(ScenarioTable.Moment moment) throws Exception {
    nameGpus();
    if (moment.act().equals("restart")) {
      restart();
      return;
    }
    if (moment.boots()) {
      stopAgents();
      libraries.clear();
      node.pace(1);
      perform(moment.act());
      startAgents();
      return;
    }
    node.pace(1);
    listening();
    long before = xids();
    long heard = agents.values().stream().mapToLong(ScenarioAgent::told).min().orElse(0);
    perform(moment.act());
    told = heard + xids() - before;
    awaitXidEvents();
    node.pace(row.pace());
  }

  /** Only the agents restart: the verdicts must stay the same. */
  private void restart() throws Exception {
    Map<Profile, Map<String, ScenarioAgent.Evidence>> before = evidence();
    stopAgents();
    startAgents();
    for (Profile profile : ScenarioTable.PROFILES) {
      agent(profile)
          .evidence()
          .forEach(
              (finding, now) -> {
                ScenarioAgent.Evidence then =
                    Objects.requireNonNull(before.get(profile)).get(finding);
                assertThat(then).as(finding + " under " + profile + " is new").isNotNull();
                assertThat(now.times()).as(finding).isEqualTo(then.times());
                assertThat(now.since()).as(finding).isEqualTo(then.since());
              });
    }
  }

  private Map<Profile, Map<String, ScenarioAgent.Evidence>> evidence() {
    Map<Profile, Map<String, ScenarioAgent.Evidence>> evidence = new EnumMap<>(Profile.class);
    agents.forEach((profile, agent) -> evidence.put(profile, agent.evidence()));
    return evidence;
  }

  private void nameGpus() {
    node.lines()
        .forEach(
            (key, value) -> {
              if (key.endsWith(".uuid")) {
                names.put("gpu:" + value, key.replaceAll("gpu\\.(\\d+)\\..*", "gpu:$1"));
              }
            });
  }

  /** Nothing was opened that the table does not have, and nothing twice that it has once. */
  void nothingElseWasOpened() {
    nameGpus();
    for (Profile profile : ScenarioTable.PROFILES) {
      List<String> extra = new ArrayList<>(agent(profile).opened(names));
      Set<String> before = Set.of();
      extra.removeAll(row.between());
      for (ScenarioTable.Moment moment : row.moments()) {
        // A boot ends what it was asked for; what persists opens again.
        before = moment.boots() ? Set.of() : before;
        for (String finding : moment.under(profile).findings()) {
          if (!before.contains(finding)) {
            extra.remove(finding);
          }
        }
        before = moment.under(profile).findings();
      }
      assertThat(extra).as("opened in between under " + profile).isEmpty();
    }
  }

  private void listening() {
    waitFor(NVML_PATIENCE, () -> all(ScenarioAgent::listening));
  }

  private static final Pattern WORDS = Pattern.compile("(\\w+) ?(.*)");

  private void perform(String act) {
    Matcher words = WORDS.matcher(act);
    assertThat(words.matches()).as(act).isTrue();
    String what = words.group(2);
    switch (words.group(1)) {
      case "at" -> player.advanceTo(time(what));
      case "reset" -> node.reset(Integer.parseInt(what));
      case "reboot" -> node.reboot();
      case "replace" -> node.replace();
      case "exit" -> node.exit(Long.parseLong(what));
      case "set" -> node.set(what.split(" ", 2)[0], what.split(" ", 2)[1]);
      case "clear" -> node.clear(what.split(" ", -1));
      case "wait" -> pass(time(what));
      case "restart" -> {}
      default -> throw new IllegalArgumentException(act);
    }
  }

  /** {@code 90s} or {@code 2h}. */
  private static Duration time(String text) {
    return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
  }

  private void pass(Duration time) {
    node.pace(row.pace());
    Instant end = node.clock().instant().plus(time);
    await().atMost(PATIENCE).until(() -> !node.clock().instant().isBefore(end));
  }

  private long xids() {
    return node.lines().keySet().stream()
        .filter(key -> key.startsWith("event."))
        .mapToLong(key -> Long.parseLong(key.substring("event.".length())))
        .max()
        .orElse(0);
  }

  /** All of the kernel log is read; and what NVML has to tell, unless the driver hangs. */
  private void awaitXidEvents() {
    OptionalLong last = lastSequence();
    await().atMost(PATIENCE).until(() -> all(agent -> agent.readTo().equals(last)));
    long expected = told;
    waitFor(NVML_PATIENCE, () -> all(agent -> agent.told() >= expected));
  }

  private static void waitFor(Duration atMost, BooleanSupplier condition) {
    Instant end = Instant.now().plus(atMost);
    while (!condition.getAsBoolean() && Instant.now().isBefore(end)) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  private boolean all(Predicate<ScenarioAgent> condition) {
    return agents.values().stream().allMatch(condition);
  }

  private OptionalLong lastSequence() {
    try {
      List<String> lines = Files.readAllLines(node.kmsg(), StandardCharsets.US_ASCII);
      return lines.stream()
          .filter(line -> !line.startsWith(" "))
          .mapToLong(line -> Long.parseLong(line.split(",", 3)[1]))
          .max();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits for the expected verdict of both agents, and checks that it stays. In accelerated time an
   * evaluation of 0.3 s takes 30 s, after which the agent reports that health is not evaluated:
   * then the wait starts again.
   */
  void awaitSaid(ScenarioTable.Moment moment) {
    Instant end = Instant.now().plus(PATIENCE);
    do {
      for (Profile profile : ScenarioTable.PROFILES) {
        awaitSaid(moment, profile);
      }
    } while (!staysSaid(moment, Instant.now().isBefore(end)));
    if (usesDcgm) {
      ScenarioTable.PROFILES.forEach(profile -> awaitWithoutData(moment, agent(profile)));
    }
  }

  private static void awaitWithoutData(ScenarioTable.Moment moment, ScenarioAgent agent) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(agent.withoutData())
                    .as(() -> moment.act() + ":\n" + agent.text())
                    .isEqualTo(moment.withoutData()));
  }

  private boolean staysSaid(ScenarioTable.Moment moment, boolean mayStall) {
    Instant end = node.clock().instant().plus(STAYS);
    while (node.clock().instant().isBefore(end)) {
      for (Profile profile : ScenarioTable.PROFILES) {
        ScenarioTable.Said said = agent(profile).said();
        if (mayStall && said.equals(ScenarioTable.Said.NOTHING)) {
          return false;
        }
        assertThat(said)
            .as(() -> moment.act() + ", and later:\n" + text())
            .isEqualTo(moment.under(profile));
      }
      LockSupport.parkNanos(20_000_000);
    }
    return true;
  }

  private void awaitSaid(ScenarioTable.Moment moment, Profile profile) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () ->
                assertThat(agent(profile).said())
                    .as(() -> moment.act() + " under " + profile + ":\n" + text())
                    .isEqualTo(moment.under(profile)));
  }

  String text() {
    List<String> texts = new ArrayList<>();
    agents.values().forEach(agent -> texts.add(agent.text()));
    return String.join("\n", texts);
  }

  @Override
  public void close() {
    stopAgents();
    time.close();
  }
}
