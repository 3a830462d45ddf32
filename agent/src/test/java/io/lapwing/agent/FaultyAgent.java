package io.lapwing.agent;

import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Faults for an agent process, and their results on its page. */
record FaultyAgent(SimulatedNode node, Path dir, KmsgFile kmsg) {

  /** Processes start slowly where many of them do. */
  private static final Duration PATIENCE = TestAgent.PATIENCE;

  private static final List<String> PCI = List.of("53", "64", "75", "86", "97", "a8", "b9", "ca");

  static FaultyAgent on(Path dir) throws IOException {
    return on(dir, InstanceType.named("p5.48xlarge"));
  }

  static FaultyAgent on(Path dir, InstanceType type) throws IOException {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), type);
    return new FaultyAgent(node, dir, KmsgFile.beside(dir));
  }

  Path state() {
    return dir.resolve("state");
  }

  List<String> arguments(String... flags) {
    return arguments(state(), flags);
  }

  List<String> arguments(Path state, String... flags) {
    List<String> words = new ArrayList<>(List.of("agent"));
    words.addAll(node.agentArguments());
    kmsg.in(words, state);
    words.addAll(
        List.of(
            "--metrics=full",
            "--web.listen-address=127.0.0.1:0",
            "--cadence.fast=500ms",
            "--poll.deadline=2s"));
    words.addAll(List.of(flags));
    return words;
  }

  /** The driver's line. */
  static String xid(int gpu, int number, String rest) {
    return String.format(
        Locale.ROOT, "NVRM: Xid (PCI:0000:%s:00): %d, %s", PCI.get(gpu), number, rest);
  }

  /** The same on a node of any type. */
  String xidOf(int gpu, int number, String rest) {
    String pci = node.lines().getOrDefault("gpu." + gpu + ".bus_id", "0000:00:00.0");
    return String.format(
        Locale.ROOT,
        "NVRM: Xid (PCI:%s): %d, %s",
        pci.substring(0, pci.length() - 2),
        number,
        rest);
  }

  static TextPage page(AgentProcess agent) {
    try {
      return TextPage.parse(agent.get("/metrics").body(), PageFormat.TEXT_0_0_4);
    } catch (IOException refused) {
      throw new AssertionError("no page; alive: " + agent.isAlive(), refused);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new AssertionError(ended);
    }
  }

  static void awaitReady(AgentProcess agent) {
    await().atMost(PATIENCE).until(() -> agent.get("/-/ready").statusCode() == 200);
  }

  /** Waits until all that is known now was judged. */
  static void awaitEvaluation(AgentProcess agent) {
    double asked = Instant.now().toEpochMilli() / 1e3;
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                page(agent)
                    .value("lapwing_health_evaluation_timestamp_seconds")
                    .filter(at -> at > asked)
                    .isPresent());
  }

  static void awaitVerdict(AgentProcess agent, String verdict) {
    await().atMost(PATIENCE).until(() -> verdict(agent), Optional.of(verdict)::equals);
  }

  private static Optional<String> verdict(AgentProcess agent) {
    return page(agent).samples("lapwing_node_verdict").stream()
        .filter(sample -> sample.value() == 1)
        .map(sample -> sample.label("verdict"))
        .findFirst();
  }

  static double sum(TextPage page, String name) {
    return page.samples(name).stream().mapToDouble(TextPage.Sample::value).sum();
  }

  /** What is counted, by GPU and number. */
  static Map<String, Double> xids(TextPage page) {
    return page.samples("lapwing_gpu_xid_errors_total").stream()
        .filter(sample -> sample.value() > 0)
        .collect(
            Collectors.toMap(
                sample -> sample.label("gpu") + " " + sample.label("xid"),
                TextPage.Sample::value,
                Double::sum,
                TreeMap::new));
  }

  /** The open findings, with since when. */
  static Map<String, Double> findings(TextPage page) {
    return page.samples("lapwing_health_finding_since_timestamp_seconds").stream()
        .collect(
            Collectors.toMap(
                sample -> sample.label("rule") + " " + sample.label("subject"),
                TextPage.Sample::value,
                Double::sum,
                TreeMap::new));
  }
}
