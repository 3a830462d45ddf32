package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.simulator.InstanceType;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every simulated instance type while it is healthy, and faults of each generation of GPUs. */
@Tag("slow")
class NodeVerdictTest {

  static List<ScenarioTable.Row> rows() {
    return ScenarioTable.rows("/node-verdicts.yaml");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  @Execution(ExecutionMode.CONCURRENT)
  void aNodeHasItsVerdictAndNothingElse(ScenarioTable.Row row, @TempDir Path dir) throws Exception {
    try (ScenarioRun run = new ScenarioRun(dir, row)) {
      for (ScenarioTable.Moment moment : row.moments()) {
        run.act(moment);
        run.awaitSaid(moment);
      }
      run.nothingElseWasOpened();
    }
  }

  @Test
  void everyInstanceTypeIsHealthy() {
    assertThat(rows().stream().filter(row -> row.scenario().equals("healthy")))
        .extracting(ScenarioTable.Row::instance)
        .containsExactlyInAnyOrderElementsOf(
            InstanceType.all().stream().map(InstanceType::name).toList());
  }
}
