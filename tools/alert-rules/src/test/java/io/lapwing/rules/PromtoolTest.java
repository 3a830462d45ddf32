package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Prometheus' own word on the rules; the same on every Java. */
class PromtoolTest {

  private static final Program PROMTOOL = new Program("promtool");

  /** Takes as long as all the others. */
  private static final String MONTHS = "fleet_hourly_test.yml";

  private static List<String> with(List<String> words, List<Path> files) {
    List<String> arguments = new ArrayList<>(words);
    files.forEach(file -> arguments.add(file.toString()));
    return arguments;
  }

  @Test
  void prometheusTakesTheRuleFiles() throws Exception {
    assertThat(Shipped.rules().rules()).isNotEmpty();

    PROMTOOL.run(with(List.of("check", "rules"), Shipped.files()));
  }

  @Test
  void theTestsOfTheRulesPass() throws Exception {
    assertThat(Shipped.rules().rules()).isNotEmpty();

    PROMTOOL.run(with(List.of("test", "rules"), tests(false)));
  }

  @Test
  @Tag("slow")
  void theTestsOfMonthsPass() throws Exception {
    PROMTOOL.run(with(List.of("test", "rules"), tests(true)));
  }

  private static List<Path> tests(boolean months) throws IOException {
    List<Path> files =
        RuleFiles.paths(Shipped.RULES.resolve("tests")).stream()
            .filter(file -> file.endsWith(MONTHS) == months)
            .toList();
    assertThat(files).isNotEmpty();
    return files;
  }
}
