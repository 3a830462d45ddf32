package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import io.lapwing.metric.MetricType;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class GpuRuleTest {

  private static final List<Metric> FAMILIES =
      Stream.of(DcgmMetrics.class, GpuMetrics.class)
          .flatMap(holder -> MetricCatalogue.of(holder).metrics().stream())
          .toList();

  private static Stream<Detection> detections(NodeSnapshots node) {
    return GpuRule.all().stream().flatMap(rule -> new RuleRun(rule).aws(node).stream());
  }

  @Test
  void aHealthyNodeHasNoDetections() {
    GpuRule.all().forEach(rule -> new RuleRun(rule).silent(healthy()));
  }

  @Test
  void eachRuleHasAName() {
    assertThat(GpuRule.all())
        .extracting(rule -> rule.spec().name())
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("[a-z]+(_[a-z]+)*"));
  }

  @Test
  void eachSpecIsComplete() {
    for (HealthRule rule : GpuRule.all()) {
      RuleSpec spec = rule.spec();
      assertThat(List.of(spec.about(), spec.why())).as(spec.name()).allMatch(this::isSentence);
      assertThat(spec.document()).as(spec.name()).isNotBlank();
      assertThat(spec.thresholds())
          .as(spec.name())
          .allMatch(
              threshold ->
                  threshold.least() <= threshold.preset()
                      && threshold.preset() <= threshold.most()
                      && isSentence(threshold.about()));
    }
  }

  private boolean isSentence(String text) {
    return text.matches("[A-Z].*[^ ]\\.");
  }

  @Test
  void whatIsRecordedOverTimeAreCounters() {
    for (HealthRule rule : GpuRule.all()) {
      assertThat(rule.spec().trends())
          .as(rule.spec().name())
          .extracting(Metric::type)
          .allMatch(MetricType.COUNTER::equals);
    }
  }

  @Test
  void eachDetectionHasTheNameOfItsRule() {
    for (HealthRule rule : GpuRule.all()) {
      for (int seed = 0; seed < 50; seed++) {
        assertThat(new RuleRun(rule).aws(anything(new Random(seed))))
            .extracting(Detection::rule)
            .allMatch(rule.spec().name()::equals);
      }
    }
  }

  /** Only the rule on missing values may have a finding, and never a failing one. */
  @Property(tries = 200)
  void missingValuesAreNoFault(@ForAll long seed) {
    Random random = new Random(seed);
    NodeSnapshots node = healthy();
    for (int gpu = 0; gpu < 8; gpu++) {
      for (Metric family : FAMILIES) {
        if (random.nextInt(4) == 0) {
          node.without(gpu, family);
        }
      }
    }
    assertThat(detections(node))
        .allSatisfy(
            detection -> {
              assertThat(detection.rule()).isEqualTo("gpu_blind");
              assertThat(detection.disposition().severity()).isEqualTo(Severity.UNKNOWN);
            });
  }

  @Property(tries = 200)
  void anyValuesOfADriverAreEvaluatedAndGiveValidTexts(@ForAll long seed) {
    assertThat(detections(anything(new Random(seed))))
        .allSatisfy(
            detection -> {
              assertThat(detection.what()).doesNotContain("NaN", "null", "E9", ".0 ", "  ");
              assertThat(detection.what()).doesNotEndWith(".");
              assertThat(detection.why()).matches("[A-Z].*\\.");
              assertThat(detection.sources()).doesNotContain("");
            });
  }

  private static NodeSnapshots anything(Random random) {
    NodeSnapshots node = healthy();
    double[] values = {0, 1, 2, 3, 7, 16, 98, 512, 4096, 1e9, -5};
    for (int gpu = 0; gpu < 8; gpu++) {
      for (Metric family : FAMILIES) {
        if (family.labels().size() == 2 || family.name().startsWith("DCGM_FI_")) {
          node.value(gpu, family, values[random.nextInt(values.length)]);
          node.grew(gpu, family, Math.abs(values[random.nextInt(values.length)]));
        }
      }
      for (String reason : List.of("hw_slowdown", "hw_thermal", "hw_power_brake")) {
        node.value(gpu, GpuMetrics.CLOCK_EVENT_ACTIVE, random.nextInt(2), reason);
      }
    }
    return node;
  }
}
