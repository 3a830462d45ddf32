package io.lapwing.agent.health.rules.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Detection;
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
import io.lapwing.lustre.LustreMetrics;
import io.lapwing.metric.Metric;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Views of nodes with a Lustre client: one on which all is well and busy, then changed. */
final class LustreClients {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final String OST = "scratch-OST0000";

  private final Map<String, PartStatus.State> states = new LinkedHashMap<>();
  private final Map<String, Map<Metric, Map<List<String>, Double>>> values = new HashMap<>();
  private final Map<List<Object>, Double> growth = new HashMap<>();

  private LustreClients() {}

  static LustreClients well() {
    LustreClients node = new LustreClients();
    node.state("", PartStatus.State.ANSWERS)
        .value("", LustreMetrics.HEALTHY, 1)
        .value("", LustreMetrics.LBUG, 0)
        .value("", LustreMetrics.DEBUGFS_READABLE, 1)
        .state("scratch", PartStatus.State.ANSWERS);
    return node.target("scratch-MDT0000").target(OST);
  }

  static LustreClients none() {
    return new LustreClients().state("", PartStatus.State.NOTHING_HERE);
  }

  /** 1 ms a request for a million requests, six thousand of them in the last minute. */
  LustreClients target(String name) {
    return state(name, PartStatus.State.ANSWERS)
        .value(name, LustreMetrics.CONNECTED, 1)
        .value(name, LustreMetrics.STATE, 1, "full")
        .value(name, LustreMetrics.EVICTIONS, 0)
        .value(name, LustreMetrics.IN_FLIGHT, 3)
        .value(name, LustreMetrics.IN_FLIGHT_LIMIT, 8)
        .value(name, LustreMetrics.RPC_WAIT, 1_006)
        .value(name, LustreMetrics.RPCS, 1_006_000)
        .value(name, LustreMetrics.RPC_TIMEOUTS, 2)
        .value(name, LustreMetrics.GRANT, 262_144_000)
        .value(name, LustreMetrics.LOST_GRANT, 0)
        .value(name, LustreMetrics.DIRTY, 27_815_936)
        .grew(name, LustreMetrics.RPC_WAIT, 6)
        .grew(name, LustreMetrics.RPCS, 6_000)
        .grew(name, LustreMetrics.RPC_TIMEOUTS, 0)
        .grew(name, LustreMetrics.EVICTIONS, 0);
  }

  LustreClients state(String part, PartStatus.State state) {
    states.put(part, state);
    return this;
  }

  LustreClients value(String part, Metric metric, double value, String... labels) {
    values
        .computeIfAbsent(part, unseen -> new HashMap<>())
        .computeIfAbsent(metric, unseen -> new HashMap<>())
        .put(List.of(labels), value);
    return this;
  }

  LustreClients without(String part, Metric metric) {
    values.getOrDefault(part, Map.of()).remove(metric);
    return this;
  }

  LustreClients grew(String part, Metric metric, double by) {
    growth.put(List.of(part, metric), by);
    return this;
  }

  LustreClients not(String part, Metric metric) {
    growth.remove(List.of(part, metric));
    return without(part, metric);
  }

  NodeSnapshot view(HealthRule rule) {
    List<Metric> named =
        Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
            .flatMap(List::stream)
            .toList();
    List<PartStatus> parts = new ArrayList<>();
    states.forEach(
        (name, state) ->
            parts.add(
                new PartStatus(
                    "lustre",
                    name,
                    state,
                    state == PartStatus.State.ANSWERS ? "" : "a read has not come back for 40 s",
                    metric -> {
                      assertThat(named).as(rule.spec().name()).contains(metric);
                      return state == PartStatus.State.ANSWERS
                          ? values.getOrDefault(name, Map.of()).getOrDefault(metric, Map.of())
                          : Map.of();
                    })));
    return new NodeSnapshot(
        NOW,
        new NodeFacts(
            "node-1",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        new DriverStatus.NotPolled(),
        AgentStatus.ALL_AVAILABLE,
        List.of(),
        parts,
        History.EMPTY,
        (part, metric, labels, window) -> {
          assertThat(rule.spec().trends()).as(rule.spec().name()).contains(metric);
          assertThat(window).isLessThanOrEqualTo(Trends.LONGEST);
          Double by = growth.get(List.of(part.replaceFirst("^lustre:?", ""), metric));
          return by == null ? OptionalDouble.empty() : OptionalDouble.of(by);
        });
  }

  /** What one rule says of it, with its presets. */
  List<Detection> detections(HealthRule rule) {
    Map<String, Double> thresholds =
        rule.spec().thresholds().stream()
            .collect(Collectors.toMap(Threshold::name, Threshold::preset));
    return rule.evaluate(
        view(rule), new RulePolicy(rule.spec(), true, rule.spec().aws(), thresholds));
  }

  /** What all rules say of it. */
  List<Detection> detections() {
    return TargetRule.all().stream().flatMap(rule -> detections(rule).stream()).toList();
  }

  /** The one thing that is wrong with it. */
  Detection one() {
    assertThat(detections()).hasSize(1);
    return detections().get(0);
  }
}
