package io.lapwing.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FindingTrackerTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final Subject GPU = new Subject.Gpu("GPU-3");

  private static final RuleSpec SPEC =
      RuleSpec.named("hot")
          .disposition(Disposition.WATCH)
          .openAfter(Duration.ofSeconds(30))
          .closeAfter(Duration.ofSeconds(60))
          .build();

  private static final Detection HOT = detection("hot", SPEC.aws());

  private final List<Event> log = new ArrayList<>();
  private FindingTracker book = new FindingTracker(List.of(SPEC), List.of());
  private boolean visible = true;

  private static Detection detection(String rule, Disposition disposition) {
    return new Detection(
        rule,
        GPU,
        disposition,
        "what",
        "why",
        "doc",
        Optional.empty(),
        Optional.empty(),
        1,
        List.of("test"));
  }

  private List<Finding> at(int second, Detection... symptoms) {
    log.addAll(
        book.update(
            START.plusSeconds(second),
            Duration.ofSeconds(second),
            List.of(symptoms),
            (rule, subject, detected) -> visible));
    return book.findings();
  }

  @Test
  void aDetectionOpensAFindingAfterItsDelay() {
    assertThat(at(0, HOT)).isEmpty();
    assertThat(at(29, HOT)).isEmpty();
    assertThat(at(30, HOT)).hasSize(1);
    assertThat(log).singleElement().isInstanceOf(Event.FindingOpened.class);
  }

  private static final RuleSpec LOST =
      RuleSpec.named("lost")
          .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
          .openAfter(Duration.ofSeconds(5))
          .build();

  @Test
  void whatWasDetectedAtTheStartIsUnknownUntilItIsConfirmed() {
    book = new FindingTracker(List.of(SPEC, LOST), List.of());
    Detection gone = detection("lost", LOST.aws());
    assertThat(at(0, HOT, gone)).isEmpty();
    assertThat(book.withUnconfirmed())
        .as("not what is only degraded")
        .singleElement()
        .extracting(one -> one.disposition().severity())
        .isEqualTo(Severity.UNKNOWN);
    assertThat(at(5, HOT, gone)).hasSize(1);
    assertThat(book.withUnconfirmed()).isEqualTo(book.findings());
  }

  @Test
  void whatBeginsLaterHasItsTime() {
    book = new FindingTracker(List.of(LOST), List.of());
    at(0);
    at(10, detection("lost", LOST.aws()));
    assertThat(book.withUnconfirmed()).isEmpty();
  }

  @Test
  void itIsSteadyUnlessAFindingIsAboutToOpenOrClose() {
    List<Boolean> steady = new ArrayList<>();
    at(0);
    steady.add(book.isSteady());
    at(5, HOT);
    steady.add(book.isSteady());
    at(35, HOT);
    steady.add(book.isSteady());
    at(40);
    steady.add(book.isSteady());
    at(100);
    steady.add(book.isSteady());

    assertThat(steady).containsExactly(true, false, true, false, true);
  }

  private static Detection stuck() {
    return stuck(Optional.empty());
  }

  private static Detection stuck(Optional<Duration> lasted) {
    return detection("hung", Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .withGrace(
            new RuleSpec.Grace(Disposition.unknown(), Duration.ofMinutes(2)),
            "it may return",
            lasted);
  }

  private static Detection stuckFor(int seconds) {
    return stuck(Optional.of(Duration.ofSeconds(seconds)));
  }

  /** Calls of six seconds, one after the other; each is seen to hang for one. */
  @Test
  void severalShortStatesAreNotOneThatLasts() {
    RuleSpec hung = RuleSpec.named("hung").disposition(stuck().disposition()).build();
    book = new FindingTracker(List.of(hung), List.of());
    visible = false;
    for (int second = 0; second <= 600; second += 6) {
      at(second, stuckFor(1));
      at(second + 1);
    }
    assertThat(book.findings())
        .singleElement()
        .extracting(Finding::disposition)
        .isEqualTo(Disposition.unknown());

    at(720, stuckFor(120));
    at(726, stuckFor(1));
    assertThat(book.findings().get(0).disposition().action())
        .as("until it is known to have ended")
        .isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void anEscalationIsLoggedOnceAndOutlivesARestart() {
    at(0, stuck());
    at(60, stuck());
    at(120, stuck());
    at(180, stuck());

    assertThat(log)
        .containsExactly(
            new Event.FindingOpened(START, START, "hung", GPU.text(), "unknown", "watch", "what"),
            new Event.FindingEscalated(
                START.plusSeconds(120), "hung", GPU.text(), "failing", "reboot_node"));
    book = new FindingTracker(List.of(SPEC), log);
    assertThat(book.findings().get(0).disposition().action()).isEqualTo(Action.REBOOT_NODE);
    assertThat(at(181, stuck()).get(0).disposition().action()).isEqualTo(Action.REBOOT_NODE);
    assertThat(log).hasSize(2);
  }

  @Test
  void aBootEndsWhatEscalatedToAReboot() {
    at(0, stuck());
    at(120, stuck());
    log.add(new Event.Booted(START.plusSeconds(300), "boot-2", "i-1"));
    book = new FindingTracker(List.of(SPEC), log);

    assertThat(book.findings()).isEmpty();
    assertThat(at(310, stuck()).get(0).disposition()).isEqualTo(Disposition.unknown());
  }

  @Test
  void itsStartIsTheFirstDetectionAndDoesNotChange() {
    at(0, HOT);
    at(40, HOT);
    Finding finding = at(500, HOT).get(0);

    assertThat(finding.since()).isEqualTo(START);
    assertThat(finding.last()).isEqualTo(START.plusSeconds(500));
  }

  @Test
  void aDetectionShorterThanItsDelayOpensNothing() {
    at(0, HOT);
    at(10);
    at(20, HOT);

    assertThat(at(45, HOT)).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void aFindingThatFlickersStaysOneFinding() {
    at(0, HOT);
    at(40, HOT);
    at(50);
    at(60, HOT);
    at(110);
    at(160, HOT);

    assertThat(book.findings().get(0).since()).isEqualTo(START);
    assertThat(log).hasSize(1);
  }

  @Test
  void aFindingClosesAfterItsDelayWithoutADetection() {
    at(0, HOT);
    at(40, HOT);
    assertThat(at(50)).hasSize(1);
    assertThat(at(109)).hasSize(1);
    assertThat(at(110)).isEmpty();
    assertThat(log).last().isInstanceOf(Event.FindingClosed.class);
  }

  @Test
  void aFindingWithoutDataStaysOpen() {
    at(0, HOT);
    at(40, HOT);
    visible = false;
    assertThat(at(50)).hasSize(1);
    assertThat(at(5_000)).hasSize(1);

    visible = true;
    assertThat(at(5_010)).hasSize(1);
    assertThat(at(5_070)).isEmpty();
  }

  @Test
  void aFindingOfEventsNeedsNoHoldAndNoSight() {
    Detection xid = detection("xid_79", Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
    assertThat(at(0, xid)).hasSize(1);
    visible = false;
    assertThat(at(10)).isEmpty();
  }

  @Test
  void aRestartKeepsWhatWasOpenWithItsBeginning() {
    at(0, HOT);
    at(40, HOT);
    book = new FindingTracker(List.of(SPEC), log);

    assertThat(book.findings()).singleElement().extracting(Finding::since).isEqualTo(START);
    assertThat(at(1_000, HOT).get(0).since()).isEqualTo(START);
    assertThat(log).hasSize(1);
  }

  @Test
  void aRestartWhileTheGpuCannotBeSeenKeepsTheFinding() {
    at(0, HOT);
    at(40, HOT);
    book = new FindingTracker(List.of(SPEC), log);
    visible = false;

    assertThat(at(1_000)).hasSize(1);
    assertThat(at(9_000)).hasSize(1);
  }

  @Test
  void anotherMachineHasNoneOfTheFindingsOfTheOneThatItReplaces() {
    log.add(new Event.Booted(START, "boot-1", "i-1"));
    at(0, HOT);
    at(40, HOT);
    log.add(new Event.Booted(START.plusSeconds(60), "boot-2", "i-2"));
    book = new FindingTracker(List.of(SPEC), log);
    visible = false;

    assertThat(at(70)).isEmpty();
    assertThat(log)
        .last()
        .isEqualTo(
            new Event.FindingClosed(START.plusSeconds(70), "hot", GPU.text(), "node replaced"));
    at(80);
    assertThat(
            new FindingTracker(List.of(SPEC), log)
                .update(START, Duration.ZERO, List.of(), (rule, subject, detected) -> true))
        .as("logged once")
        .isEmpty();
  }

  @Test
  void neitherAStepOfTheClockNorAPauseOfTheMachineOpensAFinding() {
    Instant stepped = START.plus(Duration.ofHours(5));
    book.update(START, Duration.ZERO, List.of(HOT), (rule, subject, detected) -> true);
    assertThat(
            book.update(
                stepped, Duration.ofSeconds(2), List.of(HOT), (rule, subject, detected) -> true))
        .isEmpty();
    assertThat(book.findings()).isEmpty();
    assertThat(
            book.update(
                stepped, Duration.ofSeconds(30), List.of(HOT), (rule, subject, detected) -> true))
        .hasSize(1);
  }

  @Test
  void aBootEndsAtOnceWhatABootWasAskedForAndWhatIsStillWrongIsFoundAnew() {
    Detection reboot = detection("hot", Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
    at(0, reboot);
    assertThat(at(40, reboot)).hasSize(1);
    log.add(new Event.Booted(START.plusSeconds(60), "boot-2", "i-1"));
    book = new FindingTracker(List.of(SPEC), log);

    assertThat(book.findings()).as("before the first evaluation").isEmpty();
    assertThat(at(70, reboot)).as("it may still end").isEmpty();
    assertThat(log)
        .last()
        .isEqualTo(
            new Event.FindingClosed(START.plusSeconds(70), "hot", GPU.text(), "machine booted"));
    assertThat(at(100, reboot))
        .singleElement()
        .extracting(Finding::since)
        .isEqualTo(START.plusSeconds(70));
  }

  @Test
  void aStateThatABootDidNotEndHasNoGraceLeft() {
    Disposition replace = Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);
    Detection brake =
        detection("hot", replace)
            .withGrace(
                new RuleSpec.Grace(Disposition.WATCH, Duration.ofHours(1)),
                "may end",
                Optional.empty());
    at(0, brake);
    assertThat(at(40, brake).get(0).disposition()).isEqualTo(Disposition.WATCH);
    assertThat(at(3_601, brake).get(0).disposition()).isEqualTo(replace);

    book = new FindingTracker(List.of(SPEC), log);
    assertThat(at(3_700, brake).get(0).disposition()).as("a restart").isEqualTo(replace);

    log.add(new Event.Booted(START.plusSeconds(3_800), "boot-2", "i-1"));
    book = new FindingTracker(List.of(SPEC), log);
    assertThat(at(3_900, brake).get(0).disposition()).as("a boot").isEqualTo(replace);
  }

  @Test
  void aGraceThatWasNotOverStartsAgainWithTheAgent() {
    Disposition replace = Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);
    Detection brake =
        detection("hot", replace)
            .withGrace(
                new RuleSpec.Grace(Disposition.WATCH, Duration.ofHours(1)),
                "may end",
                Optional.empty());
    at(0, brake);
    at(40, brake);
    book = new FindingTracker(List.of(SPEC), log);

    assertThat(at(3_700, brake).get(0).disposition()).isEqualTo(Disposition.WATCH);
    assertThat(at(7_300, brake).get(0).disposition()).isEqualTo(replace);
  }

  @Test
  void aBootOfTheSameMachineEndsNothingElse() {
    log.add(new Event.Booted(START, "boot-1", "i-1"));
    at(0, HOT);
    at(40, HOT);
    log.add(new Event.Booted(START.plusSeconds(60), "boot-2", "i-1"));
    book = new FindingTracker(List.of(SPEC), log);

    assertThat(at(70)).hasSize(1);
  }

  @Test
  void aRestartDoesNotKeepWhatWasClosed() {
    at(0, HOT);
    at(40, HOT);
    at(50);
    at(110);

    assertThat(new FindingTracker(List.of(SPEC), log).findings()).isEmpty();
  }

  @Test
  void aClearedFindingOpensAgainIfItIsStillDetected() {
    at(0, HOT);
    at(40, HOT);
    log.addAll(book.clear(START.plusSeconds(50), finding -> true, "cleared"));
    assertThat(book.findings()).isEmpty();

    at(60, HOT);
    assertThat(at(90, HOT).get(0).since()).isEqualTo(START.plusSeconds(60));
  }

  @Test
  void theWorstIsFirst() {
    Detection failing = detection("xid_79", Disposition.failing(Action.REBOOT_NODE, Urgency.NOW));
    at(0, HOT);

    assertThat(at(40, HOT, failing)).extracting(Finding::rule).containsExactly("xid_79", "hot");
  }
}
