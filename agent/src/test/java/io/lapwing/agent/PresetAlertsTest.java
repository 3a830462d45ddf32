package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.preset.Preset;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shipped alert rules over the pages of one node, healthy for ten minutes and broken from then
 * on, in each preset: promtool has one cluster for each, and the same alerts in all of them.
 */
class PresetAlertsTest {

  private static final Path RULES = Path.of("..", "alert-rules").toAbsolutePath().normalize();
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final int GPUS = 4;

  /** The pages of a node at one moment. */
  private static Map<Preset, Map<String, Double>> pages(GoldenNode node) {
    Map<Preset, Map<String, Double>> pages = new EnumMap<>(Preset.class);
    for (Preset preset : Preset.values()) {
      Map<String, Double> values = new TreeMap<>();
      TextPage.parse(node.agent().wiring().page().page(PageFormat.TEXT_0_0_4, preset))
          .samples()
          .forEach(sample -> values.put(scraped(sample, preset), sample.value()));
      values.put("up" + target(preset, Map.of()), 1.0);
      pages.put(preset, values);
    }
    return pages;
  }

  private static String scraped(TextPage.Sample sample, Preset preset) {
    return sample.name() + target(preset, sample.labels());
  }

  private static String target(Preset preset, Map<String, String> own) {
    Map<String, String> labels = new TreeMap<>(own);
    labels.putAll(Map.of("cluster", preset.text(), "instance", "node-1", "job", "lapwing"));
    return labels.entrySet().stream()
        .map(label -> label.getKey() + "=" + quoted(label.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  private static String number(double value) {
    return Double.isFinite(value)
        ? new BigDecimal(value).toPlainString()
        : Double.isNaN(value) ? "NaN" : value > 0 ? "Inf" : "-Inf";
  }

  /** Ten minutes of one value and an hour of the other, in promtool's notation; health goes on. */
  private static List<Map<String, String>> series(
      Map<String, Double> before, Map<String, Double> after) {
    Map<String, String> values = new LinkedHashMap<>();
    before.forEach((name, value) -> values.put(name, number(value) + "x9"));
    values.replaceAll((name, early) -> after.containsKey(name) ? early : early + " stale");
    after.forEach(
        (name, value) -> {
          String early = values.getOrDefault(name, "_x10");
          values.put(name, early + " " + number(value) + "x60");
        });
    values.replaceAll(
        (name, constant) ->
            name.startsWith("lapwing_health_evaluation_timestamp_seconds{") ? "0+60x70" : constant);
    return values.entrySet().stream()
        .map(one -> Map.of("series", one.getKey(), "values", one.getValue()))
        .toList();
  }

  private static Map<String, Object> expects(String expr, String at, List<?> samples) {
    return Map.of("expr", expr, "eval_time", at, "exp_samples", samples);
  }

  private static List<String> ruleFiles(List<String> folders) throws IOException {
    List<String> files = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> found = Files.list(RULES.resolve(folder))) {
        found
            .map(Path::toString)
            .filter(file -> file.endsWith(".yml"))
            .sorted()
            .forEach(files::add);
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({
    "'',LapwingCollectorFailing|LapwingGpuRecoveryAction|LapwingGpuRowRemapPending|LapwingNvlinkDown|LapwingSourceHung|LapwingStillFailing|LapwingXid",
    "core,LapwingNodeReplace|LapwingStillFailing"
  })
  void theSameAlertsFireInEachPreset(String set, String alerts, @TempDir Path dir)
      throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    Map<Preset, Map<String, Double>> healthy;
    try (GoldenNode node = GoldenNode.healthy(dir.resolve("healthy"), GPUS, "--metrics=full")) {
      healthy = pages(node);
    }
    Map<Preset, Map<String, Double>> broken;
    try (GoldenNode node = GoldenNode.broken(dir.resolve("broken"), "--metrics=full")) {
      broken = pages(node);
    }
    List<Map<String, String>> series = new ArrayList<>();
    for (Preset preset : Preset.values()) {
      series.addAll(
          series(
              Objects.requireNonNull(healthy.get(preset)),
              Objects.requireNonNull(broken.get(preset))));
    }
    List<Map<String, Object>> expected = new ArrayList<>();
    String firing =
        "count(count by (alertname) (ALERTS{alertstate=\"firing\", cluster=\"full\", alertname=~\"%s\"}))";
    Map<String, Object> each = Map.of("labels", "{}", "value", alerts.split("\\|").length);
    expected.add(expects(firing.formatted(alerts), "65m", List.of(each)));
    for (String at : List.of("9m", "11m", "15m", "30m", "65m")) {
      expected.add(expects("count without (cluster) (ALERTS{cluster!=\"\"}) != 3", at, List.of()));
    }
    Map<String, Object> test =
        Map.of("interval", "1m", "input_series", series, "promql_expr_test", expected);
    // To ask promtool for more by hand. JSON is YAML.
    Path kept = Files.createDirectories(Path.of("target", "presets").toAbsolutePath());
    Path file = kept.resolve(set.isEmpty() ? "detailed_test.yml" : set + "_test.yml");
    new ObjectMapper()
        .writeValue(
            file.toFile(),
            Map.of("rule_files", ruleFiles(List.of(set, "automation")), "tests", List.of(test)));

    Process promtool =
        new ProcessBuilder(PROMTOOL.toString(), "test", "rules", file.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(promtool.waitFor()).as(output).isZero();
  }
}
