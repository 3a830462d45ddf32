package io.lapwing.agent.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.gpu.NameGeneration;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameRulesTest {

  private static final Path RULES = Path.of("..", "alert-rules");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  @Test
  void theRecordingRulesAreThoseOfTheTable() throws Exception {
    isWritten("classic-from-4.9.yml", NameRules.classicFromNew());
    isWritten("4.9-from-classic.yml", NameRules.newFromClassic());
  }

  private static void isWritten(String name, String rules) throws Exception {
    Path file = RULES.resolve("names").resolve(name);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, rules);
    }
    assertThat(file).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(rules).isEqualTo(Files.readString(file));
  }

  /** The tests that the rules for dcgm-exporter pass as they are, with the names of 4.9. */
  @Test
  void theTranslatedRulesForDcgmExporterPassTheirTranslatedTests(@TempDir Path dir)
      throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    translate(RULES.resolve("dcgm").resolve("dcgm.yml"), dir.resolve("dcgm"));
    List<String> command = new ArrayList<>(List.of(PROMTOOL.toString(), "test", "rules"));
    try (Stream<Path> tests = Files.list(RULES.resolve("tests"))) {
      for (Path test : tests.filter(file -> file.toString().contains("dcgm_")).sorted().toList()) {
        command.add(translate(test, dir.resolve("tests")).toString());
      }
    }
    assertThat(command).hasSize(7);

    Process promtool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
  }

  private static Path translate(Path file, Path folder) throws Exception {
    String translated =
        new Translation(NameGeneration.V4_9).translate(Files.readString(file)).text();
    assertThat(translated).isNotEqualTo(Files.readString(file));
    return Files.writeString(
        Files.createDirectories(folder).resolve(file.getFileName()), translated);
  }
}
