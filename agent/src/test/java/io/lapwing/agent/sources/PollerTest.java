package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.collect.Cadence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sources on their own threads, on a virtual clock. */
class PollerTest {

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));

  private final VirtualClock clock = new VirtualClock();
  private final SnapshotBoard board = new SnapshotBoard();
  private final Poller poller = new Poller(board, CADENCES, clock);
  private final FakeSource source = new FakeSource("gpu0").with("power", Cadence.FAST, 1);

  @AfterEach
  void close() {
    source.comeBack();
    poller.close();
  }

  private void awaitRounds(long rounds) {
    await()
        .atMost(PATIENCE)
        .until(() -> poller.activities().stream().allMatch(state -> state.rounds() >= rounds));
  }

  private void awaitBusy() {
    await()
        .atMost(PATIENCE)
        .until(() -> poller.activities().stream().allMatch(state -> state.busy().isPresent()));
  }

  @Test
  void checksContinueWhateverHangs() {
    Duration often = Duration.ofMillis(200);
    CountDownLatch looked = new CountDownLatch(1);
    try (Poller eager = new Poller(board, new Cadences(often, often, often, often), clock)) {
      source.hang();
      eager.add(source);
      eager.start();

      eager.afterNextCheck(looked::countDown);

      await().atMost(PATIENCE).until(() -> looked.getCount() == 0);
    }
  }

  @Test
  void aSourceOfANameThatIsReadAlreadyIsNotReadTwice() {
    FakeSource again = new FakeSource("gpu0").with("power", Cadence.FAST, 2);
    poller.add(source);
    poller.add(again);
    awaitRounds(1);

    assertThat(poller.activities()).hasSize(1);
    assertThat(again.begun()).isEmpty();
  }

  @Test
  void discoveredSourcesFollowTheirParentInOrder() {
    poller.add(new FakeSource("efa"));
    poller.add(new FakeSource("lustre"));
    poller.add(new FakeSource("lustre-scratch", Optional.of("lustre")));
    poller.add(new FakeSource("efa-rdmap0", Optional.of("efa")));
    poller.add(new FakeSource("efa-rdmap1", Optional.of("efa")));

    assertThat(poller.activities())
        .extracting(SourceActivity::source)
        .containsExactly("efa", "efa-rdmap0", "efa-rdmap1", "lustre", "lustre-scratch");
  }

  @Test
  void itIsSettledOnceEachSourceFinishedARoundOrHangs() {
    FakeSource hanging = new FakeSource("gpu1").with("power", Cadence.FAST, 2);
    hanging.hang();
    poller.add(source);
    poller.add(hanging);
    assertThat(poller.settled()).isFalse();
    poller.start();
    await().atMost(PATIENCE).until(() -> poller.activities().get(0).rounds() == 1);
    await().atMost(PATIENCE).until(() -> poller.activities().get(1).busy().isPresent());
    assertThat(poller.settled()).isFalse();

    clock.advance(Duration.ofSeconds(5).plusNanos(1));

    assertThat(poller.settled()).isTrue();
    hanging.comeBack();
  }

  @Test
  void aSourceHangsOnceItsRoundTakesLongerThanTheDeadline() {
    source.hang();
    poller.add(source);
    awaitBusy();
    clock.advance(Duration.ofSeconds(5));
    assertThat(poller.activities().get(0).hung()).isFalse();

    clock.advance(Duration.ofSeconds(2));

    SourceActivity state = poller.activities().get(0);
    assertThat(state.hung()).isTrue();
    assertThat(state.busy()).hasValue(Duration.ofSeconds(7));
    assertThat(state.doing()).isEqualTo("the start of a round");
    assertThat(poller.sources().get(0).answers()).isFalse();

    source.comeBack();
    awaitRounds(1);
    assertThat(poller.sources().get(0).answers()).isTrue();
  }

  @Test
  void thereIsNeverASecondCallOverOneThatHangs() {
    Set<Thread> ofEarlierTests = threads("source-gpu0");
    source.hang();
    poller.add(source);
    awaitBusy();
    for (int i = 0; i < 10; i++) {
      clock.advance(Duration.ofSeconds(60));
    }
    poller.add(source);

    assertThat(source.begun()).hasSize(1);
    assertThat(threads("source-gpu0"))
        .filteredOn(thread -> !ofEarlierTests.contains(thread))
        .hasSize(1);
  }

  private static Set<Thread> threads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .collect(Collectors.toSet());
  }

  @Test
  void aRemovedSourceLeavesNoThreadOrSeries() {
    poller.add(source);
    awaitRounds(1);
    poller.remove("gpu0");
    poller.remove("gpu0");

    assertThat(poller.activities()).isEmpty();
    assertThat(board.snapshot("gpu0")).isEmpty();
    await().atMost(PATIENCE).until(() -> source.closed() == 1);
  }

  @Test
  void aSourceRemovedWhileHungPublishesNothingWhenItReturns() {
    source.hang();
    poller.add(source);
    awaitBusy();
    poller.remove("gpu0");
    assertThat(poller.activities()).isEmpty();

    source.comeBack();

    await().atMost(PATIENCE).until(() -> source.closed() == 1);
    assertThat(board.snapshot("gpu0")).isEmpty();
  }

  @Test
  void aRemovedSourcesNameMayBeReused() {
    source.hang();
    poller.add(source);
    awaitBusy();
    poller.remove("gpu0");
    FakeSource next = new FakeSource("gpu0").with("power", Cadence.FAST, 2);
    poller.add(next);
    awaitRounds(1);
    source.comeBack();
    await().atMost(PATIENCE).until(() -> source.closed() == 1);

    assertThat(board.snapshot("gpu0")).isPresent();
    assertThat(next.closed()).isZero();
    poller.remove("gpu0");
    assertThat(board.snapshot("gpu0")).isEmpty();
  }

  @Test
  void sourcesKeepTheOrderInWhichTheyCame() {
    List<String> names = List.of("node", "nvml", "gpu1", "gpu0", "a");
    names.forEach(name -> poller.add(new FakeSource(name)));

    assertThat(poller.activities())
        .extracting(SourceActivity::source)
        .containsExactlyElementsOf(names);
  }

  @Test
  void readErrorsAreCountedByCollectorAndReason() {
    ReadErrors errors = new ReadErrors();
    errors.add("power", "timeout");
    errors.add("clocks", "timeout");
    errors.add("power", "timeout");
    errors.add("power", "bug");

    assertThat(errors.counts())
        .containsExactly(
            new ReadErrors.Count("clocks", "timeout", 1),
            new ReadErrors.Count("power", "bug", 1),
            new ReadErrors.Count("power", "timeout", 2));
  }
}
