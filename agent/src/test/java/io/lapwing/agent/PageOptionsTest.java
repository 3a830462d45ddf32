package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.sources.VirtualClock;
import io.lapwing.metric.Metric;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What flags make of the page. */
class PageOptionsTest {

  private static final Path DASHBOARD = Recorded.file("dcgm-exporter/dashboard-12239.json");

  private static Set<String> families(GoldenNode node) {
    return node.agent().page().families().stream()
        .map(TextPage.Family::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<TextPage.Sample> dcgm(TextPage page) {
    return page.samples().filter(sample -> sample.name().startsWith("DCGM_")).toList();
  }

  @Test
  void leanLabelsKeepEverySeriesApartByGpuAndUuidAlone(@TempDir Path full, @TempDir Path lean)
      throws Exception {
    try (GoldenNode all = GoldenNode.healthy(full, 2);
        GoldenNode few = GoldenNode.healthy(lean, 2, "--labels=lean")) {
      TextPage page = few.agent().page();

      assertThat(dcgm(page))
          .hasSameSizeAs(dcgm(all.agent().page()))
          .allSatisfy(
              sample ->
                  assertThat(sample.labels())
                      .containsKeys("gpu", "UUID")
                      .doesNotContainKeys("pci_bus_id", "device", "modelName", "Hostname"));
      assertThat(page.samples("lapwing_gpu_info"))
          .allSatisfy(info -> assertThat(info.labels()).containsKeys("pci_bus_id", "name"));
      assertThat(lettersOfDcgm(few)).isLessThan(lettersOfDcgm(all) * 4 / 5);
    }
  }

  private static int lettersOfDcgm(GoldenNode node) {
    String page = new String(node.agent().bytes(PageFormat.TEXT_0_0_4), StandardCharsets.UTF_8);
    return page.lines().filter(line -> line.contains("DCGM_")).mapToInt(String::length).sum();
  }

  @Test
  void theHostnameLabelCanBeSpelledAsNewerExportersDoOrLeftOut(
      @TempDir Path lower, @TempDir Path none) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(lower, 1, "--gpu.hostname-label=hostname")) {
      assertThat(dcgm(node.agent().page()))
          .isNotEmpty()
          .allSatisfy(
              sample ->
                  assertThat(sample.labels())
                      .containsEntry("hostname", "node-1")
                      .doesNotContainKey("Hostname"));
    }
    try (GoldenNode node = GoldenNode.healthy(none, 1, "--gpu.hostname-label=none")) {
      assertThat(dcgm(node.agent().page()))
          .isNotEmpty()
          .allSatisfy(
              sample -> assertThat(sample.labels()).doesNotContainKeys("Hostname", "hostname"));
    }
  }

  @Test
  void aFieldFileChoosesTheFamiliesWithDcgmsNamesTheirTypesAndTheirHelp(@TempDir Path dir)
      throws Exception {
    Path fields = dir.resolve("fields.csv");
    Files.writeString(
        fields,
        """
        # Format, as dcgm-exporter's
        DCGM_FI_DEV_GPU_TEMP, gauge, "Temperature, said otherwise."
        DCGM_FI_DEV_BOARD_POWER_WATTS, gauge,
        DCGM_FI_DEV_XID_ERRORS, gauge, Last XID.
        DCGM_FI_DEV_SERIAL, label, Serial.
        DCGM_FI_DEV_FAN_SPEED, gauge, Not to be had.
        """);
    try (GoldenNode node = GoldenNode.healthy(dir.resolve("node"), 1, "--gpu.fields=" + fields)) {
      TextPage page = node.agent().page();

      assertThat(families(node))
          .filteredOn(name -> name.startsWith("DCGM_"))
          .containsExactly(
              "DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_POWER_USAGE", "DCGM_FI_DEV_XID_ERRORS");
      assertThat(page.family("DCGM_FI_DEV_GPU_TEMP"))
          .hasValueSatisfying(
              family -> assertThat(family.help()).isEqualTo("Temperature, said otherwise."));
      assertThat(dcgm(page))
          .allSatisfy(
              sample ->
                  assertThat(sample.labels()).containsEntry("DCGM_FI_DEV_SERIAL", "1650022000000"));
      assertThat(families(node)).contains("lapwing_gpu_sm_active_seconds_total", "lapwing_gpu_up");
      assertThat(node.agent().wiring().unavailableFields())
          .singleElement()
          .asString()
          .startsWith(fields + ":6: DCGM_FI_DEV_FAN_SPEED");
    }
  }

  @Test
  void aCollectorThatIsSwitchedOffLeavesNothingOnThePage(@TempDir Path dir) throws Exception {
    try (GoldenNode node =
        GoldenNode.healthy(dir, 1, "--no-collector.gpu_profiling", "--no-collector.gpu_p2p")) {
      assertThat(families(node))
          .noneMatch(name -> name.startsWith("DCGM_FI_PROF"))
          .doesNotContain("DCGM_EXP_P2P_STATUS", "lapwing_gpu_sm_active_seconds_total")
          .contains("DCGM_FI_DEV_GPU_TEMP");
      assertThat(node.agent().page().samples("lapwing_collector_success"))
          .extracting(sample -> sample.labels().get("collector"))
          .contains("gpu_temperature")
          .doesNotContain("gpu_profiling", "gpu_p2p");
      assertThat(node.agent().wiring().page().collectors())
          .doesNotContain("gpu_profiling", "gpu_p2p");
    }
  }

