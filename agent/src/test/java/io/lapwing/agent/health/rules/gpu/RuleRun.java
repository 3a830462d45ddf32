package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.metric.Metric;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The findings of one rule on a node under a profile. */
final class RuleRun {

  private final HealthRule rule;
  private final Map<String, Double> thresholds = new HashMap<>();

  RuleRun(HealthRule rule) {
    this.rule = rule;
    for (Threshold threshold : rule.spec().thresholds()) {
      thresholds.put(threshold.name(), threshold.preset());
    }
  }

  RuleRun with(String threshold, double value) {
    assertThat(thresholds).containsKey(threshold);
    thresholds.put(threshold, value);
    return this;
  }

  List<Detection> aws(NodeSnapshots node) {
    return under(rule.spec().aws(), node);
  }

  List<Detection> nvidia(NodeSnapshots node) {
    return under(rule.spec().nvidia(), node);
  }

  List<Detection> under(Disposition disposition, NodeSnapshots node) {
    return rule.evaluate(named(node.view()), policy(disposition));
  }

  /** Whether it has data on a GPU whose finding was detected now. */
  boolean canEvaluate(int gpu, NodeSnapshots node) {
    return canEvaluate(gpu, node, node.view().now());
  }

  boolean canEvaluate(int gpu, NodeSnapshots node, Instant detected) {
    NodeSnapshot view = node.view();
    return rule.canEvaluate(
        view.gpus().get(gpu).subject(), view, detected, policy(rule.spec().aws()));
  }

  private RulePolicy policy(Disposition disposition) {
    return new RulePolicy(rule.spec(), true, disposition, thresholds);
  }

  /** The agent reads only the metrics that a rule declares. */
  private NodeSnapshot named(NodeSnapshot view) {
    List<Metric> values =
        Stream.of(rule.spec().needs(), rule.spec().reads(), rule.spec().trends())
            .flatMap(List::stream)
            .toList();
    List<GpuStatus> gpus =
        view.gpus().stream()
            .map(
                gpu ->
                    new GpuStatus(
                        gpu.uuid(),
                        gpu.index(),
                        gpu.pci(),
                        gpu.state(),
                        gpu.reason(),
                        metric -> gpu.values().all(namedBy(values, metric))))
            .toList();
    return new NodeSnapshot(
        view.now(),
        view.node(),
        view.driver(),
        view.agent(),
        gpus,
        List.of(),
        view.history(),
        (gpu, metric, labels, window) ->
            view.trends().increase(gpu, namedBy(rule.spec().trends(), metric), labels, window));
  }

  private Metric namedBy(List<Metric> metrics, Metric metric) {
    assertThat(metrics).as("%s names what it reads", rule.spec().name()).contains(metric);
    return metric;
  }

  /** The only detection, which both profiles share, with the disposition of {@code aws}. */
  Detection one(NodeSnapshots node) {
    assertThat(nvidia(node)).hasSize(1);
    List<Detection> found = aws(node);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  Detection oneForNvidia(NodeSnapshots node) {
    List<Detection> found = nvidia(node);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  String what(NodeSnapshots node) {
    return one(node).what();
  }

  void silent(NodeSnapshots node) {
    assertThat(aws(node)).isEmpty();
    assertThat(nvidia(node)).isEmpty();
  }
}
