package io.lapwing.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of the chart that a release has, made without Helm. */
class HelmArchiveTest {

  /** Its {@code lapwing migrate names} translates rules and dashboards. */
  private static final Path DIST =
      Path.of(System.getProperty("lapwing.dist", "../../agent/target/dist")).toAbsolutePath();

  private static final Pattern OWN_NAMES =
      Pattern.compile("DCGM_FI_DEV_(GPU_UTIL|POWER_USAGE|FB_USED)\\b");

  @Test
  void helmReadsTheArchiveAsTheFolder(@TempDir Path dir) throws Exception {
    Path archive = archive(dir, "1.2.3");

    assertThat(withoutVersion(rendered(archive))).isEqualTo(withoutVersion(rendered(Chart.FOLDER)));
    JsonNode chart = Chart.YAML.readTree(new Helm(archive).show().chart().call());
    assertThat(chart.path("version").asText()).isEqualTo("1.2.3");
    assertThat(chart.path("appVersion").asText()).isEqualTo("1.2.3");
  }

  @Test
  void rulesAndDashboardsOfTheArchiveHaveTheNamesThatLapwingHas(@TempDir Path dir)
      throws Exception {
    Helm chart = new Helm(archive(dir, "1.2.3"));

    String classic = monitoring(chart, "classic-hostname");
    assertThat(monitoring(chart, "classic\\,4.9")).isEqualTo(classic);
    assertThat(classic)
        .contains("DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_POWER_USAGE")
        .doesNotContain("DCGM_FI_DEV_GPU_UTIL_RATIO");
    String translated = monitoring(chart, "4.9");
    String dcgm = "\"release-name-lapwing-dcgm\"";
    assertThat(translated.lines().filter(line -> !line.contains(dcgm)))
        .anyMatch(line -> line.contains("DCGM_FI_DEV_GPU_UTIL_RATIO"))
        .anyMatch(line -> line.contains("DCGM_FI_DEV_BOARD_POWER_WATTS"))
        .noneMatch(OWN_NAMES.asPredicate());
    // Of nodes with another exporter, whatever names Lapwing has.
    assertThat(translated.lines().filter(line -> line.contains(dcgm)))
        .singleElement()
        .satisfies(rules -> assertThat(rules).containsPattern("DCGM_FI_DEV_XID_ERRORS\\b"));
    assertThat(names(translated)).isEqualTo(names(classic));
  }

  /** The rules and the dashboards for these names. */
  private static String monitoring(Helm chart, String names) throws IOException {
    List<JsonNode> objects =
        Chart.objects(
            chart
                .template()
                .withKubeVersion("1.25.0")
                .set("countNodes", false)
                .set("prometheusRule.enabled", true)
                .set("prometheusRule.dcgm", true)
                .set("dashboards.enabled", true)
                .set("config.gpu\\.names", names));
    return objects.stream()
        .filter(one -> !one.path("data").has("lapwing.yml"))
        .filter(one -> Set.of("PrometheusRule", "ConfigMap").contains(one.path("kind").asText()))
        .map(JsonNode::toString)
        .collect(Collectors.joining("\n"));
  }

  private static List<String> names(String objects) {
    return Pattern.compile("\"metadata\":\\{\"name\":\"([^\"]+)")
        .matcher(objects)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private static Path archive(Path dir, String version) throws IOException, InterruptedException {
    assumeThat(DIST.resolve("lapwing-agent.jar")).as("./lapwing build makes it").exists();
    ProcessBuilder archive =
        new ProcessBuilder("helm/archive", dir.toString(), version).redirectErrorStream(true);
    archive.environment().put("LAPWING_DIST", DIST.toString());
    Process made = archive.start();
    String output = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(made.waitFor()).as(output).isZero();
    return dir.resolve("lapwing-" + version + ".tgz");
  }

  /** Everything once, with the rules and dashboards that are links in the folder. */
  private static List<JsonNode> rendered(Path chart) throws IOException {
    return Chart.objects(
        new Helm(chart)
            .template()
            .withKubeVersion("1.25.0")
            .withName("lapwing")
            .withNamespace("monitoring")
            .set("countNodes", false)
            .withValuesFile(Chart.FOLDER.resolve("ci/everything-values.yaml")));
  }

  private static String withoutVersion(List<JsonNode> objects) {
    assertThat(objects).hasSizeGreaterThan(10);
    return objects.toString().replaceAll("(lapwing[-:])?(0\\.1\\.0|1\\.2\\.3)", "VERSION");
  }
}
