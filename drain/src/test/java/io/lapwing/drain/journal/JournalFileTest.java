package io.lapwing.drain.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.remediation.Attempt;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.request.Urgency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
    Attempt attempt = new Attempt(Remedy.REBOOT_NODE, AT, "boot-1", "i-0abc");
    return new Entry(
        AT,
        what,
        new Remediation(
            "1798854460-8",
            new NodeName("p5-1"),
            Remedy.REPLACE_NODE,
            Urgency.NOW,
            "xid_79",
            "\"fallen\noff\" the bus",
            AT,
            Phase.REPAIRING,
            AT,
            Optional.of(AT),
            List.of(attempt),
            Optional.empty()));
  }

  private void write(String... whats) throws IOException {
    try (JournalFile journal = JournalFile.open(file)) {
      for (String what : whats) {
        journal.append(entry(what));
      }
    }
  }

  @Test
  void entriesAreReadAgainInTheirOrder() throws IOException {
    write("first", "second");
    write("third");

    try (JournalFile journal = JournalFile.open(file)) {
      assertThat(journal.entries())
          .containsExactly(entry("first"), entry("second"), entry("third"));
    }
  }

  @Test
  void aLineThatACrashCutOffIsRemoved() throws IOException {
    write("first");
    Files.writeString(file, "{\"at\":\"2026", StandardOpenOption.APPEND);
    write("second");

    try (JournalFile journal = JournalFile.open(file)) {
      assertThat(journal.entries()).containsExactly(entry("first"), entry("second"));
    }
  }

  @Test
  void anyOtherBadLineIsNamed() throws IOException {
    write("first");
    Files.writeString(file, "garbage\n", StandardOpenOption.APPEND);

    assertThatThrownBy(() -> JournalFile.open(file))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ":2: not an entry of the journal");
  }
}
