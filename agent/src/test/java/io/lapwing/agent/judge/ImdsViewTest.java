package io.lapwing.agent.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lapwing.agent.health.AgentNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Threshold;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.inventory.InventoryRules;
import io.lapwing.agent.poll.Cadences;
import io.lapwing.agent.poll.Poller;
import io.lapwing.agent.poll.SnapshotBoard;
import io.lapwing.agent.poll.VirtualClock;
import io.lapwing.collect.Reading;
import io.lapwing.gpu.GpuRoster;
import io.lapwing.gpu.NvmlDriver;
import io.lapwing.linux.SysRoot;
import io.lapwing.metric.Metric;
import io.lapwing.node.Identification;
import io.lapwing.node.ImdsSource;
import io.lapwing.node.InstanceTypes;
import io.lapwing.node.Inventory;
import io.lapwing.node.NodeIdentity;
import io.lapwing.node.NodeSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the instance metadata service over the board to the rules. */
class ImdsViewTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  private final VirtualClock clock = new VirtualClock();
  private final SnapshotBoard board = new SnapshotBoard();
  private final Poller poller = new Poller(board, CADENCES, clock);
  private final Map<String, String> items = new ConcurrentHashMap<>();
  private final List<HealthRule> rules = InventoryRules.all();
  private HttpServer service;
  private NodeSource node;
  private NodeLook look;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/latest/api/token", exchange -> answer(exchange, "token"));
    service.createContext("/latest/meta-data/", this::tell);
    service.start();
    SysRoot sys = new SysRoot(folder);
    Identification identification =
        new Identification(NodeIdentity.read("node-1", NodeIdentity.Configured.NOTHING, sys));
    Inventory inventory =
        new Inventory(InstanceTypes.load(), OptionalInt.empty(), OptionalInt.empty());
    node = new NodeSource(sys, identification, inventory, () -> false);
    List<Metric> wanted =
        rules.stream()
            .flatMap(rule -> Stream.of(rule.needs(), rule.reads()))
            .flatMap(List::stream)
            .toList();
    look =
        new NodeLook(
            poller,
            CADENCES,
            new GpuRoster(),
            new NvmlDriver(() -> new Reading.Unsupported<>("NVML")),
            () ->
                new NodeFacts(
                    "node-1",
                    node.identity().instanceType().text(),
                    "",
                    Optional.empty(),
                    node.expectation().gpus(),
                    OptionalInt.empty()),
            () -> AgentNow.WELL,
            wanted);
    URI base = URI.create("http://127.0.0.1:" + service.getAddress().getPort());
    items.put("instance-type", "p5en.48xlarge");
    items.put("instance-life-cycle", "spot");
    poller.add(new ImdsSource(base, identification, clock::nanoTime));
    poller.start();
    awaitRounds(1);
  }

  @AfterEach
  void end() {
    poller.close();
    service.stop(0);
  }

  private void tell(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring("/latest/meta-data/".length());
    String text = items.get(path);
    if (text == null) {
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
    } else {
      answer(exchange, text);
    }
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void awaitRounds(int rounds) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> poller.states().stream().allMatch(state -> state.rounds() >= rounds));
  }

  private void nextRound(int rounds) {
    clock.advance(Duration.ofSeconds(60));
    awaitRounds(rounds);
  }

  private NodeView view() {
    return look.view(clock.instant(), History.EMPTY, Trends.NONE);
  }

  private List<String> found() {
    NodeView view = view();
    return rules.stream()
        .flatMap(rule -> rule.judge(view, policy(rule)).stream())
        .map(Symptom::rule)
        .toList();
  }

  private static RulePolicy policy(HealthRule rule) {
    return new RulePolicy(
        true,
        rule.spec().aws(),
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset)));
  }

  @Test
  void whatTheServiceAnnouncesIsFoundAndClearsAgain() {
    assertThat(found()).isEmpty();

    items.put("events/maintenance/scheduled", "[{\"Code\":\"instance-retirement\"}]");
    items.put("spot/instance-action", "{\"action\": \"stop\", \"time\": \"2029-01-21T09:00:43Z\"}");
    nextRound(2);
    assertThat(found()).containsExactly("maintenance_scheduled", "spot_interrupted");

    items.remove("spot/instance-action");
    items.put("events/maintenance/scheduled", "[]");
    nextRound(3);
    assertThat(found()).isEmpty();
  }

  @Test
  void whatTheServiceSaysOfTheInstanceIsWhatTheRulesExpect() {
    assertThat(view().node().instanceType()).isEqualTo("p5en.48xlarge");
    assertThat(view().node().expectedGpus()).hasValue(8);
  }
}
