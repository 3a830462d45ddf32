package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The shipped files equal the generated ones; {@code -Dgolden.update} rewrites them. */
class DashboardFilesTest {

  private static Map<String, String> shipped() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.list(Repository.DASHBOARDS)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        texts.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return texts;
  }

  @Test
  void theShippedFilesAreWhatTheCodeWrites() throws IOException {
    if (Boolean.getBoolean("golden.update")) {
      DashboardFiles.main(new String[] {Repository.DASHBOARDS.toString()});
    }

    assertThat(shipped()).isEqualTo(DashboardFiles.texts());
  }
}
