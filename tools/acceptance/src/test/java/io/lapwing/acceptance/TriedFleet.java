package io.lapwing.acceptance;

import io.lapwing.agent.health.engine.ClearRequests;
import io.lapwing.stack.Alert;
import io.lapwing.stack.Alertmanager;
import io.lapwing.stack.Prometheus;
import io.lapwing.stack.PrometheusSettings;
import io.lapwing.stack.ShippedRouting;
import io.lapwing.stack.ShippedRules;
import io.lapwing.stack.SimulatedNode;
import io.lapwing.stack.Webhook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Simulated nodes in one cluster, the shipped rules and routing around them, and a webhook. */
final class TriedFleet implements AutoCloseable {

  static final Duration EVERY = Duration.ofSeconds(5);

  /** As long as the findings of one fault may lie apart, so that inhibition knows both. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(30);

  private static final Path CLONE = Path.of("..", "..").toAbsolutePath().normalize();
  private static final String CLUSTER = "tried";

  private final Path dir;
  private final Webhook webhook = Webhook.start();
  private final Alertmanager alertmanager;
  private final Prometheus prometheus;
  private final List<SimulatedNode> nodes = new ArrayList<>();

  TriedFleet(Path dir) throws IOException {
    this.dir = dir;
    Path rules = CLONE.resolve("alert-rules");
    Path routing =
        ShippedRouting.write(
            rules.resolve("alertmanager/alertmanager.yml"),
            dir.resolve("alertmanager.yml"),
            webhook.url(),
            Optional.of(MOST_WAIT));
    Path copies = Files.createDirectories(dir.resolve("rules"));
    this.alertmanager = Alertmanager.start(dir, routing);
    this.prometheus =
        Prometheus.start(
            dir,
            PrometheusSettings.every(EVERY)
                .withRules(ShippedRules.copy(rules, copies, "https://runbooks.test/"))
                .alerting(alertmanager.url()));
  }

  /** A p5.48xlarge, scraped from now on. */
  void add(String name, String scenario) throws IOException {
    add(name, "p5.48xlarge", scenario);
  }

  /** A node of another instance type; the scenario is a name or a file. */
  void add(String name, String type, String scenario) throws IOException {
    Path policy = dir.resolve("policy.yml");
    try (var shipped =
        Objects.requireNonNull(TriedFleet.class.getResourceAsStream("impatient-policy.yml"))) {
      Files.write(policy, shipped.readAllBytes());
    }
    // The smallest page: a rule that reads more would not fire.
    nodes.add(
        SimulatedNode.ofType(
            dir.resolve(name),
            name,
            type,
            scenario,
            "--health.policy=" + policy,
            "--metrics=minimal"));
    prometheus.scrape(nodes.stream().map(node -> node.target(CLUSTER)).toList());
  }

  Prometheus prometheus() {
    return prometheus;
  }

  SimulatedNode node(String name) {
    return nodes.stream().filter(node -> node.name().equals(name)).findFirst().orElseThrow();
  }

  /** As {@code lapwing clear --all} on that node. */
  void clear(String name) throws IOException {
    Path state = dir.resolve(name).resolve("node/agent-state");
    new ClearRequests(state, InstantSource.system()).ask("", "", "another machine");
  }

  /** Alerts that arrived for a node; an empty name selects those without a node. */
  List<Alert> arrived(String instance) {
    return webhook.notifications().stream()
        .flatMap(notification -> notification.alerts().stream())
        .filter(alert -> alert.label("instance").equals(instance))
        .toList();
  }

  /** Those that arrived and were not resolved since. */
  List<Alert> standing(String instance) {
    List<Alert> standing = new ArrayList<>();
    for (Alert alert : arrived(instance)) {
      standing.removeIf(earlier -> earlier.labels().equals(alert.labels()));
      if (alert.state().equals("firing")) {
        standing.add(alert);
      }
    }
    return standing;
  }

  /** When Prometheus first scraped a finding of a rule on a node. */
  Instant firstSeen(String instance, String rule) {
    return prometheus
        .query("lapwing_health_finding{instance='%s', rule='%s'}[1h]".formatted(instance, rule))
        .stream()
        .map(series -> series.points().get(0).at())
        .min(Instant::compareTo)
        .orElseThrow(() -> new AssertionError(rule + " was never on the page of " + instance));
  }

  /** Details of a node whose alerts do not resolve. */
  String story(String instance) {
    List<String> lines = new ArrayList<>();
    lines.add("In Prometheus now:");
    for (String series : List.of("up", "lapwing_health_finding", "ALERTS")) {
      prometheus.query("%s{instance='%s'}".formatted(series, instance)).stream()
          .map(one -> "  " + series + one.labels())
          .forEach(lines::add);
    }
    lines.add("In Alertmanager:");
    alertmanager.alerts().stream()
        .filter(alert -> alert.label("instance").equals(instance))
        .map(alert -> "  " + alert.state() + " " + alert.labels())
        .forEach(lines::add);
    lines.add("Its agent said:");
    lines.add(node(instance).agentLog());
    return String.join("\n", lines);
  }

  Duration holds(String alert) {
    return prometheus.rules().stream()
        .flatMap(group -> group.rules().stream())
        .filter(rule -> rule.name().equals(alert))
        .map(rule -> Duration.ofMillis(Math.round(rule.holds() * 1000)))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    Stream.concat(nodes.stream(), Stream.of(prometheus, alertmanager, webhook))
        .forEach(TriedFleet::end);
  }

  private static void end(AutoCloseable one) {
    try {
      one.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
