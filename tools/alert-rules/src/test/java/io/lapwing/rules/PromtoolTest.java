package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prometheus' own word on the rules; the same on every Java. */
class PromtoolTest {

  private static final Program PROMTOOL = new Program("promtool");

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
    Path tests = Shipped.RULES.resolve("tests");
    assertThat(Files.isDirectory(tests)).isTrue();

    PROMTOOL.run(with(List.of("test", "rules"), RuleFiles.paths(tests)));
  }
}
