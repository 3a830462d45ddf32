package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.LogDirectory.LogFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Findings that users can make by the thousand never displace those of hardware. */
class MinorFindingsTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

  private static Event opened(int second, String rule, String subject, String severity) {
    Instant at = START.plusSeconds(second);
    return new Event.FindingOpened(at, at, rule, subject, severity, "watch", "w".repeat(200));
  }

  private static Event closed(int second, String rule, String subject) {
    return new Event.FindingClosed(START.plusSeconds(second), rule, subject, "gone");
  }

  private static final Event XID_79 = opened(0, "xid_79", "gpu:GPU-0", "failing");

  /** An agent that runs with a log in a directory. */
  private static final class Run implements AutoCloseable {
    final List<Event> written = new ArrayList<>();
    final EventHistory history;
    private final EventLog log;
    final OpenResult opened;

    Run(Path dir) {
      AtomicReference<EventHistory> now = new AtomicReference<>();
      opened =
          EventLog.open(
              dir,
              Limits.DEFAULT,
              InstantSource.fixed(START),
              () -> Objects.requireNonNull(now.get()).events());
      log = opened.log();
      history =
          new EventHistory(
              opened.events(),
              events -> {
                written.addAll(events);
                assertThat(log.append(events)).isInstanceOf(Durability.Durable.class);
              },
              event -> {});
      now.set(history);
    }

    @Override
    public void close() {
      log.close();
    }
  }

  private static long sizeOf(Path dir) throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void anXidStaysWhileThousandsOfRanksStall(@TempDir Path dir) throws IOException {
    try (Run run = new Run(dir)) {
      run.history.add(List.of(XID_79));
      for (int i = 1; i < 20_000; i++) {
        String subject = "training:job" + i + "/0";
        run.history.add(List.of(opened(i, "training_stall", subject, "info")));
        run.history.add(List.of(closed(i + 1, "training_stall", subject)));
      }
      assertThat(run.history.events()).contains(XID_79);
      assertThat(run.history.events()).hasSizeLessThanOrEqualTo(MinorFindings.MAX_EVENTS + 1);
      assertThat(run.history.events())
          .as("the newest")
          .contains(closed(20_000, "training_stall", "training:job19999/0"));
      assertThat(run.history.counts()).containsEntry("finding_opened", 20_000L);
      // Six hours, of which each writes 500.
      assertThat(run.written).hasSizeLessThan(3_200);
    }
    assertThat(sizeOf(dir)).isLessThan(2 << 20);

    try (Run restarted = new Run(dir)) {
      assertThat(restarted.opened.problems()).isEmpty();
      assertThat(restarted.history.events()).contains(XID_79);
    }
  }

  @Test
  void infoFindingsOfHardwareAreMinorUntilTheyEscalate() {
    EventHistory history = new EventHistory(List.of(), events -> {}, event -> {});
    Event slow = opened(0, "gpu_slow_clock", "gpu:GPU-0", "info");
    history.add(List.of(slow));
    history.add(
        List.of(
            new Event.FindingEscalated(
                START, "gpu_slow_clock", "gpu:GPU-0", "degraded", "reset_gpu")));
    for (int i = 1; i < 2_000; i++) {
      history.add(List.of(opened(i, "oom_kill", "node", "info"), closed(i, "oom_kill", "node")));
    }

    assertThat(history.events()).contains(slow);
    assertThat(history.events().stream().filter(MinorFindings::isMinor).count())
        .isLessThanOrEqualTo(MinorFindings.MAX_EVENTS);
  }

  @Test
  void longTextsCountByTheirBytes() {
    EventHistory history = new EventHistory(List.of(XID_79), events -> {}, event -> {});
    for (int i = 0; i < 300; i++) {
      history.add(
          List.of(
              new Event.FindingOpened(
                  START,
                  START,
                  "training_stall",
                  "training:" + i,
                  "info",
                  "watch",
                  "\u0001".repeat(2000))));
    }
    long bytes = history.events().stream().mapToLong(Compaction::lineSize).sum();

    assertThat(bytes).isLessThan(MinorFindings.MAX_BYTES + 1000);
    assertThat(history.events()).contains(XID_79);
  }

  @Test
  @Timeout(60)
  void whatIsNoFileIsPassedOver(@TempDir Path dir) throws Exception {
    try (Run run = new Run(dir)) {
      run.history.add(List.of(XID_79));
    }
    Files.createDirectory(dir.resolve("events-000001.jsonl"));
    Files.createSymbolicLink(dir.resolve("events-000002.jsonl"), Path.of("/dev/zero"));
    Process fifo =
        new ProcessBuilder("mkfifo", dir.resolve("events-000003.jsonl").toString()).start();
    assertThat(fifo.waitFor()).isZero();

    try (Run run = new Run(dir)) {
      assertThat(run.opened.events()).contains(XID_79);
      assertThat(run.opened.problems())
          .hasSize(3)
          .allMatch(problem -> problem.toString().contains("not a regular file"));
      for (int i = 0; i < 12_000; i++) {
        Instant at = START.plus(Duration.ofHours(i));
        run.history.add(List.of(new Event.GpuLost(at, "GPU-" + i, "gpu_is_lost")));
      }
    }
    assertThat(new LogFiles(dir).older()).as("its own files are numbered behind").isNotEmpty();
    assertThat(new LogFiles(dir).foreign()).hasSize(3);
  }

  @Test
  @Timeout(60)
  void aFifoInPlaceOfTheLogIsAFailureAndNoWait(@TempDir Path dir) throws Exception {
    Process fifo = new ProcessBuilder("mkfifo", dir.resolve("events.jsonl").toString()).start();
    assertThat(fifo.waitFor()).isZero();
    OpenResult opened = EventLog.open(dir, Limits.DEFAULT, InstantSource.fixed(START), List::of);

    assertThat(opened.log().durability()).isInstanceOf(Durability.NotDurable.class);
    assertThat(opened.log().durability().toString()).contains("not a regular file");
  }
}
