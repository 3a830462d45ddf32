package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rank reports of its checkpoints. */
class DurableCheckpointTest {

  private static final String NAME = "4711.3.steps";
  private static final int AT = 160;

  private Path folder = Path.of("");
  private TrainingNode node = new TrainingNode(folder);
  private final MadeSteps steps = MadeSteps.rank(3).steps(2);

  @BeforeEach
  void begin(@TempDir Path made) throws IOException {
    folder = made;
    node = new TrainingNode(folder);
    node.now = MadeSteps.BEGAN.plusSeconds(100);
    steps.putInto(folder, NAME);
    node.poll();
  }

  @AfterEach
  void close() {
    node.close();
  }

  private static Instant after(long seconds) {
    return MadeSteps.BEGAN.plusSeconds(seconds);
  }

  private static long nanos(long seconds) {
    return MadeSteps.nanos(after(seconds));
  }

  /** Writes the words in place, as the loop does. */
  private DurableCheckpointTest says(
      long sequence, long step, long durable, long unsaved, long reporter) throws IOException {
    steps.big(AT, sequence).big(AT + 8, step).big(AT + 16, durable).big(AT + 24, unsaved);
    steps.big(AT + 32, reporter).writeOver(folder.resolve(NAME));
    node.poll();
    return this;
  }

  /** The samples about checkpoints, without the rank's labels. */
  private List<String> samples() {
    return node.rank().lines().stream()
        .filter(line -> line.contains("last_checkpoint") || line.contains("unsaved"))
        .map(line -> line.replace("lapwing_training_", ""))
        .map(
            line ->
                line.replaceAll(
                    "\\{job_id=\"4711\",run=\"base\",rank=\"3\",local_rank=\"3\",gpu=\"\",?", "{"))
        .toList();
  }

  private int rejected() {
    return node.rejectedRecords().getOrDefault("bad_checkpoint", 0);
  }

  private static final List<String> STEP_7 =
      List.of(
          "last_checkpoint_step{} 7",
          "unsaved_since_timestamp_seconds{} 1772366440",
          "last_checkpoint_timestamp_seconds{reporter=\"megatron\"} 1772366450");

  private DurableCheckpointTest saysStep7() throws IOException {
    return says(2, 7, nanos(50), nanos(40), 3);
  }

  @Test
  void aLoopThatReportsNoneHasNoSeries() {
    assertThat(samples()).isEmpty();
  }

  @Test
  void aDurableCheckpointIsExposedWithWhoReportsIt() throws IOException {
    saysStep7();
    assertThat(samples()).containsExactlyElementsOf(STEP_7);
    says(4, 8, nanos(60), nanos(55), 1);
    assertThat(samples())
        .containsExactly(
            "last_checkpoint_step{} 8",
            "unsaved_since_timestamp_seconds{} 1772366455",
            "last_checkpoint_timestamp_seconds{reporter=\"loop\"} 1772366460");
  }

  @Test
  void beforeTheFirstOneOnlyTheUnsavedWorkIsExposed() throws IOException {
    says(2, -1, 0, nanos(0), 0);
    assertThat(samples()).containsExactly("unsaved_since_timestamp_seconds{} 1772366400");
  }

  @Test
  void anUnknownOrImpossibleStepIsAbsent() throws IOException {
    for (long step : new long[] {-1, Long.MIN_VALUE, 1L << 53, Long.MAX_VALUE}) {
      begin(folder);
      says(2, step, nanos(50), nanos(40), 99);
      assertThat(samples())
          .containsExactly(
              "unsaved_since_timestamp_seconds{} 1772366440",
              "last_checkpoint_timestamp_seconds{reporter=\"unknown\"} 1772366450");
    }
  }

  @Test
  void halfAReportIsNotTaken() throws IOException {
    saysStep7().says(3, 9, nanos(60), nanos(55), 1);
    assertThat(samples()).containsExactlyElementsOf(STEP_7);
    says(4, 9, nanos(60), nanos(55), 1);
    assertThat(samples()).contains("last_checkpoint_step{} 9");
    assertThat(rejected()).isZero();
  }

  @Test
  void anImpossibleReportIsCountedAndTheLastOneKept() throws IOException {
    long[][] odd = {
      {nanos(1000), nanos(40)},
      {nanos(50), nanos(1000)},
      {Long.MAX_VALUE, Long.MAX_VALUE},
      {-1, nanos(40)},
      {nanos(50), -1},
      {1, 1},
      {nanos(49), nanos(40)},
      {0, nanos(40)},
    };
    saysStep7();
    for (int i = 0; i < odd.length; i++) {
      says(4 + 2 * i, 9, odd[i][0], odd[i][1], 1);
      assertThat(samples()).containsExactlyElementsOf(STEP_7);
      assertThat(rejected()).isEqualTo(i + 1);
    }
    node.poll();
    assertThat(rejected()).as("once each").isEqualTo(odd.length);
  }

  @Test
  void aClockThatIsALittleAheadIsNow() throws IOException {
    says(2, 7, nanos(200), nanos(150), 1);
    assertThat(samples())
        .contains(
            "unsaved_since_timestamp_seconds{} 1772366500",
            "last_checkpoint_timestamp_seconds{reporter=\"loop\"} 1772366500");
  }

  @Test
  void aStepMayGoBackAsAfterARollback() throws IOException {
    saysStep7().says(4, 5, nanos(60), nanos(58), 1);
    assertThat(samples()).contains("last_checkpoint_step{} 5");
  }
}
