package io.lapwing.drain.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.jobs.Timing.AtCheckpoint;
import io.lapwing.drain.jobs.Timing.AtJobEnd;
import io.lapwing.drain.jobs.Timing.EndNow;
import io.lapwing.drain.jobs.WaitRule.Wait;
import io.lapwing.drain.policy.WaitPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WaitRuleTest {

  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final Instant DRAINED = NOW.minusSeconds(60);
  private static final WaitPolicy POLICY =
      new WaitPolicy(
          Duration.ofHours(2),
          Duration.ofMinutes(10),
          10,
          Duration.ofMinutes(10),
          Set.of("xid_79"),
          Set.of("row_remap_pending"),
          Set.of("nvlink_down"),
          Map.of("often", 10.0, "rarely", 0.01),
          2,
          Duration.ofMinutes(5));

  private final WaitRule rule = new WaitRule(POLICY);

  /** Its last checkpoint has the state of so long ago; one is written every hour, for 6 minutes. */
  private static JobProgress job(Duration unsaved) {
    return job(unsaved, Optional.of(Duration.ofHours(1)), Duration.ofSeconds(10));
  }

  private static JobProgress job(
      Duration unsaved, Optional<Duration> interval, Duration sinceStep) {
    Instant saved = NOW.minus(unsaved);
    return new JobProgress(
        Optional.of(saved),
        Optional.of(saved),
        interval,
        Optional.of(Duration.ofMinutes(6)),
        Optional.of(NOW.minus(sinceStep)),
        Optional.of(Duration.ofSeconds(5)),
        OptionalDouble.empty());
  }

  private Timing decide(Urgency urgency, String why, JobProgress job, Instant since) {
    return rule.decide(new Wait(urgency, Set.of(why), job, since, NOW));
  }

  private Timing atCheckpoint(String why, JobProgress job) {
    return decide(Urgency.NEXT_CHECKPOINT, why, job, DRAINED);
  }

  @Test
  void theUrgencyOfTheRequestCounts() {
    JobProgress job = job(Duration.ofMinutes(30));

    assertThat(decide(Urgency.NOW, "other", job, DRAINED)).isInstanceOf(EndNow.class);
    assertThat(decide(Urgency.JOB_END, "other", job, DRAINED)).isInstanceOf(AtJobEnd.class);
    assertThat(atCheckpoint("rarely", job)).isInstanceOf(AtCheckpoint.class);
  }

  @Test
  void aRuleMayHaveAJobEndedAtTheCheapestTime() {
    assertThat(POLICY.urgency(Urgency.JOB_END, Set.of("nvlink_down", "other")))
        .isEqualTo(Urgency.NEXT_CHECKPOINT);
    assertThat(POLICY.urgency(Urgency.JOB_END, Set.of("other"))).isEqualTo(Urgency.JOB_END);
    assertThat(POLICY.urgency(Urgency.NOW, Set.of("nvlink_down"))).isEqualTo(Urgency.NOW);
    assertThat(POLICY.urgency(Urgency.JOB_END, Set.of())).as("a person").isEqualTo(Urgency.JOB_END);
  }

  @Test
  void aRuleMayNeverWaitOrAlwaysWaitWhateverTheUrgency() {
    JobProgress job = job(Duration.ofMinutes(30));

    assertThat(decide(Urgency.JOB_END, "xid_79", job, DRAINED)).isInstanceOf(EndNow.class);
    assertThat(decide(Urgency.NOW, "row_remap_pending", job, DRAINED)).isInstanceOf(AtJobEnd.class);
    assertThatThrownBy(
            () ->
                new WaitPolicy(
                    Duration.ofHours(2),
                    Duration.ofMinutes(10),
                    10,
                    Duration.ofMinutes(10),
                    Set.of("xid_79"),
                    Set.of("xid_79"),
                    Set.of(),
                    Map.of(),
                    2,
                    Duration.ofMinutes(5)))
        .hasMessage("wait.never and wait.always both have xid_79");
  }

  @Test
  void ofSeveralRulesOneIsEnoughNotToWaitAndAllAreNeededToAlwaysWait() {
    JobProgress job = job(Duration.ofMinutes(30));

    assertThat(decide(Set.of("row_remap_pending", "xid_79"), job))
        .isEqualTo(new EndNow("no job is waited for with xid_79 (wait.never)"));
    assertThat(decide(Set.of("row_remap_pending", "other"), job))
        .isEqualTo(new EndNow("it is urgent"));
    assertThat(decide(Set.of(), job)).as("a person asked").isEqualTo(new EndNow("it is urgent"));
  }

  private Timing decide(Set<String> rules, JobProgress job) {
    return rule.decide(new Wait(Urgency.NOW, rules, job, DRAINED, NOW));
  }

  @Test
  void aJobWithoutProgressIsNotWaitedFor() {
    JobProgress stalled =
        job(Duration.ofMinutes(30), Optional.empty(), Duration.ofMinutes(10).plusSeconds(1));

    assertThat(decide(Urgency.JOB_END, "other", stalled, DRAINED))
        .isEqualTo(new EndNow("the job has made no step since 2026-11-24T11:49:59Z"));
    assertThat(decide(Urgency.JOB_END, "other", JobProgress.UNKNOWN, DRAINED))
        .as("without steps that are due nothing is known of its progress")
        .isInstanceOf(AtJobEnd.class);
  }

  @Test
  void ofANodeThatWillSoonFailTheJobEndsNow() {
    JobProgress young = job(Duration.ofMinutes(6));

    assertThat(atCheckpoint("often", young)).isInstanceOf(EndNow.class);
    assertThat(atCheckpoint("rarely", young)).isInstanceOf(AtCheckpoint.class);
  }

  @Test
  void costsAreThoseOfTheFormula() {
    // a = 0.5 h, T = 1 h, w = 0.1 h, r = 1/6 h: wait = 0.6 h
    Costs costs = rule.costs(job(Duration.ofMinutes(30)), OptionalDouble.of(1), NOW);

    assertThat(costs.now().getAsDouble()).isCloseTo(0.5 + 1 / 6.0, within(1e-6));
    assertThat(costs.atCheckpoint().getAsDouble())
        .isCloseTo(1 / 6.0 + (1 - Math.exp(-0.6)) * (1 + 1 / 6.0), within(1e-6));
    assertThat(costs.next()).contains(NOW.plus(Duration.ofMinutes(36)));
  }

  @Test
  void whatIsUnknownWaitsForTheEndOfTheJobAndSaysWhat() {
    assertThat(atCheckpoint("rarely", JobProgress.UNKNOWN))
        .isEqualTo(new AtJobEnd("the checkpoints of the job are unknown"));
    assertThat(
            atCheckpoint(
                "rarely", job(Duration.ofMinutes(30), Optional.empty(), Duration.ofSeconds(1))))
        .isEqualTo(new AtJobEnd("the interval between its checkpoints is unknown"));
    assertThat(atCheckpoint("unpriced", job(Duration.ofMinutes(30))))
        .isEqualTo(new AtCheckpoint("how often such a node fails is unknown (wait.hazards)"));
  }

  @Test
  void aCheckpointThatIsDurableSinceTheDrainEndsTheWait() {
    assertThat(atCheckpoint("rarely", job(Duration.ofSeconds(30)))).isInstanceOf(EndNow.class);
  }

  /** By a window of maintenance, for example, that opened later. */
  @Test
  void aCheckpointAtWhichTheJobWasNotEndedIsNotWaitedFor() {
    Instant since = NOW.minus(Duration.ofHours(1));

    assertThat(decide(Urgency.NEXT_CHECKPOINT, "rarely", job(Duration.ofMinutes(15)), since))
        .isInstanceOf(EndNow.class);
    assertThat(decide(Urgency.NEXT_CHECKPOINT, "rarely", job(Duration.ofMinutes(45)), since))
        .isInstanceOf(AtCheckpoint.class);
    assertThat(
            decide(
                Urgency.NEXT_CHECKPOINT,
                "rarely",
                job(Duration.ofMinutes(45)),
                NOW.minus(Duration.ofHours(3))))
        .as("its checkpoint came after two of the three hours")
        .isInstanceOf(AtCheckpoint.class);
    assertThat(
            decide(
                Urgency.NEXT_CHECKPOINT,
                "rarely",
                job(Duration.ofSeconds(100), Optional.of(Duration.ofMinutes(1)), Duration.ZERO),
                since))
        .as("a round may be longer than the interval")
        .isInstanceOf(EndNow.class);
  }

  @Test
  void theWaitEndsAfterTwoIntervalsOrThePolicysLimit() {
    JobProgress job = job(Duration.ofHours(3));
    JobProgress often =
        job(Duration.ofHours(3), Optional.of(Duration.ofMinutes(10)), Duration.ofSeconds(1));

    assertThat(decide(Urgency.NEXT_CHECKPOINT, "rarely", job, NOW.minus(Duration.ofHours(2))))
        .isEqualTo(new EndNow("it has had no checkpoint in 2h"));
    assertThat(decide(Urgency.NEXT_CHECKPOINT, "rarely", job, NOW.minus(Duration.ofMinutes(119))))
        .isInstanceOf(AtCheckpoint.class);
    assertThat(decide(Urgency.NEXT_CHECKPOINT, "rarely", often, NOW.minus(Duration.ofMinutes(20))))
        .isEqualTo(new EndNow("it has had no checkpoint in 20m"));
  }
}
