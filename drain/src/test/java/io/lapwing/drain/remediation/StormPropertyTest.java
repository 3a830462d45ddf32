package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.remediation.Storm.Report;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Invariants in random storms over 1,000 nodes: no healthy node is taken, no limit exceeded, no
 * action done twice, no node forgotten, and no node of another party changed.
 */
class StormPropertyTest {

  private static final int NODES = 1000;
  private static final int ROUNDS = 150;

  private static Report storm(long seed) {
    Report report = new Storm(seed, NODES).run(ROUNDS);
    assertThat(report.violations()).as("storm %d", seed).isEmpty();
    assertThat(report.unfinished()).as("nodes forgotten in storm %d", seed).isZero();
    return report;
  }

  @Property(tries = 3, shrinking = ShrinkingMode.OFF)
  void nothingThatMustNeverHappenHappens(@ForAll long seed) {
    assertThat(storm(seed).rounds()).isGreaterThanOrEqualTo(ROUNDS);
  }

  /** {@code -Ddrain.storms=10000} runs more: two cores take about half an hour for these. */
  @Test
  @Tag("slow")
  void norInManyStorms() {
    long start = System.nanoTime();
    long storms = Long.getLong("drain.storms", 500);
    Map<String, Long> counts = new TreeMap<>();
    LongStream.range(0, storms)
        .parallel()
        .mapToObj(StormPropertyTest::storm)
        .forEach(report -> count(report, counts));
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.println(storms + " storms over " + NODES + " nodes in " + took + ": " + counts);
    assertThat(counts.get("drain")).isGreaterThan(storms);
  }

  private static void count(Report report, Map<String, Long> counts) {
    synchronized (counts) {
      counts.merge("kills", (long) report.kills(), Long::sum);
      counts.merge("rounds", (long) report.rounds(), Long::sum);
      for (String command : report.commands()) {
        counts.merge(command.substring(0, command.indexOf(' ')), 1L, Long::sum);
      }
    }
  }
}