  @Test
  void withoutDefaultsOnlyWhatIsNamedIsRead(@TempDir Path dir) throws Exception {
    try (GoldenNode node =
        GoldenNode.healthy(
            dir,
            1,
            "--collector.disable-defaults",
            "--collector.gpu_temperature",
            "--collector.gpu_utilization")) {
      assertThat(families(node))
          .filteredOn(name -> name.startsWith("DCGM_"))
          .isNotEmpty()
          .allMatch(name -> name.contains("TEMP") || name.contains("UTIL"));
      assertThat(node.agent().page().value("lapwing_gpu_up")).hasValue(1.0);
      assertThat(families(node)).doesNotContain("lapwing_node_info", "DCGM_FI_DEV_XID_ERRORS");
    }
  }

  @Test
  void theDriverIsReadForItsGpusEvenWhereItIsNotShownItself(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 1, "--no-collector.gpu_driver")) {
      assertThat(families(node))
          .contains("DCGM_FI_DEV_GPU_TEMP", "lapwing_gpu_driver_up")
          .doesNotContain("lapwing_gpu_driver_info", "lapwing_gpus");
      assertThat(node.agent().page().value("lapwing_collector_success", "collector", "gpu_driver"))
          .isEmpty();
    }
  }

  @Test
  void anAgentWithoutAnyCollectorIsReadyAndHasAPageOfItself(@TempDir Path dir) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir, InstanceType.named("p5.48xlarge"));
    try (TestAgent agent = TestAgent.at(new VirtualClock(), node, "--collector.disable-defaults")) {
      assertThat(agent.wiring().poller().settled()).isTrue();
      assertThat(agent.page().families())
          .extracting(TextPage.Family::name)
          .contains("lapwing_build_info", "lapwing_page_series", "lapwing_node_verdict")
          .noneMatch(name -> name.startsWith("DCGM") || name.startsWith("lapwing_gpu"));
    }
  }

  @Test
  void theDashboardOfDcgmExporterFindsItsMetricsAndLabels(@TempDir Path dir) throws Exception {
    assumeTrue(Files.isReadable(DASHBOARD), "no recorded dashboard beside this repository");
    Set<String> expressions = new TreeSet<>();
    expressions(new ObjectMapper().readTree(DASHBOARD.toFile()), expressions);
    assertThat(expressions).hasSizeGreaterThan(5);

    try (GoldenNode node = GoldenNode.healthy(dir, 1)) {
      TextPage page = node.agent().page();
      assertThat(expressions)
          .allSatisfy(
              expression -> {
                String metric = first("DCGM_[A-Z0-9_]+", expression);
                assertThat(page.samples(metric)).as(expression).isNotEmpty();
                // Prometheus itself adds instance.
                Set<String> labels = labels(expression);
                labels.remove("instance");
                assertThat(page.samples(metric).get(0).labels().keySet()).containsAll(labels);
              });
    }
  }

  private static void expressions(JsonNode node, Set<String> into) {
    for (String key : List.of("expr", "query", "definition")) {
      String text = node.path(key).asText("");
      if (text.contains("DCGM_")) {
        into.add(text);
      }
    }
    node.forEach(child -> expressions(child, into));
  }

  private static String first(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .findFirst()
        .orElseThrow();
  }

  /** Those of matchers, and the second argument of label_values. */
  private static Set<String> labels(String expression) {
    return Pattern.compile("([a-zA-Z_]+)(?==~?\")|(?<=, )[a-zA-Z_]+(?=\\))")
        .matcher(expression)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void promtoolAcceptsOurOwnNames(@TempDir Path dir) throws Exception {
    Path promtool = Path.of("/usr/bin/promtool");
    assumeTrue(Files.isExecutable(promtool), "promtool is not installed");
    try (GoldenNode node = GoldenNode.broken(dir, "--labels=full")) {
      Path page = dir.resolve("page");
      Files.write(page, node.agent().bytes(PageFormat.TEXT_0_0_4));
      Process check =
          new ProcessBuilder(promtool.toString(), "check", "metrics")
              .redirectInput(page.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      check.waitFor();

      // DCGM chooses its names; every complaint begins with the name that it is about.
      assertThat(said).doesNotContain("error while linting").doesNotContain("parse");
      assertThat(said.lines().map(line -> line.split(" ", 2)[0]))
          .isNotEmpty()
          .noneMatch(name -> name.startsWith("lapwing_"));
    }
  }

  @Test
  void everyFamilyOfTheCatalogueHasAHelpThatEndsInAFullStop() {
    assertThat(CollectorGroup.catalogue().metrics())
        .extracting(Metric::help)
        .allMatch(help -> help.endsWith("."));
  }
}
