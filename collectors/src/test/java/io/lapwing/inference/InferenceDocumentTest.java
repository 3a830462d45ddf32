package io.lapwing.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class InferenceDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "inference.md");
  private static final String BEGIN = "<!-- table -->\n";
  private static final String END = "<!-- end of table -->";

  @Test
  void theDocumentedTableEqualsTheCode() throws Exception {
    String document = Files.readString(DOCUMENT);
    int from = document.indexOf(BEGIN) + BEGIN.length();
    int to = document.indexOf(END);
    if (Boolean.getBoolean("golden.update")) {
      document = document.substring(0, from) + table() + document.substring(to);
      Files.writeString(DOCUMENT, document);
      to = document.indexOf(END);
    }

    assertThat(document.substring(from, to)).isEqualTo(table());
  }

  @Test
  void theDocumentListsEveryPortAndPrefix() throws Exception {
    String document = Files.readString(DOCUMENT);

    assertThat(InferenceSource.DefaultPorts.ALL)
        .allSatisfy(port -> assertThat(document).contains(port.toString()));
    assertThat(Engine.PREFIXES)
        .allSatisfy(prefix -> assertThat(document).contains("`" + prefix + "`"));
  }

  private static String table() {
    StringBuilder table = new StringBuilder("| Lapwing | engine | its names | several are |\n");
    table.append("|---|---|---|---|\n");
    for (Measure measure : Measure.values()) {
      for (Engine engine : Engine.values()) {
        List<EngineSeries> names =
            EngineSeries.ALL.stream()
                .filter(series -> series.measure() == measure && series.engine() == engine)
                .toList();
        if (!names.isEmpty()) {
          table.append(row(measure, engine, names));
        }
      }
    }
    return table.toString();
  }

  private static String row(Measure measure, Engine engine, List<EngineSeries> names) {
    String theirs =
        names.stream()
            .map(series -> (series.choice() > 0 ? "else " : "") + "`" + series.name() + "`")
            .collect(Collectors.joining(", "));
    String fold =
        switch (names.get(0).fold()) {
          case SUM -> "sum";
          case MAX -> "most";
          case REPLICAS -> "sum of replicas";
        };
    return "| `%s` | %s | %s | %s |\n"
        .formatted(measure.metric().name(), engine.text(), theirs, fold);
  }
}
