package io.lapwing.agent.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.NameGeneration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The label of the host is renamed where it is that of DCGM's series, and only there. */
class HostnameTest {

  private static final Translation TO_NEW = new Translation(NameGeneration.V4_9);
  private static final Translation TO_CLASSIC = new Translation(NameGeneration.CLASSIC);

  private static void stays(Translation translation, String file, String... warnings) {
    Translation.Result result = translation.translate(file);
    assertThat(result.text()).isEqualTo(file);
    assertThat(result.warnings()).containsExactly(warnings);
  }

  private static String joined(int line, String label, String series, String dcgm) {
    return "%d: the label %s stays: %s may have it; DCGM's series have %s, and a join by it needs the same label on both sides"
        .formatted(line, label, series, dcgm);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (Hostname) (my_app_up{Hostname=~'a.*'})",
        "cmdb_rack{Hostname='node-a'} == 0",
        "sum by (Hostname) (up) == 0",
        "label_replace(vector(1), 'Hostname', 'localhost', '', '')",
        "label_values(up{job='n'}, Hostname)",
      })
  void anExpressionWithoutDcgmsSeriesStaysBothWays(String expression) {
    stays(TO_NEW, "expr: " + expression + "\n");
    stays(TO_CLASSIC, "expr: " + expression.replace("Hostname", "hostname") + "\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DCGM_X * on (Hostname) group_left (rack) node_rack_info | node_rack_info",
        "max by (Hostname) (DCGM_X) > 80 and on (Hostname) up == 1 | up",
        "max by (Hostname) (DCGM_X) > on (Hostname) node:temp_limit | node:temp_limit",
        "node:DCGM_X:max{Hostname=~'$host'} | node:DCGM_X:max",
        "$metric{Hostname='a'} | other series",
      })
  void aJoinWithOtherSeriesStaysWithAWarningBothWays(String expression, String other) {
    stays(TO_NEW, "expr: " + expression + "\n", joined(1, "Hostname", other, "hostname"));
    stays(
        TO_CLASSIC,
        "expr: " + expression.replace("Hostname", "hostname") + "\n",
        joined(1, "hostname", other, "Hostname"));
  }

  @Test
  void aMatcherIsOfItsOwnSeries() {
    String rule =
        "expr: DCGM_X{Hostname='n'} and on (instance) cmdb_rack{Hostname='a'} or {__name__=~'DCGM_.*',Hostname='b'}\n";

    Translation.Result result = TO_NEW.translate(rule);

    assertThat(result.text())
        .isEqualTo(
            rule.replace("Hostname='n'", "hostname='n'").replace("Hostname='b'", "hostname='b'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count by (Hostname) (DCGM_X > bool 1 unless DCGM_Y offset 5m)",
        "max by (Hostname) (max_over_time(DCGM_X[$__range:1m])) == inf",
        "label_values(DCGM_X, Hostname)",
        "label_values({__name__='DCGM_X'}, Hostname)",
        "label_values(Hostname)",
      })
  void functionsKeywordsAndLabelsAreNoSeries(String expression) {
    String file = "- expr: DCGM_X\n- expr: " + expression + "\n";

    Translation.Result result = TO_NEW.translate(file);

    assertThat(result.text()).isEqualTo(file.replace("Hostname", "hostname"));
    assertThat(result.warnings()).isEmpty();
    assertThat(TO_CLASSIC.translate(result.text()).text()).isEqualTo(file);
  }

  @Test
  void aSeriesThatTheFileRecordsHasTheLabelOfWhatItIsRecordedFrom() {
    String dcgm =
        """
        - {alert: hot, expr: "max by (Hostname) (node:hot)"}
        - record: node:hot
          expr: max by (Hostname) (hot{Hostname="a"}) or node:hot
        - record: hot
          expr: DCGM_X
        """;
    String limit =
        """
        - record: node:limit
          expr: vector(80)
          labels:
            Hostname: node-a
        - expr: node:limit{Hostname="node-a"} > 1
        - expr: DCGM_X > on (Hostname) node:limit
        """;

    assertThat(TO_NEW.translate(dcgm).text()).isEqualTo(dcgm.replace("Hostname", "hostname"));
    assertThat(TO_NEW.translate(dcgm).warnings()).isEmpty();
    stays(TO_NEW, limit, joined(6, "Hostname", "node:limit", "hostname"));
  }

  @Test
  void aTemplateIsOfTheExpressionOfItsRule() {
    String rules =
        """
        rules:
        - expr: up == 0
          annotations:
            summary: '{{ $labels.Hostname }} of another'
        # between
        - annotations: {summary: '{{ $labels.Hostname }} of DCGM'}
          expr: DCGM_X > 90
        - expr: DCGM_X > 90 and on (instance) up
          summary: '{{ $labels.Hostname }} of both'
        """;

    Translation.Result result = TO_NEW.translate(rules);

    assertThat(result.text())
        .isEqualTo(rules.replace("Hostname }} of DCGM", "hostname }} of DCGM"));
    assertThat(result.warnings())
        .containsExactly("9: the label Hostname stays here: an expression reads other series, too");
  }

  @Test
  void aLegendIsOfItsTargetAndTheNameOfAFieldOfItsPanel() {
    String dashboard =
        """
        {"panels": [
          {"displayName": "${__field.labels.Hostname} of GPUs",
           "targets": [{"expr": "DCGM_X{a=\\"}\\"}", "legendFormat": "{{Hostname}} of GPUs"}]},
          {"displayName": "${__field.labels.Hostname}",
           "targets": [{"legendFormat": "{{Hostname}}", "expr": "up"}]}],
         "templating": [{"type": "datasource", "query": "prometheus"}]}
        """;

    Translation.Result result = TO_NEW.translate(dashboard);

    assertThat(result.text())
        .isEqualTo(
            dashboard
                .replace("Hostname} of GPUs", "hostname} of GPUs")
                .replace("Hostname}} of GPUs", "hostname}} of GPUs"));
    assertThat(result.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "inhibit_rules: [{equal: [Hostname, gpu]}]",
        "route: {receiver: r, group_by: [alertname, \"Hostname\"]}",
        "  - Hostname",
        "- {regex: Hostname, action: labeldrop}",
        "- regex: (pod|Hostname)",
        "- target_label: Hostname",
      })
  void listsOfLabelsInConfigurationStayWithAWarning(String line) {
    stays(
        TO_NEW,
        "one: 1\n" + line + "\n",
        "2: the label Hostname stays here; DCGM's series have hostname");
  }

  @Test
  void otherTextIsNoListOfLabels() {
    assertThat(
            List.of("# Hostname", "summary: a, Hostname of it", "regex: Hostname.+", "a: Hostname"))
        .allSatisfy(line -> stays(TO_NEW, line + "\n"));
  }
}
