package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.CollectorRun;
import io.lapwing.metric.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rounds of one source, run by hand. */
class SourceWorkerTest {

  private static final Cadences CADENCES =
      new Cadences(
          Duration.ofSeconds(5),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(5));
  private static final Logger ROOT = Logger.getLogger("io.lapwing.agent.sources");

  private final VirtualClock clock = new VirtualClock();
  private final SnapshotBoard board = new SnapshotBoard();
  private final ReadErrors errors = new ReadErrors();
  private final FakeSource source = new FakeSource("gpu0");
  private final Records records = new Records();
  private final AtomicLong paused = new AtomicLong();

  private static final class Records extends Handler {
    private final List<String> messages = new ArrayList<>();

    @Override
    public void publish(LogRecord record) {
      messages.add(record.getLevel() + " " + record.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    ROOT.addHandler(records);
  }

  @AfterEach
  void stopListening() {
    ROOT.removeHandler(records);
  }

  private SourceWorker worker() {
    return new SourceWorker(
        source,
        board,
        errors,
        CADENCES,
        new Timetable(clock.nanoTime(), new ScrapeForecast()),
        clock,
        paused::get);
  }

  private SourceSnapshot seen() {
    return board.snapshot("gpu0").orElseThrow();
  }

  private CollectorRun seen(String collector) {
    return seen().runs().stream()
        .filter(run -> run.collector().equals(collector))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRoundRunsWhatIsDueAndKeepsTheLastRunOfTheRest() {
    source.with("power", Cadence.FAST, 1).with("remap", Cadence.SLOW, 2);
    SourceWorker worker = worker();

    worker.round();
    clock.advance(Duration.ofSeconds(1));
    worker.round();

    assertThat(source.begun()).containsExactly(List.of("power", "remap"), List.of("power"));
    assertThat(seen("power").at()).isEqualTo(VirtualClock.START.plusSeconds(1));
    assertThat(seen("remap").at()).isEqualTo(VirtualClock.START);
    assertThat(worker.activity().rounds()).isEqualTo(2);
    assertThat(worker.activity().settled()).isTrue();
  }

  @Test
  void aCallThatHungStaysHungUntilItReturnsWhateverPauseIsNoticedLater() {
    List<Boolean> hung = new ArrayList<>();
    List<SourceWorker> worker = new ArrayList<>();
    source.with(
        "power",
        Cadence.FAST,
        sink -> {
          clock.advance(Duration.ofSeconds(4));
          hung.add(worker.get(0).activity().hung());
          clock.advance(Duration.ofSeconds(4));
          hung.add(worker.get(0).activity().hung());
          paused.addAndGet(Duration.ofSeconds(6).toNanos());
          hung.add(worker.get(0).activity().hung());
        });
    worker.add(worker());

    worker.get(0).round();
    hung.add(worker.get(0).activity().hung());

    assertThat(hung).containsExactly(false, true, true, false);
  }

  @Test
  void aRoundIsLateIfItHungAndUntilOneEndsInTime() {
    List<Duration> takes = new ArrayList<>(List.of(Duration.ofSeconds(6), Duration.ZERO));
    List<Boolean> late = new ArrayList<>();
    List<SourceWorker> worker = new ArrayList<>();
    source.with(
        "power",
        Cadence.FAST,
        sink -> {
          late.add(worker.get(0).activity().late());
          clock.advance(takes.remove(0));
        });
    worker.add(worker());

    for (int round = 0; round < 2; round++) {
      worker.get(0).round();
      late.add(worker.get(0).activity().late());
      clock.advance(Duration.ofSeconds(5));
    }

    assertThat(late).containsExactly(false, true, true, false);
  }

  @Test
  void aCollectorThatThrowsCostsItsOwnRunOnly() {
    source
        .with(
            "broken",
            Cadence.FAST,
            sink -> {
              throw new IllegalStateException("seven");
            })
        .with("power", Cadence.FAST, 1);

    worker().round();

    assertThat(seen("broken"))
        .isInstanceOfSatisfying(
            CollectorRun.Broken.class,
            run -> {
              assertThat(run.reason()).isEqualTo("bug");
              assertThat(run.why()).contains("seven");
            });
    assertThat(seen("power")).isInstanceOf(CollectorRun.Collected.class);
    assertThat(seen().access()).isInstanceOf(Access.Ready.class);
    assertThat(errors.counts()).containsExactly(new ReadErrors.Count("broken", "bug", 1));
  }

  @Test
  void whatACollectorWroteBeforeItThrewIsNotOnTheNextPage() {
    boolean[] broken = {true};
    source.with(
        "power",
        Cadence.FAST,
        sink -> {
          sink.add(FakeSource.RATIO, Labels.NONE, 7);
          if (broken[0]) {
            throw new IllegalStateException("after the first");
          }
        });
    SourceWorker worker = worker();
    worker.round();
    broken[0] = false;
    clock.advance(Duration.ofSeconds(1));
    worker.round();

    assertThat(((CollectorRun.Collected) seen("power")).samples().size()).isEqualTo(1);
  }

  @Test
  void aBugIsLoggedOnceForEachMessage() {
    int[] round = {0};
    source.with(
        "broken",
        Cadence.FAST,
        sink -> {
          throw new IllegalStateException(round[0]++ < 3 ? "seven" : "eight");
        });
    SourceWorker worker = worker();
    for (int i = 0; i < 5; i++) {
      worker.round();
      clock.advance(Duration.ofSeconds(5));
    }

    assertThat(records.messages)
        .filteredOn(line -> line.contains("collector failed with a bug"))
        .hasSize(2);
    assertThat(errors.counts()).containsExactly(new ReadErrors.Count("broken", "bug", 5));
  }

  @Test
  void aSourceThatThrowsInBeginIsDownForThatRoundAndLoggedOnce() {
    source.with("power", Cadence.FAST, 1);
    source.throwsWhenRead(() -> new IllegalArgumentException("nine"));
    SourceWorker worker = worker();

    for (int i = 0; i < 3; i++) {
      worker.round();
      clock.advance(Duration.ofSeconds(5));
    }

    assertThat(seen().access()).isInstanceOf(Access.Down.class);
    assertThat(seen("power").success()).isFalse();
    assertThat(records.messages)
        .filteredOn(line -> line.contains("source failed with a bug"))
        .hasSize(1);

    source.is(Access.READY);
    worker.round();
    assertThat(seen("power").success()).isTrue();
    assertThat(records.messages).last().asString().contains("answers again");
  }

  @Test
  void whatIsDownIsDownForTheCollectorsThatAreNotDueToo() {
    source.with("power", Cadence.FAST, 1).with("remap", Cadence.SLOW, 2);
    SourceWorker worker = worker();
    worker.round();
    source.is(new Access.Down("gpu_is_lost", "it fell off"));
    clock.advance(Duration.ofSeconds(1));
    worker.round();

    assertThat(seen().runs())
        .hasSize(2)
        .allSatisfy(
            run ->
                assertThat(run)
                    .isInstanceOfSatisfying(
                        CollectorRun.Broken.class,
                        broken -> assertThat(broken.reason()).isEqualTo("gpu_is_lost")));
    assertThat(errors.counts())
        .containsExactly(
            new ReadErrors.Count("power", "gpu_is_lost", 1),
            new ReadErrors.Count("remap", "gpu_is_lost", 1));
    assertThat(seen().of("remap").orElseThrow().success()).contains(VirtualClock.START);
  }

  @Test
  void aSourceThatWasDownForLongReturnsWithTheValuesOfEveryCadence() {
    source
        .with("power", Cadence.FAST, 1)
        .with("temperature", Cadence.MEDIUM, 2)
        .with("remap", Cadence.SLOW, 3);
    SourceWorker worker = worker();
    worker.round();
    source.is(new Access.Down("gpu_is_lost", "it fell off"));
    for (int round = 0; round < 8; round++) {
      clock.advance(Duration.ofNanos(worker.nanosUntilTurn(false)));
      worker.round();
    }
    source.is(Access.READY);
    clock.advance(Duration.ofNanos(worker.nanosUntilTurn(false)));
    worker.round();

    assertThat(view(worker).answers()).isTrue();
    assertThat(view(worker).current(CADENCES)).hasSize(3);
  }

  @Test
  void aSourceThatIsLostAgainSoonAfterItsReturnIsDownWithinTheFastCadence() {
    source.with("power", Cadence.FAST, 1).with("remap", Cadence.SLOW, 2);
    SourceWorker worker = worker();
    source.is(new Access.Down("gpu_is_lost", "it fell off"));
    for (int round = 0; round < 9; round++) {
      worker.round();
      clock.advance(Duration.ofNanos(worker.nanosUntilTurn(false)));
    }
    source.is(Access.READY);
    worker.round();
    source.is(new Access.Down("gpu_is_lost", "it fell off again"));
    Duration wait = Duration.ofNanos(worker.nanosUntilTurn(false));
    clock.advance(wait);
    worker.round();

    assertThat(wait).isLessThanOrEqualTo(CADENCES.fast());
    assertThat(view(worker).answers()).isFalse();
    assertThat(view(worker).current(CADENCES)).isEmpty();
  }

  @Test
  void whatIsNotHereIsASuccessWithoutSamplesAndNoError() {
    source.with("power", Cadence.FAST, 1);
    source.is(new Access.NothingHere("no GPU in this node"));

    worker().round();

    assertThat(seen("power")).isInstanceOf(CollectorRun.NothingHere.class);
    assertThat(seen("power").success()).isTrue();
    assertThat(seen().of("power").orElseThrow().success()).isPresent();
    assertThat(errors.counts()).isEmpty();
  }

  @Test
  void aChangeOfStateIsLoggedOnce() {
    source.with("power", Cadence.FAST, 1);
    SourceWorker worker = worker();
    Access lost = new Access.Down("gpu_is_lost", "it fell off");
    for (Access access : List.of(Access.READY, lost, lost, Access.READY, Access.READY)) {
      source.is(access);
      worker.round();
      clock.advance(Duration.ofSeconds(5));
    }

    assertThat(records.messages)
        .hasSize(2)
        .first()
        .asString()
        .contains("WARNING")
        .contains("source is down");
  }

  @Test
  void aFailedReadIsCountedUnderItsReasonAndCostsNoOtherSample() {
    source.with(
        "power",
        Cadence.FAST,
        sink -> {
          sink.failed("nvmlDeviceGetPowerUsage", "timeout");
          sink.add(FakeSource.RATIO, Labels.NONE, 7);
        });

    worker().round();

    assertThat(seen("power").success()).isTrue();
    assertThat(errors.counts()).containsExactly(new ReadErrors.Count("power", "timeout", 1));
  }

  @Test
  void aSourceWithoutCollectorsIsReadToo() {
    SourceWorker worker = worker();
    worker.round();

    assertThat(source.begun()).containsExactly(List.of());
    assertThat(seen().runs()).isEmpty();
    assertThat(worker.activity().settled()).isTrue();
  }

  @Test
  void anIdleSourceIsNotBusyHoweverLongItWaits() {
    source.with("power", Cadence.FAST, 1);
    SourceWorker worker = worker();
    worker.round();
    clock.advance(Duration.ofHours(1));

    assertThat(worker.activity().busy()).isEmpty();
    assertThat(worker.activity().hung()).isFalse();
  }

  @Test
  void aRunHoldsForThreePeriodsAndTheDeadline() {
    source.with("power", Cadence.FAST, 1);
    SourceWorker worker = worker();
    worker.round();
    clock.advance(Duration.ofSeconds(20));

    assertThat(view(worker).current(CADENCES)).hasSize(1);
    clock.advance(Duration.ofNanos(1));
    assertThat(view(worker).current(CADENCES)).isEmpty();
  }

  private SourceView view(SourceWorker worker) {
    return SourceView.of(worker, board.snapshot("gpu0"), clock.nanoTime());
  }
}
