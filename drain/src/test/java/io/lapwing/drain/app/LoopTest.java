package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.NodeDirectory;
import io.lapwing.drain.intake.RequestIntake;
import io.lapwing.drain.intake.Result;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Ports;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LoopTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final FakeCluster fake = new FakeCluster(10, Policy.DEFAULT);
  private final WatchedCluster cluster = new WatchedCluster(fake, new NodeDirectory());
  private final FullDisk disk = new FullDisk();
  private final WatchedJournal journal =
      new WatchedJournal(disk, this::decided, InstantSource.system());
  private final Controller controller =
      new Controller(Policy.DEFAULT, Ports.of(cluster, fake, fake, Optional::empty), journal);
  private final Loop loop =
      new Loop(
          controller,
          LONG,
          now -> new Snapshot(Optional.of(now.state(fake.now)), List.of()),
          () -> fake.now);
  private final RequestIntake intake = new RequestIntake(loop);
  private final State state =
      new State(loop, cluster, journal, Optional::empty, Optional::empty, InputWatches.polled());

  private void decided(Entry entry) {
    intake.decided(entry);
  }

  /** A journal that cannot be written while the disk is full. */
  private static final class FullDisk implements io.lapwing.drain.journal.Journal {
    private final MemoryJournal journal = new MemoryJournal();
    private volatile boolean full;

    @Override
    public void append(Entry entry) throws IOException {
      if (full) {
        throw new IOException("journal.jsonl: No space left on device");
      }
      journal.append(entry);
    }

    @Override
    public void forEach(Consumer<Entry> reader) {
      journal.forEach(reader);
    }

    @Override
    public void compact(Instant now) {
      journal.compact(now);
    }
  }

  private Request request(int node) {
    return new Request(
        "key-" + node,
        new NodeName("n000" + node),
        Remedy.REBOOT_NODE,
        Urgency.NOW,
        "xid_79",
        "XID 79",
        "alertmanager",
        fake.now,
        false);
  }

  @Test
  void aRequestBeginsARoundAtOnce() throws IOException {
    loop.start();
    await().until(() -> state.notReady().isEmpty());

    assertThat(loop.request(request(1), fake.now)).isEmpty();

    // The agent was asked, and says that the node is healthy.
    await().until(() -> journal.recent().size() == 2);
    assertThat(journal.recent().get(1).state().phase()).isEqualTo(Phase.NOT_NEEDED);
  }

  private Phase lastPhase() {
    List<Entry> all = journal.recent();
    return all.isEmpty() ? Phase.REQUESTED : all.get(all.size() - 1).state().phase();
  }

  @Test
  void anAlertThatStillFiresAsksTheAgentAgainAfterItSaidThatNothingIsNeeded() {
    loop.start();
    await().until(() -> state.notReady().isEmpty());
    for (int i = 1; i <= 3; i++) {
      int entries = 2 * i;
      assertThat(intake.take(request(1), fake.now).result()).isEqualTo(Result.TAKEN);
      await().until(() -> journal.recent().size() == entries);
      assertThat(lastPhase()).isEqualTo(Phase.NOT_NEEDED);
    }

    fake.breaks(fake.node(1), Remedy.REBOOT_NODE);
    assertThat(intake.take(request(1), fake.now).result()).isEqualTo(Result.TAKEN);
    assertThat(intake.take(request(1), fake.now).result()).isEqualTo(Result.DUPLICATE);
  }

  private Remediation ended(Phase phase) {
    Remediation open = Remediation.of("1-1", request(1), fake.now);
    return new Remediation(
        open.id(),
        open.node(),
        open.remedy(),
        open.urgency(),
        open.rule(),
        open.why(),
        open.began(),
        open.opened(),
        phase,
        fake.now,
        Optional.empty(),
        "",
        "",
        List.of(),
        List.of(),
        open.seen());
  }

  /** It came too late for the remediation that ends, and would be lost as a repetition. */
  @Test
  void whatIsRequestedWhileANodeIsReturnedIsAskedForAgain() {
    RequestIntake alone = new RequestIntake((request, at) -> Optional.empty());
    alone.decided(new Entry(fake.now, "", ended(Phase.RETURNING), Optional.empty()));
    assertThat(alone.take(request(1), fake.now).result()).isEqualTo(Result.TAKEN);
    assertThat(alone.take(request(1), fake.now).result()).isEqualTo(Result.DUPLICATE);
    alone.decided(new Entry(fake.now, "", ended(Phase.RETURNED), Optional.empty()));
    assertThat(alone.take(request(1), fake.now).result()).isEqualTo(Result.TAKEN);
  }

  /** A storm of one message has to be seen before its first node is taken. */
  @Test
  void theRequestsOfAMessageComeBeforeTheNextRound() {
    loop.start();
    await().until(() -> state.notReady().isEmpty());
    List<Integer> nodes = List.of(1, 2, 3, 4, 5, 6);
    nodes.forEach(node -> fake.breaks(fake.node(node), Remedy.REBOOT_NODE));
    intake.together(() -> nodes.forEach(node -> intake.take(request(node), fake.now)));
    await()
        .untilAsserted(
            () ->
                assertThat(loop.snapshot().state().orElseThrow().waiting().values())
                    .hasSize(6)
                    .allSatisfy(one -> assertThat(one.why()).contains("on 6 nodes at once")));
    assertThat(fake.commands).isEmpty();
  }

  @Test
  void theSameFiringDoesNotTakeANodeTwice() {
    fake.breaks(fake.node(1), Remedy.REBOOT_NODE);
    loop.start();
    assertThat(intake.take(request(1), fake.now).result()).isEqualTo(Result.TAKEN);
    for (Phase end : List.of(Phase.TAKEN_OVER, Phase.RETURNED, Phase.HANDED_OVER)) {
      intake.decided(new Entry(fake.now, "", ended(end), Optional.empty()));
    }

    assertThat(intake.take(request(1), fake.now).result()).isEqualTo(Result.DUPLICATE);
  }

  @Test
  void whatCannotBeWrittenIsRefusedAndSaidInWordsUntilItCan() throws IOException {
    loop.start();
    await().until(() -> state.notReady().isEmpty());
    disk.full = true;

    assertThatThrownBy(() -> loop.request(request(1), fake.now))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space left on device");
    assertThat(state.notReady())
        .contains("the journal cannot be written: journal.jsonl: No space left on device");
    assertThat(loop.snapshot().open()).isEmpty();

    disk.full = false;
    assertThat(loop.request(request(1), fake.now)).isEmpty();
    assertThat(state.notReady()).isEmpty();
  }

  @Test
  void aNodeThatFailsCountsAndDoesNotKeepTheOthersWaiting() throws IOException {
    loop.start();
    await().until(() -> loop.lastRound().isPresent());
    assertThat(loop.failedRounds()).isZero();
    Instant before = fake.now;
    fake.breaks(fake.node(1), Remedy.REBOOT_NODE);
    fake.failing = Optional.of(new NodeName("n0001"));
    fake.advance(Duration.ofMinutes(1));
    loop.request(request(1), fake.now);
    loop.request(request(2), fake.now);

    await().until(() -> lastPhase() == Phase.NOT_NEEDED);
    assertThat(journal.recent()).anyMatch(e -> e.state().node().equals(new NodeName("n0002")));
    await().until(() -> loop.failedRounds() == 1);
    loop.request(request(3), fake.now);
    await().until(() -> journal.recent().size() >= 5);
    assertThat(loop.failedRounds()).as("a round of others says nothing of it").isEqualTo(1);
    assertThat(loop.lastRound()).contains(before);
    assertThat(loop.snapshot().calls()).anyMatch(call -> call.contains("its step failed"));
  }

  /** A request is retried by its sender, a reload is not. */
  @Test
  void aChangeOfTheConfigurationWaitsForTheEndOfALongRound() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Loop slow =
        new Loop(
            controller,
            LONG,
            now -> {
              begun.countDown();
              return after(end);
            },
            () -> fake.now,
            Duration.ofMillis(50));
    slow.start();
    begun.await();
    AtomicReference<Controller> changed = new AtomicReference<>();
    FutureTask<Boolean> change =
        new FutureTask<>(
            () -> {
              slow.change(
                  before -> {
                    changed.set(before);
                    return before;
                  },
                  LONG);
              return true;
            });
    new Thread(change).start();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> slow.request(request(1), fake.now)).hasMessageContaining("busy");
    }
    assertThat(changed).hasNullValue();

    end.countDown();
    assertThat(change.get()).isTrue();
    assertThat(changed).hasValue(controller);
  }

  private static Snapshot after(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Snapshot.NONE;
  }

  @Test
  void aSchedulerThatDoesNotAnswerIsNeverReady() {
    fake.schedulerDown = true;
    loop.start();

    await().until(() -> loop.snapshot().state().isPresent());
    assertThat(state.notReady().orElseThrow()).startsWith("the cluster cannot be seen: ");
  }
}
