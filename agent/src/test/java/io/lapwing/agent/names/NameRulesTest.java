package io.lapwing.agent.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Rename;
import io.lapwing.gpu.NameGeneration;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NameRulesTest {

  private static final Path RULES = Path.of("..", "alert-rules");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final Translation TO_NEW = new Translation(NameGeneration.V4_9);

  private static final Pattern RENAMED =
      Pattern.compile(
          DcgmNames.SHIPPED.all().stream()
              .map(Rename::classic)
              .collect(Collectors.joining("|", "\\b(?:", ")\\b")));

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
  @Tag("slow")
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
    run(command);
  }

  /** A node whose page has only the names of 4.9, under Lapwing's own rules, translated. */
  @Test
  @Tag("slow")
  void theTranslatedRulesPassTheirTestsWithTheNamesAndUnitsOf49(@TempDir Path dir)
      throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    for (Path rules : yaml(RULES)) {
      write(TO_NEW.translate(Files.readString(rules)), rules, dir);
    }
    List<String> command = new ArrayList<>(List.of(PROMTOOL.toString(), "test", "rules"));
    for (Path test : yaml(RULES.resolve("tests"))) {
      String text = Files.readString(test);
      boolean own = !text.contains("../dcgm/") && !text.contains("../names/");
      if (own && RENAMED.matcher(text).find()) {
        write(TO_NEW.translate(ValuesOfTests.scaled(text)), test, dir.resolve("tests"));
        command.add(dir.resolve("tests").resolve(test.getFileName()).toString());
      }
    }
    assertThat(command)
        .anyMatch(word -> word.endsWith("fleet_cohort_test.yml"))
        .anyMatch(word -> word.endsWith("fleet_idle_test.yml"))
        .hasSizeGreaterThanOrEqualTo(7);
    run(command);
  }

  private static List<Path> yaml(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".yml")).sorted().toList();
    }
  }

  private static Path translate(Path file, Path folder) throws Exception {
    Translation.Result translated = TO_NEW.translate(Files.readString(file));
    assertThat(translated.changes()).isPositive();
    return write(translated, file, folder);
  }

  private static Path write(Translation.Result translated, Path file, Path folder)
      throws Exception {
    return Files.writeString(
        Files.createDirectories(folder).resolve(file.getFileName()), translated.text());
  }

  private static void run(List<String> command) throws Exception {
    Process promtool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(promtool.waitFor()).as(said).isZero();
  }
}
