package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tasks of the node, and ranks of a job, wait for on the host. */
class HostLoadTest {

  private static final Pattern SOME = Pattern.compile("some .* total=(\\d+)");

  private static double waited(SimulatedNode node, String resource) throws IOException {
    String text = Files.readString(node.procfs().resolve("pressure/" + resource));
    Matcher some = SOME.matcher(text.lines().findFirst().orElseThrow());
    assertThat(some.matches()).as(text).isTrue();
    return Long.parseLong(some.group(1)) / 1e6;
  }

  private static void passTo(SimulatedNode node, double seconds) {
    TestNode.letPass(node, seconds);
    node.count();
  }

  @Test
  void tasksWaitForAResourceInAShareOfTheTimeUntilTheBoot(@TempDir Path dir) throws Exception {
    SimulatedNode node = TestNode.of("g6.xlarge", dir);
    double before = waited(node, "memory");
    node.set("pressure.memory", "0.3");
    passTo(node, 100);
    assertThat(waited(node, "memory")).isEqualTo(before + 30);
    assertThat(waited(node, "cpu")).isEqualTo(41.25);
    node.clear("pressure.memory");
    passTo(node, 200);
    assertThat(waited(node, "memory")).isEqualTo(before + 30);
    node.set("pressure.memory", "1");
    node.reboot();
    passTo(node, 300);
    assertThat(waited(node, "memory")).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource({"pressure.cpu, 1.5", "pressure.cpu, much", "pressure.gpu, 0.5", "pressure., 0.5"})
  void whatIsNoShareOfAResourceIsAMistake(String key, String value, @TempDir Path dir) {
    SimulatedNode node = TestNode.of("g6.xlarge", dir);
    assertThatThrownBy(() -> node.set(key, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key + " = " + value);
  }

  @Test
  void theProcessOfARankWaitsForAProcessor(@TempDir Path dir) throws Exception {
    SimulatedNode node = TestNode.p5(dir);
    node.setAll(Map.of("training.job", "4711", "training.3.run_delay", "0.4"));
    node.jobStarted(new SlurmJob("4711", 1, true, List.of(rank(2, 40_002), rank(3, 40_003))));
    passTo(node, 100);
    assertThat(node.procfs().resolve("40003/schedstat")).hasContent("5000 40000000700 9");
    assertThat(node.procfs().resolve("40002/schedstat")).hasContent("5000 700 9");
    node.clear("training.3.run_delay");
    passTo(node, 200);
    assertThat(node.procfs().resolve("40003/schedstat")).hasContent("5000 40000000700 9");
  }

  private static JobRank rank(int rank, long pid) {
    String stat = pid + " (python3) S 1" + " 0".repeat(17) + " 12000" + " 0".repeat(30);
    return new JobRank(rank, pid, "python3", stat, "Uid:\t1000\t1000\t1000\t1000", "5000 700 9");
  }

  @Test
  void aShareOfTimeCountsOnlyWhatPasses() {
    Instant start = Instant.EPOCH;
    ShareOfTime time = new ShareOfTime(5, start);
    time.change(0.5, start.plusSeconds(10));
    assertThat(time.at(start.plusSeconds(30))).isEqualTo(15);
    assertThat(time.at(start)).as("the clock was set back").isEqualTo(5);
  }
}
