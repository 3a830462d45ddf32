package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.Scheduler;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.intake.IntakeCounts;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.queue.QueueWatch;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DrainDocumentTest {
  private static final Path DOCUMENT = Path.of("../docs/drain.md");
  private static final Path METRICS = Path.of("../docs/drain-metrics.md");
  private static final Pattern ROW = Pattern.compile("`(lapwing_[a-z_]+)`");

  private final FakeCluster fake = new FakeCluster(1, Policy.DEFAULT);

  /** Names on the page, without the suffixes of histograms. */
  private Set<String> exposed() throws IOException {
    WatchedCluster cluster = new WatchedCluster(fake, new NodeDirectory());
    WatchedJournal journal = new WatchedJournal(new MemoryJournal(), entry -> {}, () -> fake.now);
    Controller controller =
        new Controller(Policy.DEFAULT, Ports.of(cluster, fake, fake, Optional::empty), journal);
    controller.round(fake.now);
    Scheduler.Seen unused = cluster.view();
    Loop loop =
        new Loop(
            controller,
            Duration.ofHours(1),
            now -> new Snapshot(Optional.of(now.state(fake.now)), List.of()),
            () -> fake.now);
    loop.start();
    await().until(() -> loop.snapshot().state().isPresent());
    DrainMetrics metrics = new DrainMetrics();
    metrics.add(
        new StateCollector(
            new State(
                loop, cluster, journal, Optional::empty, Optional::empty, InputWatches.polled()),
            () -> Policy.DEFAULT,
            () -> new IntakeCounts(Map.of()),
            "1"));
    QueueWatch queue = new QueueWatch(() -> new JobQueue.Queue(List.of()), cluster::last);
    queue.read(fake.now);
    metrics.add(new QueueCollector(queue));
    Set<String> names = new TreeSet<>();
    Matcher type = Pattern.compile("# TYPE (\\S+) ").matcher(metrics.text());
    while (type.find()) {
      names.add(type.group(1));
    }
    return names;
  }

  @Test
  void theDocumentHasEveryMetricAndNoOther() throws IOException {
    Set<String> documented = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(METRICS));
    while (row.find()) {
      documented.add(row.group(1));
    }

    // No node is held.
    documented.remove("lapwing_drain_held_since_timestamp_seconds");
    assertThat(documented).isEqualTo(exposed());
  }

  @Test
  void theDocumentHasEveryPhase() throws IOException {
    String text = Files.readString(DOCUMENT);
    for (Phase phase : Phase.values()) {
      assertThat(text).contains("`" + phase.word() + "`");
    }
  }
}
