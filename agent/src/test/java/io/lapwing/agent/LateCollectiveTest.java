package io.lapwing.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes that call Lapwing's profiler plugin as NCCL does (steps/nccl/ranks.c), without a
 * line in any training loop, and what the agent says of them.
 */
@Tag("slow")
class LateCollectiveTest {

  private static final Path SOURCES = Path.of("..", "steps", "nccl").toAbsolutePath().normalize();

  /** Half of the window, a reading, and the delay of the finding. */
  private static final Duration NAMED = Duration.ofMinutes(3);

  private static final String RANKS = "4";
  private static final String EVEN = "-1";
  private static final String MOVING = "-2";

  private final List<Process> drivers = new ArrayList<>();
  private final List<TestAgent> agents = new ArrayList<>();
  private Path dir = Path.of("");

  @BeforeEach
  void build(@TempDir Path made) throws Exception {
    dir = made;
    try {
      Process make =
          new ProcessBuilder("make", "-s", "-C", SOURCES.toString(), "OUT=" + dir, "driver")
              .redirectErrorStream(true)
              .start();
      String output = new String(make.getInputStream().readAllBytes(), UTF_8);
      assertThat(make.waitFor()).as(output).isZero();
    } catch (IOException none) {
      assumeTrue(false, "no make here");
    }
  }

  @AfterEach
  void end() {
    for (Process driver : drivers) {
      // Its ranks end with it.
      driver.destroyForcibly().onExit().join();
    }
    agents.forEach(TestAgent::close);
  }

  /** Ranks that take 20 steps a second of two collectives, in a folder of their own. */
  private TestAgent agent(String name, int steps, String late, String hanging, String policy)
      throws Exception {
    Path folder = Files.createDirectories(dir.resolve(name).resolve("steps"));
    SimulatedNode node =
        SimulatedNode.create(dir.resolve(name).resolve("node"), InstanceType.named("g6.xlarge"));
    Path rules = Files.writeString(dir.resolve(name).resolve("policy.yml"), policy);
    ProcessBuilder ranks =
        new ProcessBuilder(
            dir.resolve("ranks").toString(),
            dir.resolve("liblapwing-nccl.so").toString(),
            "6",
            RANKS,
            "1",
            Integer.toString(steps),
            "2",
            "20",
            late,
            "6000",
            hanging);
    ranks.environment().put("LAPWING_STEPS_DIR", folder.toString());
    ranks.environment().put("LAPWING_JOB", name);
    drivers.add(ranks.redirectError(ProcessBuilder.Redirect.INHERIT).start());
    TestAgent agent =
        TestAgent.quick(
            node,
            "--training.steps-dir=" + folder,
            "--path.procfs=/proc",
            "--health.policy=" + rules);
    agents.add(agent);
    return agent;
  }

  private static List<String> said(TestAgent agent, String rule) {
    return agent.wiring().health().report().findings().stream()
        .filter(finding -> finding.rule().equals(rule))
        .map(finding -> finding.subject().text() + " " + finding.detection().what())
        .toList();
  }

  @Test
  void theLateRankIsNamedWithinThreeMinutesAndNoOtherIs() throws Exception {
    int steps = 20 * 60 * 10;
    TestAgent late = agent("late", steps, "2", "-1", "{}");
    TestAgent even = agent("even", steps, EVEN, "-1", "{}");
    TestAgent moving = agent("moving", steps, MOVING, "-1", "{}");
    await().atMost(NAMED.plusMinutes(1)).until(() -> !said(late, "training_straggler").isEmpty());
    assertThat(said(late, "training_straggler"))
        .singleElement()
        .asString()
        .matches(
            "training:late/2 entered collectives 3\\.\\d ms after the first of 4 ranks here, .*"
                + "they waited for it in 1[0-9] % of the time .*process \\d+");
    assertThat(even.page().samples("lapwing_nccl_profiler_late_seconds_total")).hasSize(4);
    assertThat(moving.page().samples("lapwing_nccl_profiler_late_seconds_total"))
        .hasSize(4)
        .allMatch(sample -> sample.value() > 1);
    assertThat(said(even, "training_straggler")).isEmpty();
    assertThat(said(moving, "training_straggler")).isEmpty();
  }

  @Test
  void aRankThatDoesNotEnterIsNamedAndWhatBecameOfIt() throws Exception {
    TestAgent agent =
        agent(
            "stuck",
            40,
            EVEN,
            "3",
            "rules:\n  nccl_rank_behind: {thresholds: {behind_seconds: 10}}\n");
    await().atMost(TestAgent.PATIENCE).until(() -> !said(agent, "nccl_rank_behind").isEmpty());
    String named = said(agent, "nccl_rank_behind").get(0);
    assertThat(named)
        .matches(
            "training:stuck/3 has not entered AllReduce 7000000 of communicator ae94423cfbb2ef4a"
                + " \\(world\\), in which ranks 0, 1 and 2 have waited for 1\\d s; process \\d+");
    long pid = Long.parseLong(named.substring(named.lastIndexOf(' ') + 1));
    signal(pid, "STOP");
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                said(agent, "nccl_rank_behind").stream()
                    .anyMatch(what -> what.endsWith(" is stopped by a signal or a debugger")));
    signal(pid, "KILL");
    await()
        .atMost(TestAgent.PATIENCE)
        .until(
            () ->
                said(agent, "nccl_rank_behind").stream()
                    .anyMatch(what -> what.matches("training:stuck/3 is gone since .*")));
  }

  private static void signal(long pid, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor()).isZero();
  }
}
