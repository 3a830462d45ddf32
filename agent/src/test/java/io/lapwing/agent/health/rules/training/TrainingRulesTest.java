package io.lapwing.agent.health.rules.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.MetricType;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class TrainingRulesTest {

  private final HealthRule stall = new TrainingStall();
  private final HealthRule dead = new TrainingRankGone();
  private final HealthRule straggler = new TrainingStraggler();
  private final HealthRule unknown = new StragglersUnknown();

  private static Subject rank(int rank) {
    return new Subject.Part("training", "4711/" + rank);
  }

  @Test
  void ranksThatMakeProgressHaveNoDetections() {
    for (HealthRule rule : TrainingRule.all()) {
      assertThat(TrainingRanks.of(8).detections(rule)).isEmpty();
      assertThat(TrainingRanks.of(1).detections(rule)).isEmpty();
      assertThat(TrainingRanks.of(0).detections(rule)).isEmpty();
    }
  }

  @Test
  void eachSpecIsCompleteAndNoneRequiresAReplacement() {
    for (HealthRule rule : TrainingRule.all()) {
      RuleSpec spec = rule.spec();
      assertThat(rule.kind()).isEqualTo("training");
      assertThat(List.of(spec.about(), spec.why()))
          .allMatch(text -> text.matches("[A-Z].*[^ ]\\."));
      assertThat(spec.thresholds())
          .allMatch(
              threshold ->
                  threshold.least() <= threshold.preset()
                      && threshold.preset() <= threshold.most()
                      && threshold.about().matches("[A-Z].*[^ ]\\."));
      assertThat(rule.spec().trends()).allMatch(metric -> metric.type() == MetricType.COUNTER);
      assertThat(List.of(spec.aws(), spec.nvidia()))
          .allMatch(disposition -> disposition.severity().compareTo(Severity.DEGRADED) <= 0)
          .allMatch(disposition -> disposition.action().compareTo(Action.WATCH) <= 0);
    }
  }

  @Test
  void aRankWithoutAStepForAMinuteIsStalled() {
    Detection detection = TrainingRanks.of(8).idle("4711/3", 90).one(stall);
    assertThat(detection.subject()).isEqualTo(rank(3));
    assertThat(detection.what())
        .isEqualTo(
            "finished no step in the last 90 s (the last was step 1000, one usually takes 0.500 s);"
                + " it runs on GPU 3 (GPU-3)");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
    assertThat(detection.since()).contains(TrainingRanks.NOW.minusSeconds(90));
    assertThat(TrainingRanks.of(8).idle("4711/3", 59).detections(stall)).isEmpty();
  }

  @Test
  void longStepsMayTakeFiveTimesAsLong() {
    TrainingRanks slow = TrainingRanks.of(1).set("4711/0", TrainingMetrics.USUAL_STEP, 60);
    assertThat(slow.idle("4711/0", 290).detections(stall)).isEmpty();
    assertThat(slow.idle("4711/0", 310).detections(stall)).hasSize(1);
  }

  @Test
  void aStallOfAllRanksIsOneFinding() {
    TrainingRanks node = TrainingRanks.of(8);
    for (int rank = 0; rank < 8; rank++) {
      node.idle("4711/" + rank, 300 + rank);
    }
    Detection detection = node.set("4711/5", TrainingMetrics.LAST_STEP, 999).one(stall);
    assertThat(detection.subject()).isEqualTo(new Subject.Part("training", "4711"));
    assertThat(detection.what())
        .isEqualTo(
            "none of its 8 ranks here finished a step in the last 5 min (the last was step 1000,"
                + " one usually takes 0.500 s); behind the others: rank 5 on GPU 5 (GPU-5) at step"
                + " 999");
    assertThat(detection.since()).contains(TrainingRanks.NOW.minusSeconds(300));
    assertThat(stall.canEvaluate(detection.subject(), node.view())).isTrue();
  }

  private static TrainingRanks stalled(int ranks) {
    TrainingRanks node = TrainingRanks.of(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      node.idle("4711/" + rank, 300).set("4711/" + rank, TrainingMetrics.WAITING, 1);
    }
    return node;
  }

  private String signs(TrainingRanks node) {
    String what = node.one(stall).what();
    return what.substring(what.indexOf("; ") < 0 ? what.length() : what.indexOf("; "));
  }

  @Test
  void theRankThatIsGoneIsNamedInTheStallOfTheOthers() {
    assertThat(signs(stalled(4).gone("4711/1").died(1, 305, 3)))
        .isEqualTo(
            "; rank 1 (pid 8401) on GPU 1 (GPU-1) is gone since 11:54:55Z without having ended");
    TrainingRanks other = stalled(2).died(1, 305, 3);
    other.set("4711/0", TrainingMetrics.OWNER, 1001).set("4711/1", TrainingMetrics.OWNER, 1001);
    assertThat(signs(other)).as("of another user's job of that name").isEmpty();
  }

  /** Four ranks of run a, and four of run b. */
  private static TrainingRanks twoRuns() {
    TrainingRanks node = TrainingRanks.of(8);
    for (int rank = 0; rank < 8; rank++) {
      node.run("4711/" + rank, rank < 4 ? "a" : "b");
    }
    return node;
  }

  @Test
  void runsOfAJobAreNotComparedWithEachOther() {
    TrainingRanks node = twoRuns();
    for (int rank = 4; rank < 8; rank++) {
      node.grew("4711/" + rank, TrainingMetrics.COMPUTE_SECONDS, 0.9 * 600);
    }
    assertThat(node.detections(straggler)).isEmpty();
    node.grew("4711/5", TrainingMetrics.COMPUTE_SECONDS, 1.8 * 600);
    assertThat(node.one(straggler).subject()).isEqualTo(rank(5));
    assertThat(node.one(straggler).what()).contains("2.00 times the median", "of 4 ranks");
  }

  @Test
  void theRunThatIsStalledIsNamedAndNotTheOther() {
    TrainingRanks node = twoRuns();
    for (int rank = 4; rank < 8; rank++) {
      node.idle("4711/" + rank, 300);
    }
    assertThat(node.one(stall).subject()).isEqualTo(new Subject.Part("training", "4711//b"));
    assertThat(new Subject.Part("training", "4711//b").words()).isEqualTo("job 4711, run b");
    assertThat(node.one(stall).what()).startsWith("none of its 4 ranks here finished a step");
    assertThat(signs(node.died(9, 305, 3))).as("of a run without a name").isEmpty();
  }

  @Test
  void theRankThatIsStoppedIsNamed() {
    assertThat(signs(stalled(4).set("4711/2", TrainingMetrics.PROCESS_STATE, 1, "stopped")))
        .isEqualTo("; stopped by a signal or a debugger: rank 2 (pid 8402) on GPU 2 (GPU-2)");
    assertThat(
            signs(
                stalled(4)
                    .set("4711/2", TrainingMetrics.PROCESS_STATE, 1, "blocked")
                    .set("4711/2", TrainingMetrics.WAITING, 0)))
        .isEqualTo(
            "; in uninterruptible sleep (D): rank 2 (pid 8402) on GPU 2 (GPU-2)"
                + "; 3 wait for other ranks, but not rank 2 (pid 8402) on GPU 2 (GPU-2)");
  }

  @Test
  void theRankThatDoesNotWaitIsNamed() {
    assertThat(signs(stalled(4).set("4711/3", TrainingMetrics.WAITING, 0)))
        .isEqualTo("; 3 wait for other ranks, but not rank 3 (pid 8403) on GPU 3 (GPU-3)");
    assertThat(
            signs(
                stalled(4)
                    .set("4711/3", TrainingMetrics.WAITING, 0)
                    .set("4711/3", TrainingMetrics.FRAME, 1, "train.py:88 load")
                    .set("4711/1", TrainingMetrics.FRAME, 1, "train.py:90 step")))
        .endsWith("but not rank 3 (pid 8403) on GPU 3 (GPU-3) at train.py:88 load");
    TrainingRanks silent = stalled(4);
    for (int rank = 0; rank < 4; rank++) {
      silent.set("4711/" + rank, TrainingMetrics.WAITING, 0);
    }
    assertThat(signs(silent)).as("no rank says that it waits").isEmpty();
    assertThat(signs(silent.set("4711/2", TrainingMetrics.FRAME, 1, "train.py:88 load")))
        .isEqualTo("; rank 2 (pid 8402) on GPU 2 (GPU-2) at train.py:88 load");
    assertThat(signs(stalled(4))).as("the size of the job is unknown").isEmpty();
  }

  @Test
  void whereAllRanksHereWaitTheOneIsOnAnotherNode() {
    TrainingRanks node = stalled(2);
    for (int rank = 0; rank < 2; rank++) {
      node.worldSize("4711/" + rank, "GPU-" + rank, 16);
    }
    assertThat(signs(node)).isEqualTo("; all of them wait for ranks that are not seen here");
    node.worldSize("4711/0", "GPU-0", 2).worldSize("4711/1", "GPU-1", 2);
    assertThat(signs(node)).isEmpty();
  }

  @Test
  void theFirstRankThatDiedIsNamedForTenMinutes() {
    TrainingRanks node = TrainingRanks.of(0).died(3, 12, 2).died(1, 20, 3);
    Detection detection = node.one(dead);
    assertThat(detection.subject()).isEqualTo(new Subject.Part("training", "4711"));
    assertThat(detection.what())
        .isEqualTo(
            "rank 1 (pid 8401) on GPU-1 is gone since 11:59:40Z without having ended; 3 ranks of"
                + " the job on this node outlived it; then rank 3 (pid 8403) on GPU-3 is gone"
                + " since 11:59:48Z without having ended");
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
    assertThat(detection.since()).contains(TrainingRanks.NOW.minusSeconds(20));
    assertThat(TrainingRanks.of(0).died(1, 599, 3).detections(dead)).hasSize(1);
    assertThat(TrainingRanks.of(0).died(1, 601, 3).detections(dead)).isEmpty();
    assertThat(TrainingRanks.of(8).detections(dead)).isEmpty();
  }

  @Test
  void aRestartOfTheAgentLeavesTheFindingOfADeadRankForTheRestOfTheTenMinutes() {
    Subject job = new Subject.Part("training", "4711");
    String text = "rank 1 (pid 8401) is gone since 11:55:00Z without having ended";
    TrainingRanks node = TrainingRanks.of(4).gone("4711/1").opened(dead, job, text, 299);
    assertThat(node.detections(dead)).as("this agent no longer sees it").isEmpty();
    Detection restored = node.started(100).one(dead);
    assertThat(restored.subject()).isEqualTo(job);
    assertThat(restored.what()).isEqualTo(text);
    assertThat(restored.since()).contains(TrainingRanks.NOW.minusSeconds(299));
    assertThat(node.died(3, 30, 2).one(dead).what()).as("what it sees itself").contains("rank 3");
    node = TrainingRanks.of(4).opened(dead, job, text, 299).started(100);
    assertThat(node.detections(dead)).as("the rank was started again").isEmpty();
    node = TrainingRanks.of(0).opened(dead, job, text, 601).started(100);
    assertThat(node.detections(dead)).as("ten minutes are over").isEmpty();
    node = TrainingRanks.of(0).opened(dead, job, text, 299).closed(dead, job, 200).started(100);
    assertThat(node.detections(dead)).as("it was closed").isEmpty();
  }

  @Test
  void loopsWithoutALauncherWorkAlone() {
    TrainingRanks node = TrainingRanks.of(0);
    for (int gpu = 0; gpu < 4; gpu++) {
      String name = "local/-" + (gpu == 0 ? "" : "." + gpu);
      node.rank(name, gpu, "")
          .idle(name, 300)
          .grew(name, TrainingMetrics.COMPUTE_SECONDS, (gpu + 1) * 100.0);
    }
    assertThat(node.detections(straggler)).isEmpty();
    assertThat(node.detections(stall)).hasSize(4);
  }

  @Test
  void someStalledRanksOfAJobAreOneFinding() {
    TrainingRanks node = TrainingRanks.of(8);
    for (int rank = 0; rank < 4; rank++) {
      node.idle("4711/" + rank, 300);
    }
    Detection detection = node.one(stall);
    assertThat(detection.subject()).isEqualTo(new Subject.Part("training", "4711"));
    assertThat(detection.what())
        .startsWith("4 of its 8 ranks here finished no step in the last 5 min")
        .contains("rank 0 on GPU 0 (GPU-0)")
        .endsWith(", and 1 more");
  }

  @Test
  void anotherRunningJobIsNotAffected() {
    TrainingRanks node = TrainingRanks.of(2).rank("99/0", 2, "").rank("99/1", 3, "");
    node.idle("99/0", 120).idle("99/1", 120);
    assertThat(node.one(stall).subject()).isEqualTo(new Subject.Part("training", "99"));
  }

  @Test
  void whoSavesOrEvaluatesMayTakeHalfAnHour() {
    for (String phase : List.of("checkpoint", "evaluation")) {
      TrainingRanks node = TrainingRanks.of(1).idle("4711/0", 5000);
      assertThat(node.phase("4711/0", phase, 1700).detections(stall)).isEmpty();
      assertThat(node.phase("4711/0", phase, 1900).detections(stall)).hasSize(1);
    }
  }

  @Test
  void afterAPauseALoopHasItsTimeAgain() {
    TrainingRanks node = TrainingRanks.of(1).idle("4711/0", 900);
    assertThat(node.phase("4711/0", "training", 20).detections(stall)).isEmpty();
    assertThat(node.phase("4711/0", "unknown", 70).detections(stall)).hasSize(1);
    assertThat(node.phase("4711/0", "starting", 70).detections(stall)).hasSize(1);
  }

  /** Four ranks that have been in their third step for that long. */
  private static TrainingRanks firstSteps(int seconds) {
    TrainingRanks node = TrainingRanks.of(4);
    for (int rank = 0; rank < 4; rank++) {
      String name = "4711/" + rank;
      node.idle(name, seconds)
          .set(name, TrainingMetrics.LAST_STEP, 2)
          .without(name, TrainingMetrics.USUAL_STEP);
    }
    return node;
  }

  @Test
  void theFirstStepsMayTakeAQuarterOfAnHour() {
    assertThat(firstSteps(890).detections(stall)).isEmpty();
    assertThat(firstSteps(910).one(stall).what())
        .isEqualTo(
            "none of its 4 ranks here finished a step in the last 15 min (the last was step 2)");
  }

  @Test
  void aHangInTheFirstStepsThatShowsItsRankIsFoundAfterFiveMinutes() {
    for (int seconds : new int[] {290, 310}) {
      TrainingRanks node = firstSteps(seconds);
      for (int rank = 0; rank < 4; rank++) {
        node.set("4711/" + rank, TrainingMetrics.WAITING, rank == 2 ? 0 : 1);
      }
      assertThat(node.detections(stall))
          .extracting(Detection::what)
          .hasSize(seconds > 300 ? 1 : 0)
          .allMatch(
              what ->
                  what.endsWith(
                      "(the last was step 2); 3 wait for other ranks, but not rank 2 (pid 8402) on"
                          + " GPU 2 (GPU-2)"));
    }
  }

  @Test
  void theLineOfTheProgramAloneDoesNotShortenTheFirstSteps() {
    TrainingRanks node =
        firstSteps(400).set("4711/2", TrainingMetrics.FRAME, 1, "train.py:88 compile");
    assertThat(node.detections(stall)).isEmpty();
  }

  @Test
  void aRankHereThatIsNotStalledIsTheOneThatTheOthersWaitFor() {
    TrainingRanks node = stalled(3).worldSize("4711/1", "GPU-1", 3).worldSize("4711/2", "GPU-2", 3);
    node.worldSize("4711/0", "GPU-0", 3)
        .set("4711/0", TrainingMetrics.WAITING, 0)
        .set("4711/0", TrainingMetrics.USUAL_STEP, 100);
    assertThat(node.one(stall).what())
        .contains("2 of its 3 ranks here")
        .endsWith("; 2 wait for other ranks, but not rank 0 on GPU 0 (GPU-0)");
    assertThat(node.without("4711/0", TrainingMetrics.WAITING).one(stall).what())
        .as("it is here")
        .doesNotContain("other nodes");
  }

  /** Rank 0 has been in that phase for so long, and the others finish no step for longer. */
  private static TrainingRanks pause(String phase, double seconds) {
    TrainingRanks node = TrainingRanks.of(4).phase("4711/0", phase, seconds);
    for (int rank = 0; rank < 4; rank++) {
      node.idle("4711/" + rank, seconds + 5).set("4711/" + rank, TrainingMetrics.WAITING, 1);
    }
    return node.set("4711/0", TrainingMetrics.WAITING, 0);
  }

  @Test
  void whoWaitsForARankThatSavesOrEvaluatesIsNotStalledBeforeThatRankIs() {
    for (String phase : List.of("checkpoint", "evaluation")) {
      assertThat(pause(phase, 100).detections(stall)).isEmpty();
      assertThat(pause(phase, 1790).detections(stall)).isEmpty();
      assertThat(pause(phase, 1810).one(stall).what())
          .startsWith("none of its 4 ranks here finished a step in the last 30 min")
          .endsWith("; 3 wait for other ranks, but not rank 0 (pid 8400) on GPU 0 (GPU-0)");
    }
    TrainingRanks first = pause("evaluation", 1000);
    for (int rank = 0; rank < 4; rank++) {
      first.without("4711/" + rank, TrainingMetrics.USUAL_STEP);
    }
    assertThat(first.detections(stall)).as("in the first steps").isEmpty();
  }

  @Test
  void afterThePauseOfOneRankTheOthersHaveTheirTimeAgain() {
    TrainingRanks node = pause("checkpoint", 900);
    assertThat(node.phase("4711/0", "training", 50).detections(stall)).isEmpty();
    assertThat(node.phase("4711/0", "training", 70).one(stall).what())
        .startsWith("none of its 4 ranks here finished a step in the last 70 s");
  }

  @Test
  void thePauseOfARankThatIsAheadOrAStoppedProcessDoesNotExplainAStall() {
    TrainingRanks ahead = pause("evaluation", 100).idle("4711/1", 0).idle("4711/2", 0);
    assertThat(ahead.set("4711/3", TrainingMetrics.LAST_STEP, 998).one(stall).subject())
        .as("the others do not wait for it")
        .isEqualTo(rank(3));
    assertThat(ahead.set("4711/3", TrainingMetrics.LAST_STEP, 999).detections(stall)).isEmpty();
    TrainingRanks stopped =
        pause("checkpoint", 100).set("4711/2", TrainingMetrics.PROCESS_STATE, 1, "stopped");
    assertThat(stopped.one(stall).subject()).isEqualTo(rank(2));
  }

  @Test
  void aStoppedProcessHasNoPause() {
    TrainingRanks saves = pause("checkpoint", 100);
    assertThat(saves.detections(stall)).isEmpty();
    saves.set("4711/0", TrainingMetrics.PROCESS_STATE, 1, "stopped");
    assertThat(saves.one(stall).what())
        .as("the one that saves")
        .startsWith("none of its 4 ranks here finished a step")
        .contains("; stopped by a signal or a debugger: rank 0 (pid 8400) on GPU 0 (GPU-0)");
    TrainingRanks over = TrainingRanks.of(3).idle("4711/0", 90).idle("4711/1", 90);
    over.idle("4711/2", 90).phase("4711/2", "after_loop", 80);
    over.set("4711/2", TrainingMetrics.PROCESS_STATE, 1, "stopped");
    assertThat(over.one(stall).what())
        .as("the one whose data ended before theirs")
        .contains("; stopped by a signal or a debugger: rank 2 (pid 8402) on GPU 2 (GPU-2)");
  }

  @Test
  void aRankWhoseLoopIsOverIsNotStalledWhileTheOthersGoOn() {
    TrainingRanks node = TrainingRanks.of(3);
    node.idle("4711/2", 5000).phase("4711/2", "after_loop", 4999);
    assertThat(node.detections(stall)).isEmpty();
    node.idle("4711/0", 90).idle("4711/1", 90);
    assertThat(node.phase("4711/2", "after_loop", 80).one(stall).what())
        .as("its data ended before theirs, and they wait for it")
        .startsWith("2 of its 3 ranks here finished no step in the last 90 s")
        .endsWith("; the loop is over: rank 2 (pid 8402) on GPU 2 (GPU-2)");
  }

  @Test
  void aJobWhoseLoopsAreOverMayTakeHalfAnHourToSave() {
    for (int seconds : new int[] {1790, 1810}) {
      TrainingRanks node = TrainingRanks.of(4);
      for (int rank = 0; rank < 4; rank++) {
        String name = "4711/" + rank;
        node.idle(name, seconds + 1).phase(name, "after_loop", seconds);
        node.set(name, TrainingMetrics.WAITING, rank == 0 ? 0 : 1);
      }
      assertThat(node.detections(stall)).hasSize(seconds > 1800 ? 1 : 0);
      node.phase("4711/0", "checkpoint", 600);
      assertThat(node.detections(stall)).as("rank 0 saves").isEmpty();
    }
    TrainingRanks alone = TrainingRanks.of(1).idle("4711/0", 9000);
    assertThat(alone.phase("4711/0", "after_loop", 8999).detections(stall))
        .as("as in a notebook")
        .isEmpty();
  }

  /** As with Join of PyTorch, which shadows the collectives of the others. */
  @Test
  void aRankThatEntersAndLeavesCollectivesIsNotStalledWhileTheOthersGoOn() {
    TrainingRanks node = TrainingRanks.of(3).idle("4711/2", 5000);
    node.set("4711/2", TrainingMetrics.WAITING, 1);
    double now = TrainingRanks.NOW.getEpochSecond();
    node.set("4711/2", TrainingMetrics.WAITING_TIME, now - 3);
    assertThat(node.detections(stall)).isEmpty();
    node.set("4711/2", TrainingMetrics.WAITING_TIME, now - 70);
    assertThat(node.one(stall).subject()).isEqualTo(rank(2));
    node.set("4711/2", TrainingMetrics.WAITING_TIME, now - 3);
    node.idle("4711/0", 1900).idle("4711/1", 1900);
    assertThat(node.one(stall).what()).as("no rank continues").startsWith("none of its 3 ranks");
  }

  @Test
  void aHangInTheFirstStepIsFound() {
    TrainingRanks node = TrainingRanks.of(2);
    for (int rank = 0; rank < 2; rank++) {
      String name = "4711/" + rank;
      node.phase(name, "training", 400)
          .without(name, TrainingMetrics.USUAL_STEP)
          .without(name, TrainingMetrics.LAST_STEP)
          .without(name, TrainingMetrics.LAST_STEP_TIME);
    }
    assertThat(node.detections(stall)).as("it may compile").isEmpty();
    assertThat(node.set("4711/1", TrainingMetrics.PROCESS_STATE, 1, "stopped").one(stall).what())
        .isEqualTo(
            "none of its 2 ranks here finished a step in the last 6 min, and none before; stopped"
                + " by a signal or a debugger: rank 1 (pid 8401) on GPU 1 (GPU-1)");
    node.idle("4711/0", 350).set("4711/0", TrainingMetrics.LAST_STEP, 0);
    assertThat(node.one(stall).what())
        .endsWith("behind the others: rank 1 on GPU 1 (GPU-1) before its first step");
  }

  @Test
  void aLoopThatHasNotBegunToTrainMayNeverHaveAStep() {
    for (String phase : List.of("starting", "evaluation", "checkpoint", "unknown")) {
      TrainingRanks node =
          TrainingRanks.of(1)
              .phase("4711/0", phase, 100_000)
              .without("4711/0", TrainingMetrics.USUAL_STEP)
              .without("4711/0", TrainingMetrics.LAST_STEP)
              .without("4711/0", TrainingMetrics.LAST_STEP_TIME)
              .set("4711/0", TrainingMetrics.PROCESS_STATE, 1, "blocked");
      assertThat(node.detections(stall)).isEmpty();
    }
  }

  @Test
  void aRankThatEndedOrCannotBeReadIsNoStall() {
    TrainingRanks node = TrainingRanks.of(2).idle("4711/0", 9000);
    assertThat(node.state("4711/0", PartStatus.State.HUNG).detections(stall)).isEmpty();
    assertThat(stall.canEvaluate(rank(0), node.view()))
        .as("what hangs is not well again")
        .isFalse();
    assertThat(node.gone("4711/0").detections(stall)).isEmpty();
    assertThat(stall.canEvaluate(rank(0), node.view())).as("what is gone is").isTrue();
  }

  @Test
  void aRankThatComputesLongerThanItsSiblingsIsAStraggler() {
    Detection detection =
        TrainingRanks.of(8)
            .grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.36 * 600)
            .one(straggler);
    assertThat(detection.subject()).isEqualTo(rank(3));
    assertThat(detection.what())
        .isEqualTo(
            "computed 0.360 s a step in the last 4 min, 1.20 times the median of 0.300 s of 8 ranks"
                + " of its job on this node; it runs on GPU 3 (GPU-3)");
    assertThat(detection.disposition())
        .as("its share of the work may be larger")
        .isEqualTo(Disposition.EXTERNAL);
    assertThat(
            TrainingRanks.of(8)
                .grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.34 * 600)
                .detections(straggler))
        .isEmpty();
  }

  /**
   * Ranks of which each computed 0.3 s for each of 600 steps; rank 3 so many seconds more, the
   * oldest third first.
   */
  private static TrainingRanks thirds(double... more) {
    TrainingRanks node = TrainingRanks.of(8);
    double all = more[0] + more[1] + more[2];
    for (int rank = 0; rank < 8; rank++) {
      for (int left = 3; left > 0; left--) {
        Duration window = TrainingStraggler.WINDOW.dividedBy(3).multipliedBy(left);
        double grew = left == 3 ? all : left == 2 ? more[1] + more[2] : more[2];
        node.grew("4711/" + rank, TrainingMetrics.STEPS, window, 200 * left)
            .grew(
                "4711/" + rank,
                TrainingMetrics.COMPUTE_SECONDS,
                window,
                60 * left + (rank == 3 ? grew : 0));
      }
    }
    return node;
  }

  @Test
  void oneLongStepMakesNoStraggler() {
    assertThat(thirds(60, 0, 0).detections(straggler)).isEmpty();
    assertThat(thirds(0, 0, 60).detections(straggler)).isEmpty();
    assertThat(thirds(0, 30, 30).detections(straggler)).as("its turn came twice").isEmpty();
    assertThat(thirds(20, 20, 20).one(straggler).what()).contains("1.33 times the median");
    TrainingRanks paused = thirds(0, 0, 60);
    Duration third = TrainingStraggler.WINDOW.dividedBy(3);
    for (int rank = 0; rank < 8; rank++) {
      for (int parts = 2; parts <= 3; parts++) {
        paused
            .grew("4711/" + rank, TrainingMetrics.STEPS, third.multipliedBy(parts), 200)
            .grew(
                "4711/" + rank,
                TrainingMetrics.COMPUTE_SECONDS,
                third.multipliedBy(parts),
                rank == 3 ? 120 : 60);
      }
    }
    assertThat(paused.detections(straggler)).as("steps in one third only").isEmpty();
  }

  @Test
  void aDelayOfTheProcessIsNamedIfItAccountsForHalfOfTheExcessAndIsItsOwn() {
    TrainingRanks node =
        TrainingRanks.of(4).grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.45 * 600);
    assertThat(delayed(node, 150).one(straggler).why()).contains("waited for a processor in 25 %");
    assertThat(delayed(node, 90).one(straggler).why()).as("of a third").doesNotContain("processor");
    for (int other = 10; other < 26; other++) {
      node.rank("99/" + other, other % 4, "");
    }
    for (int rank = 0; rank < 3; rank++) {
      node.grew("4711/" + rank, TrainingMetrics.RUN_DELAY_SECONDS, 140);
    }
    assertThat(delayed(node, 150).one(straggler).why())
        .as("all have it")
        .doesNotContain("processor");
  }

  private static TrainingRanks delayed(TrainingRanks node, double seconds) {
    return node.grew("4711/3", TrainingMetrics.RUN_DELAY_SECONDS, seconds);
  }

  @Test
  void aJobThatIsYoungerThanTheWindowIsSaidToBe() {
    TrainingRanks node =
        TrainingRanks.of(8)
            .grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.36 * 600)
            .covered(Duration.ofSeconds(125));
    assertThat(node.one(straggler).what()).contains(" a step in the last 2 min, 1.20");
    assertThat(node.covered(Duration.ofSeconds(239)).one(straggler).what())
        .contains(" a step in the last 4 min, 1.20");
  }

  @Test
  void aStragglerOnASlowGpuIsAFaultOfThisNode() {
    TrainingRanks slow =
        TrainingRanks.of(8).grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.36 * 600);
    for (int gpu = 0; gpu < 8; gpu++) {
      slow.ofGpu(gpu, DcgmMetrics.SM_CLOCK, gpu == 3 ? 1_500 : 1_980);
    }
    assertThat(slow.one(straggler).disposition()).isEqualTo(Disposition.WATCH);
    assertThat(slow.one(straggler).why()).contains("clock is lower");

    TrainingRanks throttled =
        TrainingRanks.of(8)
            .grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.36 * 600)
            .ofGpu(3, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "hw_thermal");
    assertThat(throttled.one(straggler).disposition()).isEqualTo(Disposition.WATCH);
  }

  @Test
  void aClockThatIsALittleLowerIsNoSignOfAGpuThatIsHalfAsFast() {
    TrainingRanks slow =
        TrainingRanks.of(8).grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.6 * 600);
    for (int gpu = 0; gpu < 8; gpu++) {
      slow.ofGpu(gpu, DcgmMetrics.SM_CLOCK, gpu == 3 ? 1_800 : 1_980);
    }
    assertThat(slow.one(straggler).disposition()).isEqualTo(Disposition.EXTERNAL);
  }

  /** Its GPU works while the others wait for it. */
  @Test
  void aLowClockAtThePowerLimitIsNoSignOfASlowGpu() {
    TrainingRanks slow =
        TrainingRanks.of(8)
            .grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 0.36 * 600)
            .ofGpu(3, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "power_cap");
    for (int gpu = 0; gpu < 8; gpu++) {
      slow.ofGpu(gpu, DcgmMetrics.SM_CLOCK, gpu == 3 ? 1_740 : 1_965);
    }
    assertThat(slow.one(straggler).disposition()).isEqualTo(Disposition.EXTERNAL);

    for (int gpu = 0; gpu < 8; gpu++) {
      slow.ofGpu(gpu, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, "power_cap");
    }
    assertThat(slow.one(straggler).disposition()).isEqualTo(Disposition.WATCH);
  }

  @Test
  void ranksThatTheKernelDoesNotConfirmCountForNothing() {
    TrainingRanks node = TrainingRanks.of(3).idle("4711/0", 900);
    for (int rank = 0; rank < 3; rank++) {
      node.grew("4711/" + rank, TrainingMetrics.COMPUTE_SECONDS, 0.8 * 600);
    }
    for (int fake = 10; fake < 26; fake++) {
      node.rank("4711/" + fake, 0, "")
          .set("4711/" + fake, TrainingMetrics.VERIFIED, 0)
          .idle("4711/" + fake, 900);
    }
    assertThat(node.detections(straggler)).as("0.8 s is the median, not 0.3 s").isEmpty();
    assertThat(node.one(stall).subject().text()).isEqualTo("training:4711/0");
  }

  @Test
  void ranksOfAnotherUserAreNoSiblingsWhateverTheirJobIsCalled() {
    TrainingRanks node = TrainingRanks.of(3);
    for (int rank = 0; rank < 3; rank++) {
      node.grew("4711/" + rank, TrainingMetrics.COMPUTE_SECONDS, 0.8 * 600);
    }
    for (int other = 10; other < 26; other++) {
      node.rank("4711/" + other, 0, "").set("4711/" + other, TrainingMetrics.OWNER, 1001);
    }
    assertThat(node.detections(straggler)).isEmpty();
    node.set("4711/10", TrainingMetrics.OWNER, 1000).set("4711/11", TrainingMetrics.OWNER, 1000);
    for (int other = 12; other < 26; other++) {
      node.set("4711/" + other, TrainingMetrics.OWNER, 1000);
    }
    assertThat(node.detections(straggler)).hasSize(3);
  }

  @Test
  void twoRanksOrFewStepsGiveNoStraggler() {
    assertThat(
            TrainingRanks.of(2)
                .grew("4711/0", TrainingMetrics.COMPUTE_SECONDS, 900)
                .detections(straggler))
        .isEmpty();
    assertThat(
            TrainingRanks.of(3)
                .grew("4711/0", TrainingMetrics.COMPUTE_SECONDS, 90)
                .grew("4711/0", TrainingMetrics.STEPS, 9)
                .detections(straggler))
        .isEmpty();
    assertThat(
            TrainingRanks.of(3)
                .grew("4711/0", TrainingMetrics.COMPUTE_SECONDS, 90)
                .without("4711/1", TrainingMetrics.COMPUTE_SECONDS)
                .detections(straggler))
        .as("one of three does not tell its compute time")
        .isEmpty();
  }

  @Test
  void aRankThatWasStartedAgainIsComparedByTheStepsSinceThen() {
    assertThat(
            TrainingRanks.of(8)
                .grew("4711/3", TrainingMetrics.STEPS, 20)
                .grew("4711/3", TrainingMetrics.COMPUTE_SECONDS, 6)
                .detections(straggler))
        .isEmpty();
    assertThat(TrainingRanks.of(8).without("4711/3", TrainingMetrics.STEPS).detections(straggler))
        .as("not watched for long enough")
        .isEmpty();
  }

  @Test
  void stagesOfAPipelineAreNotCompared() {
    TrainingRanks node = new TrainingRanks();
    for (int rank = 0; rank < 8; rank++) {
      String name = "4711/" + rank;
      node.rank(name, rank, rank < 4 ? "0" : "1");
      node.grew(name, TrainingMetrics.COMPUTE_SECONDS, rank < 4 ? 180 : 300);
    }
    assertThat(node.detections(straggler)).isEmpty();
    assertThat(node.grew("4711/6", TrainingMetrics.COMPUTE_SECONDS, 360).one(straggler).what())
        .contains("1.20 times the median of 0.500 s of 4 ranks");
  }

  /** Ranks of which each took 500 s for 1000 steps, 20 s of it for its data. */
  private static TrainingRanks totals(int ranks, double compute) {
    TrainingRanks node = TrainingRanks.of(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      node.set("4711/" + rank, TrainingMetrics.STEPS, 1000)
          .set("4711/" + rank, TrainingMetrics.STEP_SECONDS, 500)
          .set("4711/" + rank, TrainingMetrics.DATA_WAIT_SECONDS, 20)
          .set("4711/" + rank, TrainingMetrics.COMPUTE_SECONDS, compute);
    }
    return node;
  }

  @Test
  void computeTimeThatIsAllOfTheStepCannotShowAStraggler() {
    Detection detection = totals(4, 478).one(unknown);
    assertThat(detection.subject()).isEqualTo(new Subject.Part("training", "4711"));
    assertThat(detection.disposition()).isEqualTo(Disposition.info());
    assertThat(detection.what())
        .isEqualTo(
            "0 of its 4 ranks here report compute time apart from waiting for other ranks; in"
                + " PyTorch Loop(loader, model=ddp) or lapwing_steps.pytorch.watch(ddp) measures"
                + " it, and without a change of the loop"
                + " NCCL_PROFILER_PLUGIN=/usr/lib/lapwing/nccl/liblapwing-nccl.so shows who comes"
                + " last");
    assertThat(totals(4, 300).detections(unknown)).as("the rest may be waiting").isEmpty();
    assertThat(totals(2, 478).detections(unknown)).as("nothing to compare").isEmpty();
  }

  @Test
  void ranksWithoutComputeTimeCannotShowAStraggler() {
    TrainingRanks node = totals(4, 300);
    node.without("4711/0", TrainingMetrics.COMPUTE_SECONDS);
    assertThat(node.detections(unknown)).as("three can be compared").isEmpty();
    for (int rank = 1; rank < 4; rank++) {
      node.without("4711/" + rank, TrainingMetrics.COMPUTE_SECONDS);
    }
    assertThat(node.one(unknown).what()).startsWith("its 4 ranks here report no compute time; in");
  }

  @Test
  void ranksThatReportTheirWaitsAreCompared() {
    TrainingRanks node = totals(4, 478);
    for (int rank = 0; rank < 4; rank++) {
      node.set("4711/" + rank, TrainingMetrics.COMMUNICATION_WAIT_SECONDS, rank);
    }
    assertThat(node.detections(unknown)).as("they wait little: no rank is slow").isEmpty();
    for (int rank = 0; rank < 4; rank++) {
      node.without("4711/" + rank, TrainingMetrics.COMMUNICATION_WAIT_SECONDS);
      node.set("4711/" + rank, TrainingMetrics.STEPS, 9);
    }
    assertThat(node.detections(unknown)).as("just started").isEmpty();
  }

  private static final String PLUGIN =
      ", and without a change of the loop"
          + " NCCL_PROFILER_PLUGIN=/usr/lib/lapwing/nccl/liblapwing-nccl.so shows who comes last";

  /** Eight ranks of as many stages, two of each if four. */
  private static TrainingRanks pipeline(int stages, double compute) {
    TrainingRanks node = totals(0, 0);
    for (int rank = 0; rank < 8; rank++) {
      node.rank("4711/" + rank, rank, Integer.toString(rank * stages / 8))
          .set("4711/" + rank, TrainingMetrics.STEPS, 1000)
          .set("4711/" + rank, TrainingMetrics.STEP_SECONDS, 500)
          .set("4711/" + rank, TrainingMetrics.COMPUTE_SECONDS, compute);
    }
    return node.grew("4711/5", TrainingMetrics.COMPUTE_SECONDS, 0.9 * 600);
  }

  @Test
  void stagesOfTwoRanksCannotShowAStraggler() {
    assertThat(pipeline(4, 300).detections(straggler)).isEmpty();
    assertThat(pipeline(4, 300).one(unknown).what())
        .isEqualTo(
            "4 of its 4 pipeline stages have fewer than 3 ranks here, too few to compare;"
                + " least_ranks 2 in the thresholds of training_straggler and of this rule compares"
                + " two of a stage"
                + PLUGIN);
    assertThat(pipeline(4, 499).one(unknown).what())
        .startsWith(
            "0 of its 8 ranks here report compute time apart from waiting for other ranks; 4 of its"
                + " 4 pipeline stages have fewer than 3 ranks here, too few to compare; in"
                + " PyTorch");
    assertThat(pipeline(2, 300).detections(unknown)).as("four ranks of each stage").isEmpty();
    assertThat(pipeline(2, 300).one(straggler).subject()).isEqualTo(rank(5));
    assertThat(pipeline(3, 300).one(unknown).what()).startsWith("1 of its 3 pipeline stages");
  }

  /** Eight ranks; rank 5 computes three times as long. */
  private static TrainingRanks longSteps(double seconds) {
    TrainingRanks node = totals(8, 1000 * seconds / 3);
    for (int rank = 0; rank < 8; rank++) {
      String name = "4711/" + rank;
      node.without(name, TrainingMetrics.STEPS)
          .without(name, TrainingMetrics.COMPUTE_SECONDS)
          .set(name, TrainingMetrics.STEPS, 1000)
          .set(name, TrainingMetrics.COMPUTE_SECONDS, 1000 * seconds / 3)
          .set(name, TrainingMetrics.STEP_SECONDS, 1000 * seconds);
      for (Duration window : List.of(TrainingStraggler.WINDOW, TrainingStraggler.LONG_WINDOW)) {
        for (int thirds = 1; thirds <= 3; thirds++) {
          Duration part = window.multipliedBy(thirds).dividedBy(3);
          double steps = Math.floor(part.toSeconds() / seconds);
          double compute = steps * seconds * (rank == 5 ? 0.9 : 0.3);
          node.grew(name, TrainingMetrics.STEPS, part, steps)
              .grew(name, TrainingMetrics.COMPUTE_SECONDS, part, compute);
        }
      }
    }
    return node;
  }

  @Test
  void longStepsAreComparedOverTenMinutes() {
    assertThat(longSteps(20).one(straggler).what())
        .startsWith("computed 18 s a step in the last 4 min");
    for (double seconds : new double[] {25, 30, 60}) {
      assertThat(longSteps(seconds).one(straggler).subject()).isEqualTo(rank(5));
      assertThat(longSteps(seconds).one(straggler).what())
          .contains(" a step in the last 10 min, 3.00");
      assertThat(longSteps(seconds).detections(unknown)).isEmpty();
    }
  }

  @Test
  void stepsOfMoreThanAMinuteCannotShowAStraggler() {
    assertThat(longSteps(75).detections(straggler)).isEmpty();
    assertThat(longSteps(75).one(unknown).what())
        .isEqualTo(
            "fewer than 10 steps in 10 min, since one takes 75 s; a lower least_steps in the"
                + " thresholds of both rules compares fewer steps"
                + PLUGIN);
    TrainingRanks evaluates = totals(8, 300);
    for (int rank = 0; rank < 8; rank++) {
      evaluates.grew("4711/" + rank, TrainingMetrics.STEPS, 3);
    }
    assertThat(evaluates.detections(unknown)).as("few steps, but short ones").isEmpty();
  }

  @Test
  void anUnknownGpuIsNotNamed() {
    TrainingRanks node =
        TrainingRanks.of(3)
            .without("4711/0", TrainingMetrics.INFO)
            .idle("4711/0", 90)
            .grew("4711/0", TrainingMetrics.COMPUTE_SECONDS, 360);
    assertThat(node.one(stall).what()).endsWith("0.500 s)");
    assertThat(node.one(straggler).what()).endsWith("on this node");
  }

  @Test
  void partsHaveWords() {
    assertThat(new Subject.Part("training", "4711/3").words()).isEqualTo("rank 3 of job 4711");
    assertThat(new Subject.Part("training", "4711").words()).isEqualTo("job 4711");
    assertThat(new Subject.Part("training", "-/3").words())
        .isEqualTo("rank 3 of a job without a name");
    assertThat(new Subject.Part("training", "a/3/b").words()).isEqualTo("rank 3 of job a, run b");
  }

  @Property(tries = 200)
  void anyValuesOfTheRanksAreEvaluatedAndGiveValidTexts(@ForAll long seed) {
    Random random = new Random(seed);
    TrainingRanks node = TrainingRanks.of(1 + random.nextInt(8));
    double[] values = {0, 1, 0.001, 999, 123_456, 3e9, 1.8e19};
    for (int rank = 0; rank < 8; rank++) {
      String name = "4711/" + rank;
      node.set(name, TrainingMetrics.LAST_STEP, values[random.nextInt(values.length)]);
      node.set(name, TrainingMetrics.LAST_STEP_TIME, values[random.nextInt(values.length)]);
      node.set(name, TrainingMetrics.USUAL_STEP, values[random.nextInt(values.length)]);
      node.grew(name, TrainingMetrics.STEPS, values[random.nextInt(values.length)]);
      node.grew(name, TrainingMetrics.COMPUTE_SECONDS, values[random.nextInt(values.length)]);
    }
    for (HealthRule rule : TrainingRule.all()) {
      assertThat(node.detections(rule))
          .allSatisfy(
              detection -> {
                assertThat(detection.what()).doesNotContain("NaN", "null", "Infinity", "  ");
                assertThat(detection.what()).doesNotEndWith(".");
              });
    }
  }
}
