package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.lapwing.simulator.Scenario;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every scenario with a training job, to the cause of its lost time: real ranks in real time, all
 * at once, because each has to be played to its end.
 */
@Tag("slow")
class JobScenarioTest {

  /** Every fault has healed by then, and what lasts for minutes was found. */
  private static final Duration LENGTH = Duration.ofSeconds(500);

  /** A start takes a core for seconds, and a rank that waits for one would be a slow rank. */
  private static final Duration BETWEEN_STARTS = Duration.ofSeconds(4);

  @TempDir static Path dir = Path.of("");

  @TestFactory
  Stream<DynamicTest> aScenarioEndsInItsCauseAndInNoOtherFinding() throws Exception {
    List<JobPlay> plays = new ArrayList<>();
    try {
      for (JobScenario expected : JobScenario.all()) {
        plays.add(JobPlay.start(dir.resolve(expected.scenario()), expected));
        watch(plays, BETWEEN_STARTS);
      }
      watch(plays, LENGTH);
    } finally {
      plays.forEach(JobPlay::close);
    }
    return plays.stream().map(play -> dynamicTest(play.toString(), play::assertAllWasSaid));
  }

  private static void watch(List<JobPlay> plays, Duration length) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    while (System.nanoTime() < end) {
      plays.forEach(JobPlay::look);
      Thread.sleep(1_000);
    }
  }

  @Test
  void everyScenarioWithAJobIsInTheTable() {
    assertThat(JobScenario.all().stream().map(JobScenario::scenario))
        .containsExactlyElementsOf(
            Scenario.all().stream().filter(Scenario::runsJob).map(Scenario::name).toList());
  }
}
