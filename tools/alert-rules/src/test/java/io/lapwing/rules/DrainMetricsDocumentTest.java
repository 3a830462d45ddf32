package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/drain-metrics.md}, of which alerts and dashboards of the drain controller are. */
class DrainMetricsDocumentTest {

  private static final Path CODE = Shipped.ROOT.resolve("drain/src/main/java");
  private static final Pattern NAME = Pattern.compile("\"(lapwing_drain_[a-z_]+)\"");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(lapwing_drain_[a-z_]+)` \\|");

  private static Set<String> names(Pattern pattern, String text) {
    Set<String> names = new TreeSet<>();
    pattern.matcher(text).results().forEach(found -> names.add(found.group(1)));
    return names;
  }

  private static Set<String> inCode() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.walk(CODE)) {
      List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
      for (Path source : sources) {
        names.addAll(names(NAME, Files.readString(source)));
      }
    }
    return names;
  }

  @Test
  void itHasTheFamiliesOfTheControllerAndNoOthers() throws Exception {
    assumeTrue(
        Files.exists(CODE.resolve("io/lapwing/drain/app/StateCollector.java")),
        "the controller has no metrics yet");

    assertThat(names(ROW, Files.readString(Shipped.DOCS.resolve("drain-metrics.md"))))
        .isEqualTo(inCode());
  }
}
