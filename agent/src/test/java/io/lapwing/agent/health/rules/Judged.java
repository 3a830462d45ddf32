package io.lapwing.agent.health.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.GpuNow;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.Symptom;
import io.lapwing.agent.health.Threshold;
import io.lapwing.metric.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What one rule says of a node under a profile. */
final class Judged {

  private final HealthRule rule;
  private final Map<String, Double> thresholds = new HashMap<>();

  Judged(HealthRule rule) {
    this.rule = rule;
    for (Threshold threshold : rule.spec().thresholds()) {
      thresholds.put(threshold.name(), threshold.preset());
    }
  }

  Judged with(String threshold, double value) {
    assertThat(thresholds).containsKey(threshold);
    thresholds.put(threshold, value);
    return this;
  }

  List<Symptom> aws(NodeViews node) {
    return under(rule.spec().aws(), node);
  }

  List<Symptom> nvidia(NodeViews node) {
    return under(rule.spec().nvidia(), node);
  }

  List<Symptom> under(Call call, NodeViews node) {
    return rule.judge(named(node.view()), new RulePolicy(true, call, thresholds));
  }

  /** The agent reads for a rule what it names, and nothing else. */
  private NodeView named(NodeView view) {
    List<Metric> values =
        Stream.of(rule.needs(), rule.reads(), rule.trends()).flatMap(List::stream).toList();
    List<GpuNow> gpus =
        view.gpus().stream()
            .map(
                gpu ->
                    new GpuNow(
                        gpu.uuid(),
                        gpu.index(),
                        gpu.pci(),
                        gpu.state(),
                        gpu.reason(),
                        metric -> gpu.values().all(namedBy(values, metric))))
            .toList();
    return new NodeView(
        view.now(),
        view.node(),
        view.driver(),
        view.agent(),
        gpus,
        view.history(),
        (gpu, metric, labels, window) ->
            view.trends().increase(gpu, namedBy(rule.trends(), metric), labels, window));
  }

  private Metric namedBy(List<Metric> metrics, Metric metric) {
    assertThat(metrics).as("%s names what it reads", rule.spec().name()).contains(metric);
    return metric;
  }

  /** The one symptom there is under both profiles, as {@code aws} sees it. */
  Symptom one(NodeViews node) {
    assertThat(nvidia(node)).hasSize(1);
    List<Symptom> found = aws(node);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  Symptom oneForNvidia(NodeViews node) {
    List<Symptom> found = nvidia(node);
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  String what(NodeViews node) {
    return one(node).what();
  }

  void silent(NodeViews node) {
    assertThat(aws(node)).isEmpty();
    assertThat(nvidia(node)).isEmpty();
  }
}
