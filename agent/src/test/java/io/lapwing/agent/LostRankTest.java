package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A rank of a real job that is stopped or killed, while the others wait for it. */
@Tag("slow")
class LostRankTest {

  private static final int RANKS = 3;
  private static final Path STEPS = Path.of("..", "steps", "python").toAbsolutePath().normalize();

  /** Trains until a file exists, and then waits for the others while it does. */
  private static final String RANK =
      """
      import os, sys, time, lapwing_steps
      hold = sys.argv[2]
      steps = lapwing_steps.Steps(job="lost", rank=int(sys.argv[1]), world_size=3)
      while not os.path.exists(hold):
          with steps.step():
              time.sleep(0.05)
      with steps.communication():
          while os.path.exists(hold):
              time.sleep(0.05)
      steps.close()
      """;

  private final List<Process> ranks = new ArrayList<>();
  private Path dir = Path.of("");
  private Path hold = Path.of("");

  @BeforeEach
  void start(@TempDir Path made) throws IOException {
    dir = made;
    hold = dir.resolve("hold");
    Files.createDirectories(dir.resolve("steps"));
    for (int rank = 0; rank < RANKS; rank++) {
      ProcessBuilder python =
          new ProcessBuilder("python3", "-c", RANK, Integer.toString(rank), hold.toString());
      python.environment().put("PYTHONPATH", STEPS.toString());
      python.environment().put("PYTHONDONTWRITEBYTECODE", "1");
      python.environment().put("LAPWING_STEPS_DIR", dir.resolve("steps").toString());
      try {
        ranks.add(python.inheritIO().start());
      } catch (IOException none) {
        assumeTrue(false, "no python3 here");
      }
    }
  }

  @AfterEach
  void end() {
    ranks.forEach(Process::destroyForcibly);
    ranks.forEach(rank -> rank.onExit().join());
  }

  private TestAgent agent() throws Exception {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), InstanceType.named("g6.xlarge"));
    Path policy = dir.resolve("policy.yml");
    Files.writeString(policy, "rules:\n  training_stall: {thresholds: {floor_seconds: 3}}\n");
    TestAgent agent =
        TestAgent.quick(
            node,
            "--training.steps-dir=" + dir.resolve("steps"),
            "--path.procfs=/proc",
            "--health.policy=" + policy);
    await()
        .atMost(TestAgent.PATIENCE)
        .until(() -> agent.page().samples("lapwing_training_usual_step_seconds").size() == RANKS);
    return agent;
  }

  private static void signal(Process process, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** What the findings of a rule say. */
  private static List<String> said(TestAgent agent, String rule) {
    return agent.wiring().health().report().findings().stream()
        .filter(finding -> finding.rule().equals(rule))
        .map(finding -> finding.detection().what())
        .toList();
  }

  private static String awaitSaid(TestAgent agent, String rule) {
    await().atMost(TestAgent.PATIENCE).until(() -> !said(agent, rule).isEmpty());
    return said(agent, rule).get(0);
  }

  @Test
  void aRankThatIsStoppedIsNamed() throws Exception {
    try (TestAgent agent = agent()) {
      signal(ranks.get(1), "STOP");
      Files.createFile(hold);
      assertThat(awaitSaid(agent, "training_stall"))
          .contains("stopped by a signal or a debugger: rank 1 (pid " + ranks.get(1).pid() + ")");
      Files.delete(hold);
      signal(ranks.get(1), "CONT");
      await().atMost(TestAgent.PATIENCE).until(() -> said(agent, "training_stall").isEmpty());
    }
  }

  @Test
  void aRankThatIsKilledIsNamed() throws Exception {
    try (TestAgent agent = agent()) {
      ranks.get(1).destroyForcibly();
      Files.createFile(hold);
      String gone = "rank 1 (pid " + ranks.get(1).pid() + ") is gone since ";
      assertThat(awaitSaid(agent, "training_rank_gone"))
          .startsWith(gone)
          .endsWith("without having ended; 2 ranks of the job on this node outlived it");
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> said(agent, "training_stall").stream().anyMatch(it -> it.contains(gone)));
    }
  }
}
