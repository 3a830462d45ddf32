package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.metrics.Build;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.SelfRegistry;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.SourceActivity;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.collect.Reading;
import io.lapwing.common.config.ConfigException;
import io.lapwing.nvml.Nvml;
import io.lapwing.simulator.SimulatedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The agent's own wiring in this process, on a simulated node, without its web server. */
final class TestAgent implements AutoCloseable {

  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Build BUILD = new Build("0.0.0", "abcdef0", "17");

  private final Wiring wiring;
  private final List<WatchedNvml> loaded = new ArrayList<>();

  private TestAgent(Settings settings, PollClock clock, Function<Nvml, Nvml> binding)
      throws ConfigException {
    Supplier<Reading<Nvml>> library = Wiring.library(settings, clock);
    this.wiring =
        new Wiring(
            settings,
            clock,
            BUILD,
            () -> library.get().map(binding).map(this::watched),
            SelfRegistry.empty());
  }

  private Nvml watched(Nvml nvml) {
    WatchedNvml watched = new WatchedNvml(nvml);
    loaded.add(watched);
    return watched;
  }

  /** An agent whose time is advanced by the test, and which evaluates on request. */
  static TestAgent at(VirtualClock clock, SimulatedNode node, String... flags) throws Exception {
    TestAgent agent = new TestAgent(settings(node, flags), clock, nvml -> nvml);
    agent.wiring.startReading();
    agent.wiring.health().kernelLog().start();
    return agent;
  }

  /** An agent in real time with cadences of a fraction of a second. */
  static TestAgent quick(SimulatedNode node, String... flags) throws Exception {
    return quick(node, nvml -> nvml, flags);
  }

  static TestAgent quick(SimulatedNode node, Function<Nvml, Nvml> binding, String... flags)
      throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--cadence.fast=200ms",
                "--cadence.medium=200ms",
                "--cadence.slow=400ms",
                "--poll.deadline=500ms"));
    all.addAll(Arrays.asList(flags));
    return started(settings(node, all.toArray(String[]::new)), PollClock.SYSTEM, binding);
  }

  static TestAgent started(Settings settings, PollClock clock, Function<Nvml, Nvml> binding)
      throws ConfigException {
    TestAgent agent = new TestAgent(settings, clock, binding);
    agent.wiring.start();
    return agent;
  }

  /**
   * What a command line means on that node; it comes before what the node says of itself. The page
   * has all families unless the command line chooses others.
   */
  static Settings settings(SimulatedNode node, String... flags) throws ConfigException {
    List<String> all = new ArrayList<>(node.agentArguments());
    all.removeIf(own -> Arrays.stream(flags).anyMatch(flag -> name(flag).equals(name(own))));
    all.add("--node.hostname=node-1");
    if (Arrays.stream(flags).noneMatch(flag -> name(flag).equals("--metrics"))) {
      all.add("--metrics=full");
    }
    all.addAll(Arrays.asList(flags));
    Invocation asked = SettingsReader.read(all, Map.of(), CollectorGroup.collectors());
    return ((Invocation.Run) asked).settings();
  }

  private static String name(String flag) {
    return flag.split("=", 2)[0];
  }

  Wiring wiring() {
    return wiring;
  }

  byte[] bytes(PageFormat format) {
    return wiring.page().page(format);
  }

  TextPage page() {
    return TextPage.parse(bytes(PageFormat.TEXT_0_0_4));
  }

  /** Waits until each of these sources finished so many rounds. */
  void awaitRounds(Map<String, Integer> rounds) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(2))
        .until(() -> finished(rounds), missing -> missing.equals(""));
  }

  private String finished(Map<String, Integer> rounds) {
    Map<String, Long> done =
        wiring.poller().activities().stream()
            .collect(Collectors.toMap(SourceActivity::source, SourceActivity::rounds));
    return rounds.entrySet().stream()
        .filter(one -> done.getOrDefault(one.getKey(), -1L) < one.getValue())
        .map(one -> one.getKey() + " has not finished round " + one.getValue())
        .collect(Collectors.joining(", "));
  }

  /** Waits until XIDs are received. */
  void awaitListening() {
    await().atMost(PATIENCE).until(() -> loaded.stream().anyMatch(WatchedNvml::listening));
  }

  /** How often NVML was initialised. */
  int inits() {
    return loaded.stream().mapToInt(WatchedNvml::inits).sum();
  }

  /** How often NVML was initialised and not shut down. */
  int openNvml() {
    return loaded.stream().mapToInt(WatchedNvml::open).sum();
  }

  int openEventSets() {
    return loaded.stream().mapToInt(WatchedNvml::openEventSets).sum();
  }

  /** Parts of the agent that use NVML: sources of GPUs, and the watch of XIDs. */
  int openGpus() {
    return wiring.driver().release().users();
  }

  /** Waits until so many XIDs were received. */
  void awaitXids(int count) {
    await()
        .atMost(PATIENCE)
        .until(() -> loaded.stream().mapToInt(WatchedNvml::told).sum() >= count);
  }

  /** Waits until so many messages of the kernel log were read. */
  void awaitKernelMessages(int count) {
    await().atMost(PATIENCE).until(() -> wiring.health().kernelLogCounts().messages() >= count);
  }

  void judge() {
    wiring.health().evaluateNow();
  }

  @Override
  public void close() {
    wiring.close();
  }
}
