package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WatchedJournalTest {

  private static final Policy POLICY = Policy.DEFAULT.all(Mode.ACT);

  private final FakeCluster cluster = new FakeCluster(10, POLICY);
  private final Instant start = cluster.now;
  private final MemoryJournal file = new MemoryJournal();

  /** Each decision takes two seconds. */
  private final AtomicReference<Instant> clock = new AtomicReference<>(start);

  private final WatchedJournal journal =
      new WatchedJournal(
          file, entry -> {}, () -> clock.updateAndGet(at -> at.plus(Duration.ofSeconds(2))));

  private final Controller controller = new Controller(POLICY, cluster.ports(), journal);

  private void request(int index) throws IOException {
    FakeNode node = cluster.node(index);
    assertThat(
            controller.request(
                new Request(
                    "key-" + index,
                    cluster.name(node),
                    Remedy.REBOOT_NODE,
                    Urgency.NOW,
                    "",
                    "",
                    "ada",
                    cluster.now,
                    false),
                cluster.now))
        .isEmpty();
  }

  @Test
  void anEntryHasTheTimeAtWhichItIsWritten() throws IOException {
    request(1);
    request(2); // Both nodes are healthy: two entries of one round.
    controller.round(start);

    assertThat(journal.recent())
        .extracting(Entry::at)
        .containsExactly(
            start.plusSeconds(2), start.plusSeconds(4), start.plusSeconds(6), start.plusSeconds(8));
    assertThat(file.entries()).as("the file has the same").isEqualTo(journal.recent());
  }
}
