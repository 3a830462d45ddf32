package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of the whole agent, byte for byte, with fewer GPUs than a p5.48xlarge has, to keep it
 * readable. Run with {@code -Dgolden.update} to write the files anew, then read the difference.
 */
class GoldenPageTest {

  private static final Path GOLDEN = Path.of("src", "test", "resources", "golden");

  @Test
  void thePageOfAHealthyNode(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 2)) {
      holds("healthy.txt", node);
    }
  }

  @Test
  void thePageOfABrokenNode(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.broken(dir)) {
      holds("broken.txt", node);
    }
  }

  /** Each GPU of eight has as many series of each family as each of two. */
  @Test
  void eightGpusHaveEightTimesTheSeries(@TempDir Path dir) throws Exception {
    TextPage golden = TextPage.parse(Files.readAllBytes(GOLDEN.resolve("healthy.txt")));
    Map<String, Integer> expected = new TreeMap<>();
    golden
        .families()
        .forEach(
            family -> {
              boolean perGpu =
                  family.samples().stream().allMatch(sample -> sample.labels().containsKey("gpu"));
              boolean perPair = family.name().equals("DCGM_EXP_P2P_STATUS");
              int size = family.samples().size();
              expected.put(family.name(), perPair ? 8 * 7 : perGpu ? size / 2 * 8 : size);
            });
    // gpu0 and gpu1 became gpu0 to gpu7.
    expected.merge("lapwing_source_hung", 6, Integer::sum);

    try (GoldenNode node = GoldenNode.healthy(dir, 8)) {
      TextPage page = node.agent().page();

      Map<String, Integer> found = new TreeMap<>();
      page.families().forEach(family -> found.put(family.name(), family.samples().size()));
      assertThat(found).isEqualTo(expected);
    }
  }

  private static void holds(String file, GoldenNode node) throws Exception {
    String page = new String(node.agent().bytes(PageFormat.TEXT_0_0_4), StandardCharsets.UTF_8);
    Path golden = GOLDEN.resolve(file);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(GOLDEN);
      Files.writeString(golden, page);
    }
    // What differs is easier to see with diff than in a message.
    Files.writeString(Files.createDirectories(Path.of("target", "golden")).resolve(file), page);
    assertThat(golden).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(page).isEqualTo(Files.readString(golden));
  }
}
