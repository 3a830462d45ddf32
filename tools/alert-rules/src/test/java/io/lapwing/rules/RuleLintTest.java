package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleLintTest {

  private static final Catalogue CATALOGUE = Catalogue.of(Shipped.ROOT);
  private static final RuleLint LINT = new RuleLint(CATALOGUE);

  private static final String GOOD =
      "max by (cluster, instance, action, severity) (lapwing_health_finding{rule=\"gpu_lost\"}) > 0";

  private static final Map<String, String> ANNOTATIONS =
      Map.of(
          "summary", "A GPU is lost.",
          "description", "{{ $labels.instance }}: look.",
          "runbook_url", RuleLint.RUNBOOKS + "LapwingSome.md",
          "affects", "{{ $labels.instance }}",
          "dashboard_url", RuleLint.DASHBOARDS + "lapwing-node",
          "ui_url", "http://{{ $labels.instance }}:9754/ui");

  private static Rule alert(
      String expr, Map<String, String> labels, Map<String, String> annotations) {
    return new Rule(
        "some.yml", "some", "LapwingSome", true, expr, Duration.ZERO, labels, annotations);
  }

  private static Map<String, String> annotated(String name, String text) {
    Map<String, String> annotations = new LinkedHashMap<>(ANNOTATIONS);
    annotations.put(name, text);
    return annotations;
  }

  @Test
  void aGoodAlertHasNoProblem() {
    assertThat(LINT.problems(alert(GOOD, Map.of("scope", "gpu"), ANNOTATIONS))).isEmpty();
  }

  @Test
  void aProblemNamesFileGroupAndRule() {
    assertThat(LINT.problems(alert("up +", Map.of("scope", "gpu"), ANNOTATIONS)))
        .singleElement()
        .asString()
        .startsWith("some.yml, group some, alert LapwingSome: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "lapwing_health_finding|no comparison",
        "sum by (instance, action, severity) (lapwing_health_finding == bool 1)|no comparison",
        "lapwing_health_finding > 0 or lapwing_health_finding|no comparison",
        "topk(3, lapwing_health_finding) > 0|depends on the other series",
        "up == 0|no label severity",
        "rate(DCGM_FI_DEV_GPU_TEMP[5m]) > 1|not a counter"
      })
  void reportsABadQuery(String expr, String problem) {
    assertThat(LINT.problems(alert(expr, Map.of("scope", "gpu"), ANNOTATIONS)))
        .anyMatch(line -> line.contains(problem));
  }

  @ParameterizedTest
  @CsvSource({
    "scope,gpus,scope is never gpus",
    "severity,page,severity is never page",
    "action,'{{ if $labels.x }}reboot{{ end }}',action is never reboot",
    "since,'{{ $value }}',changes with the value"
  })
  void reportsALabelOutsideTheAllowedSets(String label, String value, String problem) {
    Map<String, String> labels = new LinkedHashMap<>(Map.of("scope", "gpu"));
    labels.put(label, value);

    assertThat(LINT.problems(alert(GOOD, labels, ANNOTATIONS)))
        .anyMatch(line -> line.contains(problem));
  }

  @ParameterizedTest
  @CsvSource({
    "summary,'{{ $labels.instance }} is bad.',fixed sentence",
    "description,Something is bad.,does not name the node",
    "description,'{{ $labels.instance }} {{ $labels.gpu }}',$labels.gpu",
    "description,'{{ $labels.instance }}{{ range query `lapwing_nothing` }}{{ end }}',no series has",
    "dashboard_url,https://grafana/d/lapwing-node,dashboard is not below",
    "affects,'{{ range query `lapwing_nothing` }}{{ end }}',no series has",
    "runbook_url,https://lapwing.example/runbooks/Other.md,runbook is not"
  })
  void reportsABadAnnotation(String name, String text, String problem) {
    assertThat(LINT.problems(alert(GOOD, Map.of("scope", "gpu"), annotated(name, text))))
        .anyMatch(line -> line.contains(problem));
  }

  @Test
  void aQueryOfATemplateIsReadAsItWillBeAsked() {
    assertThat(
            new Template(
                    "{{ with printf \"up{job=%q,x=\\\"a\\\"}\" $labels.job | query }}{{ end }}"
                        + "{{ range $i, $f := query (printf `a{b=~\"%s.*\"}` $labels.b) }}{{ end }}")
                .queries())
        .isEqualTo(List.of("up{job=\"x\",x=\"a\"}", "a{b=~\"x.*\"}"));
  }

  @Test
  void aRecordedSeriesIsNamedByLevelMetricAndOperation() {
    Rule rule =
        new Rule(
            "some.yml", "some", "lapwing_sum", false, "sum(up)", Duration.ZERO, Map.of(), Map.of());

    assertThat(LINT.problems(rule)).singleElement().asString().contains("level:metric:operation");
  }
}
