package io.lapwing.agent.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Profile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every case of the corpus is judged as labelled, or marked as a known miss. */
class CorpusTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "health-quality.md");

  /** Printed by {@code ./lapwing evaluate-corpus}. */
  private static final Path TABLE = Path.of("target", "corpus.txt");

  private static List<Judgement> judged = List.of();

  @BeforeAll
  static void judge(@TempDir Path scratch) throws Exception {
    List<Judgement> all = new ArrayList<>();
    for (Case one : Case.all()) {
      for (Profile profile : new TreeMap<>(one.labels()).keySet()) {
        all.add(Judgement.of(one, profile, scratch));
      }
    }
    judged = List.copyOf(all);
    Files.createDirectories(TABLE.getParent());
    Files.writeString(TABLE, QualityDocument.table(judged) + String.join("\n", wrong()) + "\n");
  }

  private static List<String> wrong() {
    return judged.stream().filter(one -> !one.right()).map(Judgement::text).toList();
  }

  @Test
  void everyCaseIsJudgedAsLabelledOrIsAKnownMiss() {
    List<Judgement> surprises =
        judged.stream().filter(one -> one.right() != one.one().miss().isEmpty()).toList();

    assertThat(surprises).extracting(Judgement::text).isEmpty();
  }

  @Test
  void theDocumentHasTheseResults() throws Exception {
    String document = QualityDocument.markdown(judged);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }

  @Test
  void namesAreUnique() {
    assertThat(Case.all()).extracting(Case::name).doesNotHaveDuplicates();
  }

  @Test
  void comparisonsFindTheWorseOutcome() {
    Label reset = Label.parse("failing reset_gpu now: xid_79 gpu:3");

    assertThat(reset.compare(Label.parse("failing reset_gpu now: xid_79 gpu:3")))
        .isEqualTo(Outcome.RIGHT);
    assertThat(reset.compare(Label.HEALTHY)).isEqualTo(Outcome.KEPT);
    assertThat(reset.compare(Label.parse("failing reset_gpu job_end: xid_79 gpu:3")))
        .isEqualTo(Outcome.KEPT);
    assertThat(reset.compare(Label.parse("degraded replace_node now: xid_79 gpu:3")))
        .isEqualTo(Outcome.TAKEN);
    assertThat(Label.HEALTHY.compare(reset)).isEqualTo(Outcome.TAKEN);
    assertThat(reset.compare(Label.parse("failing reset_gpu now: xid_79 gpu:4")))
        .isEqualTo(Outcome.WRONG_CAUSE);
  }
}
