package io.lapwing.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of the chart that a release has, made without Helm. */
class HelmArchiveTest {

  @Test
  void helmReadsTheArchiveAsTheFolder(@TempDir Path dir) throws Exception {
    Path archive = archive(dir, "1.2.3");

    assertThat(withoutVersion(rendered(archive))).isEqualTo(withoutVersion(rendered(Chart.FOLDER)));
    JsonNode chart = Chart.YAML.readTree(new Helm(archive).show().chart().call());
    assertThat(chart.path("version").asText()).isEqualTo("1.2.3");
    assertThat(chart.path("appVersion").asText()).isEqualTo("1.2.3");
  }

  private static Path archive(Path dir, String version) throws IOException, InterruptedException {
    Process made =
        new ProcessBuilder("helm/archive", dir.toString(), version)
            .redirectErrorStream(true)
            .start();
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
