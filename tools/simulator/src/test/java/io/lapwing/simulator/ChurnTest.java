package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChurnTest {

  private static final Scenario LOST =
      new Scenario(
          "lost",
          "",
          Map.of("gpu.*.load", "0.5"),
          List.of(),
          List.of(
              new Scenario.Step(
                  Duration.ofSeconds(75),
                  List.of(
                      new Change.Lines(Map.of("gpu.0.lost", "1"), List.of()),
                      new Change.Reboot(),
                      new Change.Xid(0, 79, Optional.empty())))));

  private static final Scenario OF_EIGHT_GPUS =
      new Scenario("eighth", "", Map.of("gpu.7.lost", "1"), List.of(), List.of());

  private final List<Map<String, String>> seen = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
  }

  private Churn churn(Scenario... scenarios) {
    return new Churn(
        node,
        List.of(scenarios),
        Duration.ofSeconds(20),
        () -> now,
        duration -> {
          now = now.plus(duration);
          seen.add(new HashMap<>(node.lines()));
        });
  }

  @Test
  void aScenarioIsPlayedInItsTurnAndHealed() throws InterruptedException {
    Map<String, String> before = node.lines();
    churn(LOST, LOST).pass(now);
    assertThat(seen).anySatisfy(lines -> assertThat(lines).containsEntry("gpu.0.lost", "1"));
    assertThat(now).isEqualTo(Instant.EPOCH.plusSeconds(20));
    Map<String, String> after = new HashMap<>(node.lines());
    after.keySet().removeIf(key -> key.startsWith("event."));
    assertThat(after).isEqualTo(before);
  }

  @Test
  void anAgentLivesThroughNoReboot() throws InterruptedException {
    churn(LOST).pass(now);
    assertThat(node.lines()).containsEntry("event.1", "0 xid 79");
  }

  @Test
  void eachJobHasANumberOfItsOwn() throws InterruptedException {
    Scenario training =
        new Scenario("training", "", Map.of("training.job", "4711"), List.of(), List.of());
    Churn churn = churn(training, training);
    churn.pass(now);
    churn.pass(now);
    assertThat(seen.stream().map(lines -> lines.get("training.job")).filter(Objects::nonNull))
        .contains("4711", "4712", "4713", "4714");
  }

  @Test
  void scenariosThatNeedALargerNodeAreNotPlayed() {
    assertThat(churn(LOST, OF_EIGHT_GPUS).scenarios()).containsExactly(LOST);
  }

  @Test
  void aScenarioWithoutStepsLastsItsTurnToo() throws InterruptedException {
    Scenario steady = new Scenario("s", "", Map.of("gpu.*.load", "0.1"), List.of(), List.of());
    churn(steady).pass(now);
    assertThat(seen.get(0)).containsEntry("gpu.*.load", "0.1");
    assertThat(now).isEqualTo(Instant.EPOCH.plusSeconds(20));
  }
}
