package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.simulator.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario of the simulator, to the verdict and back. */
@Tag("slow")
class ScenarioVerdictTest {

  static List<ScenarioTable.Row> rows() {
    return ScenarioTable.rows();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  @Execution(ExecutionMode.CONCURRENT)
  void aScenarioEndsInItsVerdictAndAfterTheActInHealth(ScenarioTable.Row row, @TempDir Path dir)
      throws Exception {
    try (ScenarioRun run = new ScenarioRun(dir, row)) {
      for (ScenarioTable.Moment moment : row.moments()) {
        run.act(moment);
        run.awaitSaid(moment);
      }
      run.nothingElseWasOpened();
    }
  }

  /** But those with a job: its processes live in real time, and here hours pass in minutes. */
  @Test
  void everyScenarioHasARow() {
    assertThat(rows().stream().map(ScenarioTable.Row::scenario))
        .containsExactlyElementsOf(
            Scenario.all().stream()
                .filter(scenario -> !scenario.runsJob())
                .map(Scenario::name)
                .toList());
  }

  @Test
  void thePageAndTheTableAreEqual() throws Exception {
    Path page = Path.of("..", "docs", "scenarios.md");
    String markdown = ScenarioPage.markdown(rows());
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(page, markdown);
    }
    assertThat(page).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(markdown).isEqualTo(Files.readString(page));
  }

  @Test
  void everyScenarioEndsInHealth() {
    assertThat(rows())
        .allSatisfy(
            row ->
                assertThat(row.moments().get(row.moments().size() - 1).said().values())
                    .extracting(ScenarioTable.Said::call)
                    .containsOnly("healthy"));
  }
}
