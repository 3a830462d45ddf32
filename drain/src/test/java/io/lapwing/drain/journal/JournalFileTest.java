package io.lapwing.drain.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Share;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.jobs.BlastRadius;
import io.lapwing.drain.jobs.JobAtStake;
import io.lapwing.drain.jobs.Loss;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Attempt.Outcome;
import io.lapwing.drain.remediation.EndedJob;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.remediation.Remediation.Seen;
import java.io.IOException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalFileTest {

  private static final Instant AT = Instant.parse("2026-11-24T12:00:00.5Z");

  @TempDir private Path dir;
  private Path file;

  @BeforeEach
  void inAFolderThatDoesNotExist() {
    file = dir.resolve("state/journal.jsonl");
  }

  private static Entry entry(String what) {
    return entry(what, "1798854460-8", AT, Phase.REPAIRING);
  }

  private static Entry entry(String what, String id, Instant at, Phase phase) {
    Attempt attempt =
        new Attempt(
            Remedy.REBOOT_NODE,
            AT,
            "boot-1",
            "i-0abc",
            Set.of("serial-1"),
            Optional.of(Outcome.NOT_HELPED));
    JobAtStake job =
        new JobAtStake(
            "4711",
            "ada",
            64,
            OptionalInt.of(512),
            Optional.of(AT),
            Loss.of(102.4, OptionalDouble.of(4.9)),
            Loss.UNKNOWN,
            Optional.empty());
    return new Entry(
        at,
        what,
        new Remediation(
            id,
            new NodeName("p5-1"),
            Remedy.REPLACE_NODE,
            Urgency.NOW,
            "xid_79",
            "\"fallen\noff\" the bus",
            AT.minusSeconds(5),
            AT,
            phase,
            AT,
            Optional.of(AT),
            "fan replaced",
            "uid-1",
            List.of(attempt),
            List.of(new EndedJob("4711", AT)),
            Seen.NOTHING),
        Optional.of(
            new BlastRadius(
                List.of(job),
                List.of(new Share("train", 1, 64)),
                3,
                List.of("blocked: ml/w1"),
                List.of("Karpenter may delete the node"))));
  }

  private void write(String... whats) throws IOException {
    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      for (String what : whats) {
        journal.append(entry(what));
      }
    }
  }

  @Test
  void entriesAreReadAgainInTheirOrder() throws IOException {
    write("first", "second");
    write("third");

    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      assertThat(journal.entries())
          .containsExactly(entry("first"), entry("second"), entry("third"));
    }
  }

  @Test
  void aLineThatACrashCutOffIsRemoved() throws IOException {
    write("first");
    Files.writeString(file, "{\"at\":\"2026", StandardOpenOption.APPEND);
    write("second");

    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      assertThat(journal.entries()).containsExactly(entry("first"), entry("second"));
    }
  }

  @Test
  void anyOtherBadLineIsNamed() throws IOException {
    write("first");
    Files.writeString(file, "garbage\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> JournalFile.open(file, Retention.DEFAULT))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ":2: not an entry of the journal");
  }

  /** As written by the first version: without what came later. */
  @Test
  void anOlderEntryIsReadWithoutWhatItLacks() throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        {"at":"2026-11-24T12:00:00Z","what":"reboot","id":"1-8","node":"p5-1",\
        "remedy":"REBOOT_NODE","urgency":"NOW","rule":"xid_79","why":"off the bus",\
        "opened":"2026-11-24T12:00:00Z","phase":"REPAIRING","since":"2026-11-24T12:00:00Z",\
        "taken":"2026-11-24T12:00:00Z","attempts":[{"remedy":"REBOOT_NODE",\
        "at":"2026-11-24T12:00:00Z","bootId":"boot-1","instanceId":"i-0abc"}]}
        """);

    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      Entry entry = journal.entries().get(0);
      assertThat(entry.radius()).isEmpty();
      assertThat(entry.state().earlierReason()).isEmpty();
      assertThat(entry.state().endedJobs()).isEmpty();
      assertThat(entry.state().attempts())
          .singleElement()
          .satisfies(attempt -> assertThat(attempt.hardware()).isEmpty())
          .satisfies(attempt -> assertThat(attempt.outcome()).isEmpty());
    }
  }

  @Test
  void aCompactionThatFailsLeavesNoPartOfTheNewFile() throws IOException {
    Path full = file.resolveSibling(file.getFileName() + ".new");
    Instant longAgo = AT.minus(Duration.ofDays(100));
    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      journal.append(entry("returned", "1-1", longAgo, Phase.RETURNED));
      journal.append(entry("kept"));
      Files.createSymbolicLink(full, Path.of("/dev/full"));
      assertThatThrownBy(() -> journal.compact(AT)).isInstanceOf(IOException.class);

      assertThat(full).doesNotExist();
      assertThat(Files.isSymbolicLink(full)).isFalse();
      journal.append(entry("after it"));
      journal.compact(AT);
      assertThat(journal.entries()).containsExactly(entry("kept"), entry("after it"));
    }
  }

  @Test
  void compactionKeepsWhatIsOpenAndOfWhatEndedItsLastEntry() throws IOException {
    Instant then = AT.minus(Duration.ofDays(40));
    Instant longAgo = AT.minus(Duration.ofDays(100));
    Entry ended = entry("returned", "1-2", then, Phase.RETURNED);
    Entry open = entry("over", "1-3", longAgo, Phase.HANDED_OVER);
    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      journal.append(entry("returned", "1-1", longAgo, Phase.RETURNED));
      journal.append(open);
      journal.append(entry("drain", "1-2", then, Phase.DRAINING));
      journal.append(ended);
      for (int i = 0; i < 200; i++) {
        journal.append(entry("again " + i));
      }
      journal.compact(AT);
      journal.append(entry("after it"));

      assertThat(journal.entries()).hasSize(103).startsWith(open, ended, entry("again 100"));
      assertThatThrownBy(() -> JournalFile.open(file, Retention.DEFAULT))
          .as("it is still locked")
          .isInstanceOf(OverlappingFileLockException.class);
    }
    try (JournalFile journal = JournalFile.open(file, Retention.DEFAULT)) {
      assertThat(journal.entries()).hasSize(103).endsWith(entry("after it"));
    }
  }
}
