package io.lapwing.agent.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.corpus.NodeMonths.Count;
import io.lapwing.agent.health.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Simulated months: nothing ordinary takes a node, and each fault is judged as labelled. */
class NodeMonthsTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "health-simulation.md");
  private static final int MONTHS = 10_000;
  private static final long SEED = 20261123;

  @TempDir private Path scratch;

  @Test
  void nothingOrdinaryTakesANodeInAHundredMonths() throws Exception {
    holds(100);
  }

  @Test
  @Tag("slow")
  void theSameInAThousandMonths() throws Exception {
    holds(1_000);
  }

  private void holds(int months) throws Exception {
    for (Profile profile : Profile.values()) {
      NodeMonths.Result found = NodeMonths.of(months, SEED, profile, scratch);
      Map<Count, Long> counts = found.counts();

      assertThat(counts.get(Count.ORDINARY)).as("ordinary events").isGreaterThan(2L * months);
      assertThat(counts.get(Count.ACTION)).as(profile + " " + found.surprises()).isZero();
      assertThat(counts.getOrDefault(Count.LESS, 0L))
          .as(profile + " " + found.surprises())
          .isZero();
      assertThat(counts.getOrDefault(Count.MORE, 0L))
          .as(profile + " " + found.surprises())
          .isZero();
      assertThat(counts.getOrDefault(Count.STILL_ASKED, 0L)).as(profile.toString()).isZero();
    }
  }

  private NodeMonths.Result months(Profile profile) {
    try {
      return NodeMonths.of(MONTHS, SEED, profile, scratch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Takes a quarter of an hour: only when the documents are written. */
  @Test
  @Tag("slow")
  @EnabledIfSystemProperty(named = "golden.update", matches = "true")
  void theDocumentHasTheCountsOfTenThousandMonths() throws Exception {
    Map<Profile, NodeMonths.Result> all = new ConcurrentSkipListMap<>();
    Arrays.stream(Profile.values())
        .parallel()
        .forEach(profile -> all.put(profile, months(profile)));

    Files.writeString(DOCUMENT, SimulationDocument.markdown(MONTHS, SEED, all));
  }
}
