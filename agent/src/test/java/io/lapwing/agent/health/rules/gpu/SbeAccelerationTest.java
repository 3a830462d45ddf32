package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SbeAccelerationTest {

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final Instant NOW = START.plus(Duration.ofDays(6));

  private final SbeAcceleration rule = new SbeAcceleration();
  private final List<Event> events = new ArrayList<>(List.of(new Event.Started(START, "0.1.0")));
  private final long[] counts = new long[4];
  private RulePolicy policy = SbeStudy.preset(Map.of());
  private Instant now = NOW;

  private static Instant hoursAgo(double hours) {
    return NOW.minusSeconds(Math.round(3600 * hours));
  }

  /** The GPU's count grew, and the log says so. */
  private void grew(int gpu, double since, double until, long errors) {
    events.add(
        new Event.EccGrowth(
            hoursAgo(until),
            hoursAgo(since),
            ObservedTape.uuid(gpu),
            true,
            counts[gpu],
            counts[gpu] + errors));
    counts[gpu] += errors;
  }

  /** It grew in each of the last hours. */
  private void grewHourly(int gpu, int hours, long errors) {
    for (int hour = hours; hour > 0; hour--) {
      grew(gpu, hour, hour - 1, errors);
    }
  }

  private List<Detection> evaluate(int... gpus) {
    List<GpuStatus> view = new ArrayList<>();
    for (int gpu : gpus) {
      view.add(ObservedTape.gpu(gpu, counts[gpu]));
    }
    return rule.evaluate(ObservedTape.view(now, view, events), policy);
  }

  private List<Detection> evaluate() {
    return evaluate(0, 1, 2, 3);
  }

  @Test
  void withoutAnIncreaseNothingIsDetected() {
    assertThat(evaluate()).isEmpty();
  }

  @Test
  void withoutValuesNothingIsDetected() {
    events.clear();

    assertThat(evaluate()).isEmpty();
    assertThat(rule.evaluate(ObservedTape.view(now, List.of(), List.of()), policy)).isEmpty();
  }

  @Test
  void oneErrorIsNothing() {
    grew(2, 0.01, 0, 1);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void oneBurstIsNothingHoweverLarge() {
    grew(2, 2.01, 2, 10_000);
    grew(2, 2, 1, 1_000_000);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void twoBurstsAreNothing() {
    grew(2, 5.01, 5, 10_000);
    grew(2, 5, 4, 10_000);
    grew(2, 2.01, 2, 10_000);
    grew(2, 2, 1, 10_000);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void growthInEachOfThreeHoursAfterQuietDaysIsNamedWithItsFigures() {
    grew(2, 100.01, 100, 1);
    grew(1, 3.01, 3, 3);
    grewHourly(2, 3, 40);
    policy = SbeStudy.preset(Map.of(SbeAcceleration.CHANCE, 1e-4));

    assertThat(evaluate()).singleElement().satisfies(this::isAboutGpu2);
    assertThat(evaluate().get(0).what())
        .isEqualTo(
            "corrected errors: 40 in the last hour, at least 40 in each of 3 of the last 6"
                + " hours; 0 an hour in the 5 days before; its siblings' median is 0 an hour");
  }

  private void isAboutGpu2(Detection detection) {
    assertThat(detection.rule()).isEqualTo("sbe_acceleration");
    assertThat(detection.subject()).isEqualTo(new Subject.Gpu("GPU-2"));
    assertThat(detection.sources()).containsExactly("event log", "DCGM_FI_DEV_ECC_SBE_AGG_TOTAL");
  }

  @Test
  void hoursOfThePastThatWereLikeItAreCountedAndLeftOutOfTheUsualRate() {
    grew(2, 100, 99, 5000);
    for (int hour = 90; hour > 20; hour--) {
      grew(2, hour, hour - 1, 1);
    }
    grewHourly(2, 6, 40);

    assertThat(evaluate().get(0).what())
        .contains("; 0.5 an hour in the 5 days before, without 1 louder hour; ");
  }

  @Test
  void whatGrewSinceTheLastEventCounts() {
    grewHourly(2, 6, 40);
    Event.EccGrowth newest = (Event.EccGrowth) events.remove(events.size() - 1);
    counts[2] = newest.from();
    assertThat(evaluate().get(0).what())
        .contains(": 0 in the last hour, at least 40 in each of 5 ");

    counts[2] = newest.to();
    assertThat(evaluate().get(0).what())
        .contains(": 40 in the last hour, at least 40 in each of 6 ");
  }

  @Test
  void aNodeThatIsNoisyAllOverIsNothing() {
    for (int gpu = 0; gpu < 4; gpu++) {
      grewHourly(gpu, 6, gpu == 2 ? 80 : 40);
    }

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void aNoisySiblingDoesNotHideIt() {
    grewHourly(0, 6, 500);
    grewHourly(2, 6, 40);

    assertThat(evaluate()).extracting(Detection::subject).contains(new Subject.Gpu("GPU-2"));
  }

  @Test
  void siblingsThatDoNotAnswerAreNoComparison() {
    grewHourly(1, 6, 40);
    grewHourly(2, 6, 40);
    Stream<GpuStatus> silent =
        Stream.of(0, 3)
            .map(i -> new GpuStatus("GPU-" + i, i, "", PartStatus.State.HUNG, Values.NONE));
    List<GpuStatus> gpus =
        Stream.concat(silent, Stream.of(1, 2).map(i -> ObservedTape.gpu(i, counts[i]))).toList();

    assertThat(evaluate()).hasSize(2);
    assertThat(rule.evaluate(ObservedTape.view(now, gpus, events), policy)).isEmpty();
  }

  @Test
  void aSingleGpuIsComparedWithItsOwnPast() {
    grewHourly(2, 6, 40);

    assertThat(evaluate(2).get(0).what()).endsWith("; it has no siblings to compare with");
  }

  @Test
  void itClosesOnceTheHoursHavePassed() {
    grewHourly(2, 6, 40);
    assertThat(evaluate()).hasSize(1);

    now = NOW.plus(Duration.ofHours(6));
    assertThat(evaluate()).isEmpty();
    assertThat(rule.spec().closeAfter()).isEqualTo(Duration.ofHours(6));
  }

  @Test
  void whatWasAlwaysSoIsNothing() {
    grewHourly(2, 140, 40);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void growthOverDaysIsComparedWithTheTimeBeforeIt() {
    for (int hour = 140; hour > 0; hour--) {
      grew(2, hour, hour - 1, Math.round(20 * Math.pow(2, -hour / 36.0)));
    }

    assertThat(evaluate().get(0).what())
        .contains(" of the last 24 hours; ")
        .contains(" an hour in the 3 days until 3 days ago");
  }

  @Test
  void aGpuObservedForLessThanADayIsNotEvaluated() {
    events.set(0, new Event.Started(hoursAgo(20), "0.1.0"));
    grewHourly(2, 6, 40);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void aBootIsNoSignOfHavingBeenWatched() {
    events.set(0, new Event.Booted(START, "b", "i-1"));
    grewHourly(2, 6, 40);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void aRebootDoesNotEndThePast() {
    events.add(new Event.Booted(hoursAgo(8), "b", ""));
    events.add(new Event.Started(hoursAgo(8), "0.1.0"));
    grewHourly(2, 6, 40);

    assertThat(evaluate()).hasSize(1);
  }

  @Test
  void anotherInstanceDoes() {
    events.add(0, new Event.Booted(START, "a", "i-1"));
    events.add(new Event.Booted(hoursAgo(8), "b", "i-2"));
    events.add(new Event.Started(hoursAgo(8), "0.1.0"));
    grewHourly(2, 6, 40);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void whatGrewWhileTheAgentWasAwayIsOneHourHoweverLong() {
    events.add(new Event.Started(hoursAgo(1), "0.1.0"));
    grew(2, 6, 1, 4000);
    grew(2, 1, 0, 40);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void growthCountsWithinTheHourWhateverTheEventsStart() {
    grewHourly(2, 6, 40);
    Event.EccGrowth first = (Event.EccGrowth) events.remove(1);
    events.add(1, new Event.EccGrowth(first.at(), START, first.gpu(), true, 0, 40));

    assertThat(evaluate().get(0).what()).contains("at least 40 in each of 6 ");
  }

  @Test
  void aCountThatRestartedContinuesToIncrease() {
    grew(2, 6, 5, 40);
    grew(2, 5, 4, 40);
    grew(2, 4, 3, 40);
    counts[2] = 0;
    events.add(new Event.DriverLoaded(hoursAgo(3), "570"));
    assertThat(evaluate()).isEmpty();

    grew(2, 3, 2, 40);
    grew(2, 2, 1, 40);
    assertThat(evaluate()).hasSize(1);
  }

  @Test
  void uncorrectableErrorsAreAnotherRulesBusiness() {
    grewHourly(2, 6, 40);
    events.replaceAll(
        event ->
            event instanceof Event.EccGrowth e
                ? new Event.EccGrowth(e.at(), e.since(), e.gpu(), false, e.from(), e.to())
                : event);

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void theVolatileCountIsReadWhereThereIsNoOther() {
    grewHourly(2, 6, 40);
    Values values =
        metric ->
            metric.equals(DcgmMetrics.ECC_SBE_VOL_TOTAL) ? Map.of(List.of(), 340.0) : Map.of();
    GpuStatus gpu = new GpuStatus("GPU-2", 2, "", PartStatus.State.ANSWERS, values);

    Detection detection =
        rule.evaluate(ObservedTape.view(now, List.of(gpu), events), policy).get(0);

    assertThat(detection.sources()).contains("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL");
    assertThat(rule.spec().needs()).contains(DcgmMetrics.ECC_SBE_VOL_TOTAL);
  }

  @Test
  void withoutRemapsBothProfilesSayToWatch() {
    grewHourly(2, 6, 40);

    for (Disposition disposition : List.of(rule.spec().aws(), rule.spec().nvidia())) {
      policy = new RulePolicy(rule.spec(), true, disposition, policy.thresholds());
      assertThat(evaluate().get(0).disposition())
          .isEqualTo(Disposition.degraded(Action.WATCH, Urgency.JOB_END));
    }
  }

  @Test
  void withRemapsAwsReplacesAtTheEndOfTheJob() {
    grewHourly(2, 6, 40);
    events.add(1, new Event.RowsRemapped(hoursAgo(30), "GPU-2", 2, 0));
    events.add(new Event.RowsRemapped(hoursAgo(1), "GPU-2", 3, 0));

    assertThat(evaluate().get(0).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(evaluate().get(0).what()).endsWith("; rows were remapped 2026-03-06T23:00:00Z");

    policy = new RulePolicy(rule.spec(), true, rule.spec().nvidia(), policy.thresholds());
    assertThat(evaluate().get(0).disposition().action()).isEqualTo(Action.WATCH);
  }

  @Test
  void remapsOfAnotherGpuOrOfLastWeekDoNotCount() {
    grewHourly(2, 6, 40);
    events.add(1, new Event.RowsRemapped(hoursAgo(30), "GPU-2", 3, 0));
    events.add(new Event.RowsRemapped(hoursAgo(1), "GPU-1", 3, 0));

    assertThat(evaluate().get(0).disposition().action()).isEqualTo(Action.WATCH);
  }

  @Test
  void howManyRowsThereAreAtFirstSightIsNoRemap() {
    grewHourly(2, 6, 40);
    events.add(new Event.RowsRemapped(hoursAgo(1), "GPU-2", 3, 0));

    assertThat(evaluate().get(0).disposition().action()).isEqualTo(Action.WATCH);
  }

  @Test
  void aSiteMaySayThatItIsForInformationOnly() {
    grewHourly(2, 6, 40);
    policy = new RulePolicy(rule.spec(), true, Disposition.info(), policy.thresholds());

    assertThat(evaluate().get(0).disposition().severity()).isEqualTo(Severity.INFO);
    assertThat(evaluate().get(0).disposition().action()).isEqualTo(Action.NONE);
  }

  @Test
  void aSiteMaySetTheFloor() {
    grewHourly(2, 6, 40);
    policy = SbeStudy.preset(Map.of(SbeAcceleration.FLOOR, 41.0));

    assertThat(evaluate()).isEmpty();
  }

  @Test
  void presetsAreWithinTheirLimits() {
    assertThat(rule.spec().thresholds())
        .allSatisfy(
            threshold ->
                assertThat(threshold.preset()).isBetween(threshold.least(), threshold.most()))
        .extracting(Threshold::name)
        .doesNotHaveDuplicates();
  }
}
