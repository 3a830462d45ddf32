package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScenarioPlayerTest {
  private static final Scenario LOST_AND_FOUND =
      new Scenario(
          "lost-and-found",
          "",
          Map.of("gpu.*.load", "0.5"),
          List.of(),
          List.of(
              new Scenario.Step(
                  Duration.ofSeconds(15),
                  List.of(
                      new Change.Lines(Map.of("gpu.0.lost", "1"), List.of()),
                      new Change.Xid(0, 79, Optional.empty()))),
              new Scenario.Step(
                  Duration.ofSeconds(75),
                  List.of(new Change.Lines(Map.of(), List.of("gpu.0.lost"))))));

  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = SimulatedNode.create(dir, InstanceType.named("g6.xlarge"));
  }

  @Test
  void aStepIsPlayedWhenItsTimeHasComeAndOnlyOnce() {
    ScenarioPlayer player = new ScenarioPlayer(node, LOST_AND_FOUND);
    player.begin();
    assertThat(node.lines()).containsEntry("gpu.*.load", "0.5");
    assertThat(player.advanceTo(Duration.ofMillis(14_999))).isZero();
    assertThat(node.lines()).doesNotContainKey("gpu.0.lost");
    assertThat(player.advanceTo(Duration.ofSeconds(15))).isEqualTo(1);
    assertThat(player.advanceTo(Duration.ofSeconds(16))).isZero();
    assertThat(node.lines()).containsEntry("gpu.0.lost", "1").containsEntry("event.1", "0 xid 79");
    assertThat(player.finished()).isFalse();
    player.advanceTo(Duration.ofMinutes(5));
    assertThat(node.lines()).doesNotContainKey("gpu.0.lost");
    assertThat(player.finished()).isTrue();
  }

  @Test
  void playingSleepsFromStepToStep() throws InterruptedException {
    List<Duration> slept = new ArrayList<>();
    Instant[] now = {Instant.EPOCH};
    ScenarioPlayer player =
        new ScenarioPlayer(
            node,
            LOST_AND_FOUND,
            () -> now[0],
            duration -> {
              slept.add(duration);
              now[0] = now[0].plus(duration);
            });
    player.play();
    assertThat(slept).containsExactly(Duration.ofSeconds(15), Duration.ofSeconds(60));
    assertThat(player.finished()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"dcgm-stopped, true", "dcgm-hang, true", "imex-not-ready, true", "xid-79, false"})
  void theAgentUsesDcgmInScenariosAboutIt(String scenario, boolean uses) {
    new ScenarioPlayer(node, Scenario.named(scenario)).begin();
    assertThat(node.agentArguments().contains("--dcgm.engine=localhost:5555")).isEqualTo(uses);
  }
}
