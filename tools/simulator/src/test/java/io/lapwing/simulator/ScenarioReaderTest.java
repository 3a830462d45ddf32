package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                List.of(
                    new Change.Lines(Map.of("gpu.1.lost", "1"), List.of()),
                    new Change.Xid(1, 79, Optional.empty()),
                    new Change.Xid(0, 74, Optional.empty()))),
            new Scenario.Step(
                Duration.ofMinutes(2), List.of(new Change.Lines(Map.of(), List.of("gpu.1.lost")))));
    assertThat(scenario.gpusNeeded()).isEqualTo(2);
  }

  @Test
  void aHistoryIsTheEventLogOfAnAgent(@TempDir Path dir) throws Exception {
    Scenario scenario =
        read(
            dir,
            """
            history:
              - {kind: started, at: -72h, version: "0"}
              - {kind: ecc_growth, at: -3h, since: -4h, gpu: "{uuid:5}", corrected: true, from: 0, to: 12}
            """);
    assertThat(scenario.gpusNeeded()).isEqualTo(6);
    SimulatedNode node = TestNode.p5(dir.resolve("node"));
    new ScenarioPlayer(node, scenario).begin();

    assertThat(Files.readAllLines(node.agentState().resolve("events.jsonl")))
        .containsExactly(
            "{\"kind\":\"started\",\"at\":\"2025-12-29T00:00:00Z\",\"version\":\"0\"}",
            "{\"kind\":\"ecc_growth\",\"at\":\"2025-12-31T21:00:00Z\",\"since\":\"2025-12-31T20:00:00Z\","
                + "\"gpu\":\""
                + node.lines().get("gpu.5.uuid")
                + "\",\"corrected\":true,\"from\":0,\"to\":12}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{kind: started}|history[0]|has no kind or no time",
        "{kind: started, at: 3h}|history[0].at|not a time before the beginning",
        "{kind: started, at: -3x}|history[0].at|not a duration",
        "{kind: started, at: -3h, version: 0.5}|history[0].version|no text and no whole number",
        "{kind: x, at: -3h, gpu: '{gpu:4}'}|history[0].gpu|none of {pci:N}",
        "12|history[0]|not a line of an event log"
      })
  void aMistakeInAHistoryIsNamed(String event, String key, String problem, @TempDir Path dir) {
    assertThatThrownBy(() -> read(dir, "history:\n  - " + event + "\n"))
        .isInstanceOf(ScenarioException.class)
        .hasMessageContaining(key)
        .hasMessageContaining(problem);
  }

  @Test
  void aStepThatRepeatsIsThatManySteps(@TempDir Path dir) throws Exception {
    Scenario scenario = read(dir, "steps: [{at: 10s, every: 5s, times: 3, xid: 1 94}]");
    assertThat(scenario.steps())
        .extracting(Scenario.Step::at)
        .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofSeconds(20));
  }

  @Test
  void aStepHasKernelMessagesAndHealingActions(@TempDir Path dir) throws Exception {
    Scenario scenario =
        read(
            dir,
            """
            steps:
              - at: 5s
                kmsg: ["NVRM: GPU {pci:6}.0", "<12>forged\\nNVRM: Xid"]
                xid: 3 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)
                exit: 20003
                set: {gpu.3.load: 0}
                reset: [2, 3]
                reboot: true
                replace: true
            """);
    assertThat(scenario.steps().get(0).changes())
        .containsExactly(
            new Change.Replace(),
            new Change.Reboot(),
            new Change.Reset(2),
            new Change.Reset(3),
            new Change.Lines(Map.of("gpu.3.load", "0"), List.of()),
            new Change.Exit(20003),
            new Change.Xid(
                3,
                154,
                Optional.of(
                    "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)")),
            new Change.Messages(
                List.of(
                    new KernelLine(4, "NVRM: GPU {pci:6}.0"),
                    new KernelLine(12, "forged\nNVRM: Xid"))));
    assertThat(scenario.gpusNeeded()).isEqualTo(7);
  }

  @Test
  void aStormIsItsLinesInTurnSoOftenASecond(@TempDir Path dir) throws Exception {
    Scenario scenario =
        read(dir, "steps: [{at: 1s, storm: {per_second: 30, for: 1230ms, line: [a, b]}}]");
    List<String> said = new ArrayList<>();
    for (Scenario.Step step : scenario.steps()) {
      for (Change change : step.changes()) {
        ((Change.Messages) change).lines().forEach(line -> said.add(line.text()));
      }
    }
    assertThat(scenario.steps().get(scenario.steps().size() - 1).at())
        .isEqualTo(Duration.ofMillis(2230));
    assertThat(said).hasSize(36).filteredOn("a"::equals).hasSize(18);
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
        "steps: [{at: 1s, reset: x}] | steps[0].reset: 'x' is not a GPU such as 3",
        "steps: [{at: 1s, reset: {a: 1}}] | steps[0].reset: is not a list",
        "steps: [{at: 1s, exit: [1, -1]}] | steps[0].exit: '-1' is not a process id such as 20003",
        "steps: [{at: 1s, reboot: 1}] | steps[0].reboot: is neither true nor false",
        "steps: [{at: 1s, replace: maybe}] | steps[0].replace: is neither true nor false",
        "steps: [{at: 1s, kmsg: []}] | steps[0].kmsg: has no message",
        "steps: [{at: 1s, kmsg: 'x {pcie:3}'}] | steps[0].kmsg: '{pcie:3}' is none of {pci:N}, ",
        "steps: [{at: 1s, storm: 4}] | steps[0].storm: is not a map",
        "steps: [{at: 1s, storm: {rate: 4}}] | steps[0].storm.rate: is not a key of a scenario",
        "steps: [{at: 1s, storm: {for: 1s, line: a}}] | steps[0].storm.per_second: is not between",
        "steps: [{at: 1s, storm: {per_second: 1, for: 1h, line: a}}] | storm.for: is longer than 10m",
        "steps: [{at: 1s, storm: {per_second: 1, for: 1s}}] | steps[0].storm.line: has no message",
        "set: {a: [1]} | set.a: is not a single value",
        "set: 4 | set: is not a map of state lines",
        "set: {training.jbo: 1} | set.training.jbo: is not a line about a training job",
        "set: {training.job: mine} | set.training.job: 'mine' is not a job's number such as 4711",
        "set: {training.data: -1} | set.training.data: '-1' is not seconds from 0 to 99 such as 0.4",
        "set: {training.tokens: 0.5} | set.training.tokens: '0.5' is not a whole number from 0 to",
        "set: {training.stopped: 2} | set.training.stopped: '2' is not 0 or 1",
        "steps: [{at: 1s, set: {training.3.slower: 0}}] | set.training.3.slower: '0' is not a factor",
        "steps: [{at: 1s, set: {training.3.data: 1}}] | steps[0].set.training.3.data: is not a line",
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
  void aMissingFileIsNamed(@TempDir Path dir) {
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
