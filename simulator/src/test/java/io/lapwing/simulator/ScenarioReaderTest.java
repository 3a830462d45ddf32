package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioReaderTest {
  private static Scenario read(Path dir, String text) throws IOException, ScenarioException {
    Path file = dir.resolve("mine.yaml");
    Files.write(file, text.getBytes(StandardCharsets.UTF_8));
    return Scenario.read(file);
  }

  @Test
  void aScenarioIsItsSummaryItsFirstLinesAndItsSteps(@TempDir Path dir) throws Exception {
    Scenario scenario =
        read(
            dir,
            """
            summary: One thing after the other
            set: {gpu.*.load: 0.5}
            steps:
              - at: 2m
                clear: [gpu.1.lost]
              - at: 1500ms
                set: {gpu.1.lost: 1}
                xid: [1 79, 0 74]
            """);
    assertThat(scenario.name()).isEqualTo("mine");
    assertThat(scenario.set()).isEqualTo(Map.of("gpu.*.load", "0.5"));
    assertThat(scenario.steps())
        .containsExactly(
            new Scenario.Step(
                Duration.ofMillis(1500),
                Map.of("gpu.1.lost", "1"),
                List.of(),
                List.of(new Scenario.Xid(1, 79), new Scenario.Xid(0, 74))),
            new Scenario.Step(Duration.ofMinutes(2), Map.of(), List.of("gpu.1.lost"), List.of()));
    assertThat(scenario.gpusNeeded()).isEqualTo(2);
  }

  @Test
  void aStepThatRepeatsIsThatManySteps(@TempDir Path dir) throws Exception {
    Scenario scenario = read(dir, "steps: [{at: 10s, every: 5s, times: 3, xid: 1 94}]");
    assertThat(scenario.steps())
        .extracting(Scenario.Step::at)
        .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "steps: [{at: soon}] | steps[0].at: 'soon' is not a duration such as 15s or 2m",
        "steps: [{set: {a: 1}}] | steps[0].at: '' is not a duration such as 15s or 2m",
        "steps: 3 | steps: is not a list",
        "steps: [3] | steps[0]: is not a map",
        "stteps: [] | stteps: is not a key of a scenario",
        "steps: [{at: 1s, sett: {}}] | steps[0].sett: is not a key of a scenario",
        "steps: [{at: 1s, xid: [94]}] | steps[0].xid: '94' is not a GPU and an XID such as 3 94",
        "steps: [{at: 1s, every: 1s}] | steps[0].times: is not between 1 and 1000",
        "steps: [{at: 1s, times: 2}] | steps[0].every: '' is not a duration such as 15s or 2m",
        "set: {a: [1]} | set.a: is not a single value",
        "set: 4 | set: is not a map of state lines",
        "7 | mine.yaml: is not a map",
        "'{' | not YAML"
      })
  void aMistakeIsNamedWithItsFileAndKey(String text, String message, @TempDir Path dir) {
    assertThatThrownBy(() -> read(dir, text))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("mine.yaml: ")
        .hasMessageContaining(message);
  }

  @Test
  void aFileThatIsNotThereIsNamed(@TempDir Path dir) {
    assertThatThrownBy(() -> Scenario.read(dir.resolve("none.yaml")))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining("none.yaml: cannot be read");
  }

  @Property(tries = 300)
  void anyTextIsAScenarioOrAMistakeThatIsNamed(@ForAll String text) throws Exception {
    Path dir = Files.createTempDirectory("lapwing-scenario");
    try {
      read(dir, text);
    } catch (ScenarioException e) {
      assertThat(e).hasMessageContaining("mine.yaml");
    } finally {
      Files.deleteIfExists(dir.resolve("mine.yaml"));
      Files.delete(dir);
    }
  }
}
