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
import org.junit.jupiter.api.io.TempDir;

/** Simulated months: nothing ordinary takes a node, and the document has the counts. */
class NodeMonthsTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "health-simulation.md");
  private static final int MONTHS = 10_000;
  private static final long SEED = 20261123;

  @TempDir private Path scratch;

  @Test
  void nothingOrdinaryTakesANodeInAHundredMonths() throws Exception {
    for (Profile profile : Profile.values()) {
      Map<Count, Long> counts = NodeMonths.of(100, SEED, profile, scratch).counts();

      assertThat(counts.get(Count.ORDINARY)).as("ordinary events").isGreaterThan(200);
      assertThat(counts.get(Count.ACTION)).as(profile.toString()).isZero();
    }
  }

  private NodeMonths.Result months(Profile profile) {
    try {
      return NodeMonths.of(MONTHS, SEED, profile, scratch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Tag("slow")
  void theDocumentHasTheCountsOfTenThousandMonths() throws Exception {
    Map<Profile, NodeMonths.Result> all = new ConcurrentSkipListMap<>();
    Arrays.stream(Profile.values())
        .parallel()
        .forEach(profile -> all.put(profile, months(profile)));
    String document = SimulationDocument.markdown(MONTHS, SEED, all);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }
}
