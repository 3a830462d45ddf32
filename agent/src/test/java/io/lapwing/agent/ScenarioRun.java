package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.health.Profile;
import io.lapwing.simulator.InstanceType;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A scenario played by hand, under the eyes of an agent for each profile. The node's own time runs
 * as fast as the real one while something happens, so that what the kernel and NVML tell of one
 * fault comes together as it does on a real node, and {@link #FAST} times as fast while its outcome
 * is waited for: what has to hold for minutes holds for them.
 */
final class ScenarioRun implements AutoCloseable {

  static final double FAST = 100;

  /** Of the node's time: a few seconds of the real one, so that a slow test machine is no fault. */
  static final Duration DEADLINE = Duration.ofMinutes(5);

  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final Duration NVML_PATIENCE = Duration.ofSeconds(2);

  /** Of the node's time: what is said has to stay for so long. */
  private static final Duration STAYS = Duration.ofSeconds(45);

  private final SimulatedNode node;
  private final ScenarioPlayer player;
  private final Map<Profile, ScenarioAgent> agents = new EnumMap<>(Profile.class);
  private long told;

  ScenarioRun(Path dir, String scenario, String instance) throws Exception {
    this.node = SimulatedNode.create(dir, InstanceType.named(instance));
    this.player = new ScenarioPlayer(node, Scenario.named(scenario));
    node.set("check.seconds", "0");
    player.begin();
    startAgents();
  }

  SimulatedNode node() {
    return node;
  }

  ScenarioAgent agent(Profile profile) {
    return Objects.requireNonNull(agents.get(profile));
  }

  void startAgents() throws Exception {
    node.pace(1);
    told = 0;
    for (Profile profile : Profile.values()) {
      agents.put(profile, ScenarioAgent.on(node, profile));
    }
    await().atMost(PATIENCE).until(() -> all(ScenarioAgent::judged));
    awaitHeard();
    node.pace(FAST);
  }

  void stopAgents() {
    agents.values().forEach(ScenarioAgent::close);
    agents.clear();
  }

  /** Does what the moment says, and lets the agents hear of it. */
  void act(ScenarioTable.Moment moment) throws Exception {
    if (moment.boots() || moment.act().equals("restart")) {
      stopAgents();
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
    awaitHeard();
    node.pace(FAST);
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
      case "at" -> player.advanceTo(Duration.parse("PT" + what));
      case "reset" -> node.reset(Integer.parseInt(what));
      case "reboot" -> node.reboot();
      case "replace" -> node.replace();
      case "exit" -> node.exit(Long.parseLong(what));
      case "clear" -> node.clear(what.split(" ", -1));
      case "wait" -> pass(Duration.parse("PT" + what));
      case "restart" -> {}
      default -> throw new IllegalArgumentException(act);
    }
  }

  /** Hours, as fast as the agents still follow. */
  private void pass(Duration time) {
    node.pace(FAST * 20);
    Instant end = node.clock().instant().plus(time);
    await().atMost(PATIENCE).until(() -> !node.clock().instant().isBefore(end));
    node.pace(FAST);
  }

  private long xids() {
    return node.lines().keySet().stream()
        .filter(key -> key.startsWith("event."))
        .mapToLong(key -> Long.parseLong(key.substring("event.".length())))
        .max()
        .orElse(0);
  }

  /** All of the kernel log is read; and what NVML has to tell, unless the driver hangs. */
  private void awaitHeard() {
    OptionalLong last = lastSequence();
    await().atMost(PATIENCE).until(() -> all(agent -> agent.readTo().equals(last)));
    long expected = told;
    waitFor(NVML_PATIENCE, () -> all(agent -> agent.told() >= expected));
  }

  private static void waitFor(Duration atMost, BooleanSupplier condition) {
    Instant end = Instant.now().plus(atMost);
    while (!condition.getAsBoolean() && Instant.now().isBefore(end)) {
      java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    }
  }

  private boolean all(java.util.function.Predicate<ScenarioAgent> condition) {
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

  /** Waits until both say what they should, and see to it that they go on saying it. */
  void awaitSaid(ScenarioTable.Moment moment) {
    for (Profile profile : Profile.values()) {
      awaitSaid(moment, profile);
    }
    Instant end = node.clock().instant().plus(STAYS);
    while (node.clock().instant().isBefore(end)) {
      for (Profile profile : Profile.values()) {
        assertThat(agent(profile).said())
            .as(() -> moment.act() + ", and later:\n" + text())
            .isEqualTo(moment.under(profile));
      }
      java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
    }
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
  }

  /** Plays a scenario and shows what is said, for who writes the table. */
  public static void main(String[] words) throws Exception {
    for (String word : words) {
      String[] parts = word.split("@", -1);
      Path dir = Files.createTempDirectory("scenario");
      System.out.println("=== " + parts[0]);
      try (ScenarioRun run =
          new ScenarioRun(dir, parts[0], parts[1].isEmpty() ? "p5.48xlarge" : parts[1])) {
        for (int i = 2; i < parts.length; i++) {
          boolean boots = parts[i].endsWith("!");
          String act = boots ? parts[i].substring(0, parts[i].length() - 1) : parts[i];
          if (i > 2 || !act.isEmpty()) {
            run.act(new ScenarioTable.Moment(act, boots, Map.of()));
          }
          Instant end = run.node.clock().instant().plus(Duration.ofMinutes(7));
          await().atMost(PATIENCE).until(() -> run.node.clock().instant().isAfter(end));
          System.out.println("-- " + act + "\n" + run.text());
        }
        for (ScenarioAgent agent : run.agents.values()) {
          System.out.println("opened under " + agent.profile() + ": " + agent.opened());
        }
      }
    }
    System.exit(0);
  }
}
