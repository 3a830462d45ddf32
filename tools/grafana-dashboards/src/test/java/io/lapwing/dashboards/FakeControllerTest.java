package io.lapwing.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FakeControllerTest {

  private static Set<String> found(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(one -> one.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The types, labels and names of the test data are those of the documentation. */
  @Test
  void thePageHasTheDocumentedFamiliesWithTheirLabels() throws Exception {
    String document = Files.readString(Repository.ROOT.resolve("docs/drain-metrics.md"));
    String page = FakeController.page(1, Instant.EPOCH);

    assertThat(found("(?m)^# TYPE (\\w+ \\w+)$", page))
        .isEqualTo(
            found(
                "(?m)^(lapwing_\\w+ \\w+) ",
                document.replaceAll("[|` ]+", " ").replaceAll("(?m)^ ", "")));
    document
        .lines()
        .filter(line -> line.startsWith("| `lapwing_"))
        .forEach(
            line -> {
              String name = line.replaceAll("^\\| `(\\w+)`.*", "$1");
              Set<String> labels = found("(\\w+)=\"", String.join("\n", samples(page, name)));
              labels.remove("le");
              assertThat(labels).as(name).isEqualTo(labels(line));
            });
  }

  private static Set<String> samples(String page, String name) {
    return found("(?m)^(" + name + "(?:_bucket|_sum|_count)?(?:\\{.*})?) ", page);
  }

  /** The fourth cell; empty cells are written without blanks. */
  private static Set<String> labels(String row) {
    String[] cells = row.replace("||", "| |").replace("||", "| |").split("\\|", -1);
    return found("(\\w+)", cells[4]);
  }

  @Test
  void countersGrowAndTimesFollowTheClock() throws Exception {
    Instant now = Instant.ofEpochSecond(1_000_000);

    assertThat(FakeController.page(2, now))
        .contains("lapwing_drain_requests_total{source=\"alertmanager\",result=\"taken\"} 7\n")
        .contains("lapwing_drain_last_round_timestamp_seconds 999999\n")
        .doesNotContain("@");
  }
}
