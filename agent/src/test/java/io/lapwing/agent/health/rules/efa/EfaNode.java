package io.lapwing.agent.health.rules.efa;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Views of a node with EFA devices: a healthy one, whose devices each sent 300 GB in the last five
 * minutes, then changed.
 */
final class EfaNode {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String KIND = "efa";
  private static final List<String> PORT = List.of("1");

  private final int devices;
  private final Map<String, Map<Metric, Map<List<String>, Double>>> values = new HashMap<>();
  private final Map<String, PartStatus.State> states = new HashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private OptionalInt expected;
  private OptionalInt onPci = OptionalInt.empty();

  private EfaNode(int devices) {
    this.devices = devices;
    this.expected = OptionalInt.of(devices);
    value("", EfaMetrics.DEVICES, devices);
    IntStream.range(0, devices).mapToObj(EfaNode::name).forEach(this::healthy);
  }

  static EfaNode of(int devices) {
    return new EfaNode(devices);
  }

  static String name(int device) {
    return "rdmap" + (16 + device) + "s0";
  }

  private void healthy(String name) {
    value(name, EfaMetrics.TX_BYTES, 1e15, "1");
    value(name, EfaMetrics.KEEP_ALIVES, 100_000);
    value(name, EfaMetrics.COMMANDS_WITHOUT_COMPLETION, 0);
    for (Metric quiet :
        List.of(
            EfaMetrics.RETRANSMITTED_PACKETS,
            EfaMetrics.RETRANSMIT_TIMEOUTS,
            EfaMetrics.UNRESPONSIVE_PEERS,
            EfaMetrics.IMPAIRED_PEERS,
            EfaMetrics.RDMA_READ_ERRORS,
            EfaMetrics.RDMA_WRITE_ERRORS)) {
      growth.put(List.of(key(name), quiet, PORT), 0.0);
    }
    growth.put(List.of(key(name), EfaMetrics.TX_BYTES, PORT), 3e11);
    growth.put(List.of(key(name), EfaMetrics.TX_PACKETS, PORT), 4e7);
    growth.put(List.of(key(name), EfaMetrics.KEEP_ALIVES, List.of()), 60.0);
    growth.put(List.of(key(name), EfaMetrics.COMPLETED_COMMANDS, List.of()), 150.0);
    growth.put(List.of(key(name), EfaMetrics.COMMANDS_WITHOUT_COMPLETION, List.of()), 0.0);
  }

  private static String key(String name) {
    return KIND + ":" + name;
  }

  private EfaNode value(String name, Metric metric, double value, String... labels) {
    values
        .computeIfAbsent(name, unseen -> new HashMap<>())
        .computeIfAbsent(metric, unseen -> new HashMap<>())
        .put(List.of(labels), value);
    return this;
  }

  EfaNode value(int device, Metric metric, double value) {
    return value(name(device), metric, value);
  }

  EfaNode grew(int device, Metric counter, double by) {
    List<String> labels = counter.labels().contains("port") ? PORT : List.of();
    growth.put(List.of(key(name(device)), counter, labels), by);
    return this;
  }

  /** A counter that is not known, or not for long enough. */
  EfaNode unknown(int device, Metric counter) {
    growth.remove(List.of(key(name(device)), counter, PORT));
    return this;
  }

  EfaNode without(int device, Metric metric) {
    values.getOrDefault(name(device), Map.of()).remove(metric);
    return this;
  }

  EfaNode state(int device, PartStatus.State state) {
    states.put(name(device), state);
    return this;
  }

  EfaNode whole(PartStatus.State state) {
    states.put("", state);
    return this;
  }

  /** A device that was there and is gone. */
  EfaNode lost(String name) {
    value("", EfaMetrics.DEVICES, devices - 1.0);
    return value("", EfaMetrics.UP, 0, name);
  }

  EfaNode present(int present) {
    return value("", EfaMetrics.DEVICES, present);
  }

  EfaNode expected(OptionalInt count) {
    expected = count;
    return this;
  }

  EfaNode onPci(int count) {
    onPci = OptionalInt.of(count);
    return this;
  }

  EfaNode counted(int devices) {
    events.add(new Event.EfaDevicesCounted(NOW, devices));
    return this;
  }

  /** The collector that counts the devices is switched off. */
  EfaNode uncounted() {
    values.getOrDefault("", Map.of()).remove(EfaMetrics.DEVICES);
    return this;
  }

  EfaNode cleared() {
    events.add(new Event.OperatorCleared(NOW, "efa_count", "", ""));
    return this;
  }

  EfaNode booted(Duration ago) {
    events.add(new Event.Booted(NOW.minus(ago), "boot", "i-0"));
    return this;
  }

  NodeSnapshot view() {
    return view((trend, metric) -> metric);
  }

  private interface Requested {
    Metric of(boolean trend, Metric metric);
  }

  private NodeSnapshot view(Requested requested) {
    List<PartStatus> parts = new ArrayList<>();
    parts.add(part("", requested));
    IntStream.range(0, devices).forEach(device -> parts.add(part(name(device), requested)));
    return new NodeSnapshot(
        NOW,
        new NodeFacts(
            "node-1",
            "p5.48xlarge",
            "i-0",
            Optional.of(
                new NodeFacts.ExpectedHardware(
                    8, "H100", 18, 81_559, OptionalInt.of(32), OptionalInt.of(100))),
            OptionalInt.empty(),
            expected,
            OptionalInt.empty(),
            onPci,
            Optional.empty()),
        new DriverStatus.Up("570.133.20", 8),
        AgentStatus.ALL_AVAILABLE,
        List.of(),
        parts,
        new History(events),
        (part, metric, labels, window) ->
            increase(part, requested.of(true, metric), labels, window));
  }

  private PartStatus part(String name, Requested requested) {
    PartStatus.State state = states.getOrDefault(name, PartStatus.State.ANSWERS);
    Map<Metric, Map<List<String>, Double>> readings =
        state == PartStatus.State.ANSWERS ? values.getOrDefault(name, Map.of()) : Map.of();
    Values now = metric -> readings.getOrDefault(requested.of(false, metric), Map.of());
    String reason = state == PartStatus.State.ANSWERS ? "" : "it does not answer";
    return new PartStatus(KIND, name, state, reason, now);
  }

  private OptionalDouble increase(
      String part, Metric metric, List<String> labels, Duration window) {
    if (window.compareTo(Trends.LONGEST) > 0) {
      throw new IllegalArgumentException("nobody watches for " + window);
    }
    Double by = growth.get(List.of(part, metric, labels));
    return by == null ? OptionalDouble.empty() : OptionalDouble.of(by);
  }

  /** What a rule sees; it names what it reads, and nothing else is read for it. */
  List<Detection> detections(HealthRule rule) {
    return detections(rule, rule.spec().aws());
  }

  List<Detection> detections(HealthRule rule, Disposition disposition) {
    List<Metric> named =
        Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
            .flatMap(List::stream)
            .toList();
    NodeSnapshot view =
        view(
            (trend, metric) -> {
              assertThat(trend ? rule.spec().trends() : named).contains(metric);
              return metric;
            });
    Map<String, Double> presets = new HashMap<>();
    for (Threshold threshold : rule.spec().thresholds()) {
      presets.put(threshold.name(), threshold.preset());
    }
    return rule.evaluate(view, new RulePolicy(rule.spec(), true, disposition, presets));
  }

  Detection one(HealthRule rule) {
    List<Detection> found = detections(rule);
    assertThat(found).hasSize(1);
    return found.get(0);
  }
}
