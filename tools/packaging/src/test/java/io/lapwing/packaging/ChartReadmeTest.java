package io.lapwing.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChartReadmeTest {

  private static final Path CHART = Path.of("helm/lapwing");
  private static final String START =
      "<!-- Values: generated from values.yaml, with -Dgolden.update. -->\n";

  /** Parts of values.yaml that are another program's file, and Helm's own values. */
  private static final Set<String> FREE = Set.of("global", "web.config", "drain.web.config");

  @Test
  void theTableOfValuesIsThatOfTheFile() throws IOException {
    Path file = CHART.resolve("README.md");
    String text = Files.readString(file);
    String head = text.substring(0, text.indexOf(START) + START.length());
    String expected =
        head + "\n" + ChartReadme.table(Files.readAllLines(CHART.resolve("values.yaml")));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(file, expected);
    }

    assertThat(Files.readString(file)).isEqualTo(expected);
  }

  @Test
  void everyValueThatTheSchemaPermitsIsInTheTable() throws IOException {
    JsonNode schema = Chart.YAML.readTree(CHART.resolve("values.schema.json").toFile());
    String readme = Files.readString(CHART.resolve("README.md"));
    List<String> values = new ArrayList<>();
    collect(schema, "", values);

    assertThat(values).hasSizeGreaterThan(80);
    assertThat(values)
        .allSatisfy(value -> assertThat(readme).containsPattern("\\| `" + value + "[`.]"));
  }

  /** The values without others below them. */
  private static void collect(JsonNode schema, String path, List<String> values) {
    if (FREE.contains(path)) {
      return;
    }
    JsonNode properties = schema.path("properties");
    if (properties.isEmpty() && !path.isEmpty()) {
      values.add(path);
    }
    properties
        .properties()
        .forEach(
            one ->
                collect(
                    one.getValue(),
                    path.isEmpty() ? one.getKey() : path + "." + one.getKey(),
                    values));
  }
}
