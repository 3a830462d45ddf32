package io.lapwing.agent.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.NameGeneration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TranslationTest {

  private static final Translation TO_NEW = new Translation(NameGeneration.V4_9);
  private static final Translation TO_CLASSIC = new Translation(NameGeneration.CLASSIC);

  private static String expression(Translation translation, String expression) {
    String text = translation.translate("expr: " + expression + "\n").text();
    return text.substring("expr: ".length(), text.length() - 1);
  }

  private static List<String> warnings(String file) {
    return TO_NEW.translate(file).warnings();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "DCGM_FI_DEV_GPU_TEMP > 85 | DCGM_FI_DEV_GPU_TEMP_CELSIUS > 85",
        "DCGM_FI_DEV_GPU_UTIL > 80 | (DCGM_FI_DEV_GPU_UTIL_RATIO * 100) > 80",
        "max by (gpu) (DCGM_FI_DEV_FB_USED{a=\"x\"} offset 5m) | max by (gpu) ((DCGM_FI_DEV_FB_USED_BYTES{a=\"x\"} offset 5m / 1048576))",
        "rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[5m]) / 1000 | rate(DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL[5m])",
        "{__name__=\"DCGM_FI_DEV_GPU_UTIL\",gpu=\"0\"} > 80 | ({__name__=\"DCGM_FI_DEV_GPU_UTIL_RATIO\",gpu=\"0\"} * 100) > 80",
        "rate({\"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION\", gpu=\"0\"}[5m]) | (rate({\"DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL\", gpu=\"0\"}[5m]) * 1000)",
        "quantile_over_time(0.9, DCGM_FI_DEV_SM_CLOCK{a=\"x\"}[$__range]) | (quantile_over_time(0.9, DCGM_FI_DEV_SM_CLOCK_HERTZ{a=\"x\"}[$__range]) / 1000000)",
        "max_over_time(DCGM_FI_DEV_SM_CLOCK[1h:5m] offset 1d) | max_over_time((DCGM_FI_DEV_SM_CLOCK_HERTZ / 1000000)[1h:5m] offset 1d)",
        "DCGM_FI_DEV_FB_USED @ end() | (DCGM_FI_DEV_FB_USED_BYTES @ end() / 1048576)",
        "up * on (gpu) group_left DCGM_FI_DEV_FB_USED | up * on (gpu) group_left () (DCGM_FI_DEV_FB_USED_BYTES / 1048576)",
        "a unless on (gpu) DCGM_FI_DEV_FB_USED | a unless on (gpu) (DCGM_FI_DEV_FB_USED_BYTES / 1048576)",
        "x + DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL | x + (DCGM_FI_DEV_NVLINK_THROUGHPUT_BYTES_PER_SECOND / 1000000)",
        "rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[${w:raw}]) | (rate(DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL[${w:raw}]) * 1000)",
        "rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[[[w:raw]]]) | (rate(DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL[[[w:raw]]]) * 1000)",
        "max_over_time(DCGM_FI_DEV_SM_CLOCK[${w:raw}:$s]) | max_over_time((DCGM_FI_DEV_SM_CLOCK_HERTZ / 1000000)[${w:raw}:$s])",
        "DCGM_FI_DEV_FB_USED @ -1.5 offset -(5m) > 1 | (DCGM_FI_DEV_FB_USED_BYTES @ -1.5 offset -(5m) / 1048576) > 1",
        "timestamp(DCGM_FI_DEV_FB_USED > 1 and up) | timestamp((DCGM_FI_DEV_FB_USED_BYTES / 1048576) > 1 and up)",
        "DCGM_FI_PROF_PCIE_TX_BYTES | DCGM_FI_PROF_PCIE_TX_BYTES",
      })
  void anExpressionKeepsItsValue(String classic, String translated) {
    assertThat(expression(TO_NEW, classic)).isEqualTo(translated);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "absent(DCGM_FI_DEV_FB_USED) | absent(DCGM_FI_DEV_FB_USED_BYTES)",
        "changes(DCGM_FI_DEV_FB_USED[1h]) | changes(DCGM_FI_DEV_FB_USED_BYTES[1h])",
        "timestamp(DCGM_FI_DEV_FB_USED offset 5m) | timestamp(DCGM_FI_DEV_FB_USED_BYTES offset 5m)",
        "absent(DCGM_FI_DEV_FB_USED{a=\"x\"} offset 5m) | absent(DCGM_FI_DEV_FB_USED_BYTES{a=\"x\"} offset 5m)",
        "timestamp(DCGM_FI_DEV_FB_USED @ end() offset -5m) | timestamp(DCGM_FI_DEV_FB_USED_BYTES @ end() offset -5m)",
        "absent((DCGM_FI_DEV_FB_USED{a=\"x\"} @ 1.5)) | absent((DCGM_FI_DEV_FB_USED_BYTES{a=\"x\"} @ 1.5))",
        "changes(DCGM_FI_DEV_FB_USED[1h] offset 5m) | changes(DCGM_FI_DEV_FB_USED_BYTES[1h] offset 5m)",
        "label_values(DCGM_FI_DEV_FB_USED{Hostname=\"n\"}, Hostname) | label_values(DCGM_FI_DEV_FB_USED_BYTES{hostname=\"n\"}, hostname)",
      })
  void noFactorWhereTheResultHasNoUnit(String classic, String translated) {
    assertThat(expression(TO_NEW, classic)).isEqualTo(translated);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "(DCGM_FI_DEV_GPU_UTIL / 100) > 0.8 | DCGM_FI_DEV_GPU_UTIL_RATIO > 0.8",
        "avg(DCGM_FI_DEV_GPU_UTIL / 100) | avg(DCGM_FI_DEV_GPU_UTIL_RATIO)",
        "avg by (gpu) (DCGM_FI_DEV_GPU_UTIL / 100) | avg by (gpu) (DCGM_FI_DEV_GPU_UTIL_RATIO)",
        "(DCGM_FI_DEV_FB_USED * 1048576) | DCGM_FI_DEV_FB_USED_BYTES",
        "DCGM_FI_DEV_FB_USED * 1048576 > 1 | DCGM_FI_DEV_FB_USED_BYTES > 1",
        "DCGM_FI_DEV_SM_CLOCK{gpu=~\"$gpu\"} * 1000000 | DCGM_FI_DEV_SM_CLOCK_HERTZ{gpu=~\"$gpu\"}",
        "DCGM_FI_DEV_GPU_UTIL / 100 | DCGM_FI_DEV_GPU_UTIL_RATIO",
        "1 > bool -DCGM_FI_DEV_FB_USED * 1048576 / 3 | 1 > bool -DCGM_FI_DEV_FB_USED_BYTES / 3",
        "a{x=\"y\"} - DCGM_FI_DEV_GPU_UTIL / 100 | a{x=\"y\"} - DCGM_FI_DEV_GPU_UTIL_RATIO",
        "a and DCGM_FI_DEV_GPU_UTIL offset 5m / 100 | a and DCGM_FI_DEV_GPU_UTIL_RATIO offset 5m",
      })
  void aConversionThatIsThereIsRemoved(String classic, String translated) {
    assertThat(expression(TO_NEW, classic)).isEqualTo(translated);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a / %s * 1048576",
        "a ^ -%s * 1048576",
        "a * on (gpu) -%s * 1048576",
        "a * on (gpu) group_left () %s * 1048576",
        "%s * 1048576 ^ 2",
        "%s * 1048576.5",
        "1048576 * %s",
      })
  void aFactorThatBindsAnotherOperandStays(String use) {
    assertThat(expression(TO_NEW, use.formatted("DCGM_FI_DEV_FB_USED")))
        .isEqualTo(use.formatted("(DCGM_FI_DEV_FB_USED_BYTES / 1048576)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max by (Hostname) (DCGM_FI_DEV_GPU_TEMP{Hostname=~\"$n\", DCGM_FI_DRIVER_VERSION!=\"\"})",
        "sum by (Hostname) (rate(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION[5m])) / 1000",
        "DCGM_FI_DEV_FB_USED / (DCGM_FI_DEV_FB_USED + DCGM_FI_DEV_FB_FREE)",
        "avg(DCGM_FI_DEV_GPU_UTIL) or on (gpu) DCGM_FI_DEV_MEM_COPY_UTIL",
        "label_replace(DCGM_FI_DEV_GPU_TEMP, \"node\", \"$1\", \"Hostname\", \"(.+)\")",
      })
  void andBackIsTheSame(String classic) {
    String translated = expression(TO_NEW, classic);

    assertThat(translated).isNotEqualTo(classic).doesNotContain("Hostname");
    assertThat(expression(TO_CLASSIC, translated)).isEqualTo(classic);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "label_replace(DCGM_FI_DEV_FB_USED, \"f\", \"$1\", \"__name__\", \"(.*)\")",
        "label_join(DCGM_FI_DEV_GPU_TEMP, \"f\", \"-\", \"gpu\", '__name__')",
        "max by (__name__, Hostname) (DCGM_FI_DEV_FB_USED or DCGM_FI_DEV_FB_FREE)",
      })
  void anExpressionThatShowsTheNameOfAFamilyStaysWithAWarning(String classic) {
    assertThat(expression(TO_NEW, classic)).isEqualTo(classic);
    assertThat(warnings("one: 1\nexpr: " + classic + "\n"))
        .containsExactly(
            "2: the expression stays: it uses __name__, which would be another name of the family");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s{role=\"Hostname\"} > 80",
        "%s{role!~'Hostname'}",
        "label_replace(%s, \"kind\", \"Hostname\", \"gpu\", \".*\")",
        "label_replace(%s, \"kind\", \"$1\", \"gpu\", \"Hostname\")",
        "label_join(%s, \"kind\", \"Hostname\", \"gpu\", \"device\")",
      })
  void aTextThatIsNoNameOfALabelStays(String use) {
    assertThat(expression(TO_NEW, use.formatted("DCGM_FI_DEV_GPU_TEMP")))
        .isEqualTo(use.formatted("DCGM_FI_DEV_GPU_TEMP_CELSIUS"));
  }

  @Test
  void anExpressionForBothSpellingsOfTheHostStays() {
    String both =
        "label_replace(DCGM_FI_DEV_ECC_MODE, \"hostname\", \"$1\", \"Hostname\", \"(.+)\")";

    assertThat(expression(TO_NEW, both)).isEqualTo(both);
    assertThat(warnings("expr: " + both + "\n")).isEmpty();
  }

  @Test
  void theGenerationBetweenHasClassicNamesAndTheLowerLabel() {
    Translation between = new Translation(NameGeneration.CLASSIC_HOSTNAME);

    assertThat(expression(between, "max by (Hostname) (DCGM_FI_DEV_GPU_TEMP_CELSIUS)"))
        .isEqualTo("max by (hostname) (DCGM_FI_DEV_GPU_TEMP)");
  }

  @Test
  void aDashboardChangesOnlyWhereItNamesSeriesAndLabels() {
    String dashboard =
        """
        {"panels": [{"title": "GPU of Hostname",
          "targets": [{"expr": "max(DCGM_FI_DEV_FB_USED{Hostname=\\"n\\"})  #\\t\\u00e9\\n",
            "legendFormat": "{{ Hostname }} {{gpu}}"}],
          "options": ["DCGM_FI_DEV_GPU_TEMP"]}]}
        """;

    Translation.Result result = TO_NEW.translate(dashboard);

    assertThat(result.text())
        .isEqualTo(
            dashboard
                .replace(
                    "DCGM_FI_DEV_FB_USED{Hostname=\\\"n\\\"}",
                    "(DCGM_FI_DEV_FB_USED_BYTES{hostname=\\\"n\\\"} / 1048576)")
                .replace("{{ Hostname }}", "{{ hostname }}")
                .replace("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_TEMP_CELSIUS"));
    assertThat(result.warnings()).isEmpty();
    assertThat(TO_CLASSIC.translate(result.text()).text()).isEqualTo(dashboard);
  }

  @Test
  void aRuleFileKeepsItsCommentsAndLayout() {
    String rules =
        """
        groups:
          - name: one   # DCGM_FI_DEV_GPU_TEMP is hot
            rules:
              - alert: Full
                expr: |
                  # in MiB
                  DCGM_FI_DEV_FB_FREE
                    < 1024

                for: 5m
                annotations:
                  description: '{{ $labels.Hostname }}: {{ $value }} MiB'
              - record: "b"
                expr: 'sum(DCGM_FI_DEV_SM_CLOCK{a=''x''})'
              - {record: c, expr: "avg(DCGM_FI_DEV_GPU_UTIL)"}
              - {expr: -DCGM_FI_DEV_ENC_UTIL / 10, record: e}
              - record: d
                expr: avg(
                  DCGM_FI_DEV_DEC_UTIL)
        """;

    Translation.Result result = TO_NEW.translate(rules);

    assertThat(result.text())
        .isEqualTo(
            rules
                .replace("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_TEMP_CELSIUS")
                .replace("DCGM_FI_DEV_FB_FREE", "(DCGM_FI_DEV_FB_FREE_BYTES / 1048576)")
                .replace("$labels.Hostname", "$labels.hostname")
                .replace(
                    "DCGM_FI_DEV_SM_CLOCK{a=''x''}",
                    "(DCGM_FI_DEV_SM_CLOCK_HERTZ{a=''x''} / 1000000)")
                .replace("DCGM_FI_DEV_GPU_UTIL", "(DCGM_FI_DEV_GPU_UTIL_RATIO * 100)")
                .replace("DCGM_FI_DEV_ENC_UTIL", "(DCGM_FI_DEV_ENC_UTIL_RATIO * 100)")
                .replace("DCGM_FI_DEV_DEC_UTIL", "(DCGM_FI_DEV_DEC_UTIL_RATIO * 100)"));
    assertThat(result.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "expr: stdvar_over_time(DCGM_FI_DEV_FB_USED[1h]) | DCGM_FI_DEV_FB_USED changes its unit; this use of a range is not converted",
        "expr: DCGM_FI_DEV_$metric > 1 | the name DCGM_FI_DEV_$metric is made of a variable: its values may need other names, and conversions",
        "expr: '{__name__=~\"DCGM_FI_DEV_FB_USED\"}' | DCGM_FI_DEV_FB_USED changes its unit, and its name in a string is not converted",
        "series: DCGM_FI_DEV_FB_USED | DCGM_FI_DEV_FB_USED changes its unit, and this is not an expression",
        "expr: '{__name__=~\"DCGM_FI_DEV_FB_.*\"}' | the pattern \"DCGM_FI_DEV_FB_.*\" may need other names",
        "expr: DCGM_A{Hostname=\"\"} or DCGM_A{hostname=\"\"} | the label Hostname stays: both spellings are named",
      })
  void whatCannotBeConvertedIsAWarningWithItsLine(String line, String warning) {
    assertThat(warnings("one: 1\n" + line + "\n")).containsExactly("2: " + warning);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "- regex: DCGM_FI_DEV_[A-Z]+ | DCGM_FI_DEV_",
        "- match: '{x=~\"DCGM_FI_DEV_FB_.*\"}' | DCGM_FI_DEV_FB_",
      })
  void aPatternOfNamesIsNamed(String line, String start) {
    assertThat(warnings("one: 1\n" + line + "\n"))
        .containsExactly("2: the pattern " + start + "... may need other names");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# DCGM_FI_DEV_GPU_TEMP. More.",
        "# Why DCGM_FI_DEV_GPU_TEMP? See **DCGM_FI_DEV_GPU_TEMP**, rate(DCGM_FI_DEV_XID_ERRORS[5m])",
        "- regex: DCGM_FI_DEV_GPU_TEMP$",
        "- regex: DCGM_FI_DEV_VGPU_(TX|RX)",
        "- regex: DCGM_FI_DEV_GPU_TEMP"
      })
  void othersAreNoPatternOfARenamedFamily(String line) {
    assertThat(warnings(line + "\n")).isEmpty();
  }

  @Test
  void aHelmTemplateOfRulesIsYaml() {
    String rules = "{{- if .Values.rules }}\n- expr: DCGM_FI_DEV_FB_USED > 70000\n{{- end }}\n";

    assertThat(TO_NEW.translate(rules).text())
        .isEqualTo(rules.replace("DCGM_FI_DEV_FB_USED", "(DCGM_FI_DEV_FB_USED_BYTES / 1048576)"));
  }

  @Test
  void aDashboardInAConfigMapIsTranslated() {
    String map =
        """
        kind: ConfigMap
        data:
          query-stats.json: |
            {"targets": [
              {"expr": "sum by (Hostname) (DCGM_FI_DEV_FB_USED{a=\\"x\\"})", "legendFormat": "{{Hostname}}"}]}
        """;

    assertThat(TO_NEW.translate(map).text())
        .isEqualTo(
            map.replace("Hostname", "hostname")
                .replace(
                    "DCGM_FI_DEV_FB_USED{a=\\\"x\\\"}",
                    "(DCGM_FI_DEV_FB_USED_BYTES{a=\\\"x\\\"} / 1048576)"));
  }

  @Test
  void aCompactDashboardInAConfigMapIsTranslated() {
    String map =
        "kind: ConfigMap\ndata:\n  a.json: |-\n    {\"expr\":\"DCGM_FI_DEV_FB_USED > 1\",\"query\":"
            + "\"Hostname,gpu\",\"byField\":\"Hostname\"}\n  b.yaml: |\n    - expr: DCGM_FI_DEV_FB_FREE\n";

    assertThat(TO_NEW.translate(map).text())
        .isEqualTo(
            map.replace("Hostname", "hostname")
                .replace("DCGM_FI_DEV_FB_USED", "(DCGM_FI_DEV_FB_USED_BYTES / 1048576)")
                .replace("DCGM_FI_DEV_FB_FREE", "(DCGM_FI_DEV_FB_FREE_BYTES / 1048576)"));
  }

  @Test
  void aDashboardInATemplateIsJson() {
    String raw =
        "{% raw %}\n{\"expr\": \"DCGM_FI_DEV_FB_USED\", \"x\": \"{{Hostname}}\"}\n{% endraw %}\n";

    assertThat(TO_NEW.translate(raw).text())
        .isEqualTo(
            raw.replace("DCGM_FI_DEV_FB_USED", "(DCGM_FI_DEV_FB_USED_BYTES / 1048576)")
                .replace("Hostname", "hostname"));
  }

  @Test
  void aListOfNamesForAVariableHasNoArithmetic() {
    Translation.Result result =
        TO_NEW.translate(
            "{\"type\": \"custom\", \"query\": \"DCGM_FI_DEV_GPU_UTIL,DCGM_FI_DEV_GPU_TEMP\"}");

    assertThat(result.text())
        .contains("\"DCGM_FI_DEV_GPU_UTIL_RATIO,DCGM_FI_DEV_GPU_TEMP_CELSIUS\"");
    assertThat(result.warnings())
        .containsExactly("1: DCGM_FI_DEV_GPU_UTIL changes its unit, and this is not an expression");
  }

  @Test
  void aCodePointByNumberEndsAName() {
    assertThat(TO_NEW.translate("{\"expr\": \"DCGM_FI_DEV_XID_ERRORS\\u003e0\"}").text())
        .isEqualTo("{\"expr\": \"DCGM_FI_DEV_XID_ERROR\\u003e0\"}");
  }

  @Test
  void theHostIsRenamedInJoinsLinksAndPatternsOfADashboard() {
    String dashboard =
        "{\"expr\": \"max by (Hostname) (DCGM_FI_DEV_GPU_TEMP)\", \"byField\": \"Hostname\","
            + " \"displayName\": \"${__field.labels.Hostname}\","
            + " \"regex\": \"/Hostname=\\\"([^\\\"]+)/\", \"title\": \"Hostname=x\"}";

    assertThat(TO_NEW.translate(dashboard).text())
        .isEqualTo(
            dashboard
                .replace("Hostname", "hostname")
                .replace("hostname=x", "Hostname=x")
                .replace("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_GPU_TEMP_CELSIUS"));
  }

  @Test
  void aTemplateWhoseLineHasTheWordIsTranslated() {
    String rules =
        """
        - expr: max by (Hostname) (DCGM_FI_DEV_GPU_TEMP)
          summary: 'hostname={{ $labels.Hostname }}'
        """;

    assertThat(TO_NEW.translate(rules).text()).contains("'hostname={{ $labels.hostname }}'");
  }

  @Test
  void aListOfNamesToKeepHasNoUnit() {
    Translation.Result result =
        TO_NEW.translate("- regex: \"\\\n    DCGM_FI_DEV_FB_USED|\\\n    up\"\n");

    assertThat(result.text()).contains("    DCGM_FI_DEV_FB_USED_BYTES|\\\n    up\"\n");
    assertThat(result.warnings()).isEmpty();
  }

  @Test
  void aRecordedSeriesKeepsItsNameWhereverItIsRead() {
    String rules =
        """
        - record: node:DCGM_FI_DEV_FB_USED:max
          expr: max(DCGM_FI_DEV_FB_USED)
        - expr: node:DCGM_FI_DEV_FB_USED:max > 70000
        - description: node:DCGM_FI_DEV_FB_USED:max of {{ $labels.gpu }}
        """;
    String dashboard =
        "{\"expr\": \"node:DCGM_FI_DEV_FB_USED:max\", \"x\": \"job:DCGM_FI_DEV_GPU_TEMP\"}";

    Translation.Result result = TO_NEW.translate(rules);

    assertThat(result.text())
        .isEqualTo(
            rules.replace("(DCGM_FI_DEV_FB_USED)", "((DCGM_FI_DEV_FB_USED_BYTES / 1048576))"));
    assertThat(result.warnings()).isEmpty();
    assertThat(TO_NEW.translate(dashboard).text()).isEqualTo(dashboard);
  }

  @Test
  void otherColonsArePartOfNoName() {
    assertThat(
            TO_NEW
                .translate("- regex: (?:DCGM_FI_DEV_GPU_TEMP|up)\n- x: DCGM_FI_DEV_GPU_TEMP: hot\n")
                .text())
        .isEqualTo(
            """
            - regex: (?:DCGM_FI_DEV_GPU_TEMP_CELSIUS|up)
            - x: DCGM_FI_DEV_GPU_TEMP_CELSIUS: hot
            """);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "expr:",
        "expr: (((DCGM_FI_DEV_FB_USED",
        "{\"expr\": \"DCGM_FI_DEV_FB_USED[",
        "expr: DCGM_FI_DEV_FB_USED offset",
        "expr: '"
      })
  void abrokenFileIsTranslatedAsFarAsItGoes(String file) {
    assertThat(TO_NEW.translate(file).text())
        .startsWith(file.isEmpty() ? "" : file.substring(0, 1));
  }

  /** Without the parentheses that a conversion gets where a factor without them was removed. */
  private static String withoutGroups(String file) {
    return file.replaceAll("\\((avg_over_time\\(DCGM_FI_DEV_GPU_UTIL\\[\\w+]\\) / 100)\\)", "$1");
  }

  static Stream<Path> shipped() throws IOException {
    return Stream.of("../alert-rules", "../grafana-dashboards")
        .flatMap(TranslationTest::files)
        .filter(file -> !file.toString().contains("names"));
  }

  private static Stream<Path> files(String folder) {
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      return files
          .filter(file -> file.toString().matches(".*\\.(yml|json)"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void ourOwnFilesComeBackAsTheyWere(Path file) throws IOException {
    String classic = Files.readString(file);

    Translation.Result translated = TO_NEW.translate(classic);

    assertThat(translated.text())
        .doesNotContainPattern("DCGM_FI_DEV_(GPU_TEMP|FB_USED|SM_CLOCK)\\b");
    assertThat(withoutGroups(TO_CLASSIC.translate(translated.text()).text()))
        .isEqualTo(withoutGroups(classic));
    if (!file.toString().contains("tests")) {
      assertThat(translated.warnings()).isEmpty();
    }
  }
}
