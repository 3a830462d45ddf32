package io.lapwing.drain.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.policy.WaitPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTest {

  private static final Path FIXTURES = Path.of("src/test/resources/replay");
  private static final Set<Remedy> ALL =
      Set.of(Remedy.RESET_GPU, Remedy.REBOOT_NODE, Remedy.REPLACE_NODE);
  private static final Assumed ASSUMED =
      new Assumed(
          8,
          Map.of(
              Remedy.RESET_GPU, Duration.ofMinutes(5),
              Remedy.REBOOT_NODE, Duration.ofMinutes(10),
              Remedy.REPLACE_NODE, Duration.ofMinutes(30)));

  @TempDir private Path folder;
  private Path logs = Path.of("");

  @BeforeEach
  void makeFolder() throws IOException {
    logs = Files.createDirectory(folder.resolve("logs"));
  }

  private Recording logged(OptionalInt size) throws Exception {
    return new RecordFiles(List.of(logs.toString()), List.of(), Optional.empty(), size).read();
  }

  private static Trial trial(Policy policy) {
    return new Trial("tried", policy.played(), Urgency.JOB_END, ALL, true, false);
  }

  private static Outcome run(Recording recording, Policy policy) {
    return Replay.run(recording, ASSUMED, trial(policy));
  }

  private void log(String node, LogText text) throws IOException {
    text.write(logs.resolve(node + ".jsonl"));
  }

  private static Duration minutes(int count) {
    return Duration.ofMinutes(count);
  }

  private static Duration hours(int count) {
    return Duration.ofHours(count);
  }

  @Test
  void theLogOfAnAgentIsPlayed() throws Exception {
    Recording recording =
        new RecordFiles(
                List.of("gpu-17=" + FIXTURES.resolve("xid-79.jsonl")),
                List.of(),
                Optional.empty(),
                OptionalInt.empty())
            .read();

    Outcome outcome = run(recording, Policy.DEFAULT);

    assertThat(recording.from()).isEqualTo("2026-11-25T20:32:56.222952408Z");
    assertThat(recording.asks()).extracting(Finding::rule).containsExactly("xid_79", "gpu_lost");
    assertThat(recording.asks())
        .extracting(Finding::cure)
        .containsExactly(Optional.of(Remedy.REBOOT_NODE), Optional.of(Remedy.REBOOT_NODE));
    assertThat(recording.lacksGpus()).isFalse();
    assertThat(outcome.drains()).isEqualTo(1);
    assertThat(outcome.repairs()).isEqualTo(Map.of(Remedy.REPLACE_NODE, Map.of("running", 1)));
  }

  @Test
  void aRepairHelpsAgainstWhatTheRecordShowsAsClosed() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .opened(minutes(10), "gpu_lost", "reset_gpu")
            .booted(hours(5))
            .closed(hours(5), "gpu_lost")
            .until(hours(40)));

    Outcome outcome = run(logged(OptionalInt.of(20)), Policy.DEFAULT);

    // The reset does not help, since it took a reboot in the record.
    assertThat(outcome.repairs())
        .isEqualTo(
            Map.of(
                Remedy.RESET_GPU, Map.of("not_helped", 1),
                Remedy.REBOOT_NODE, Map.of("helped", 1)));
    assertThat(outcome.releases()).isEqualTo(new Releases(1, 0, 0, 1, 0));
    assertThat(outcome.handedOver()).isZero();
    // 20 minutes for the reset, 10 for the reboot and 5 to be well, on 8 GPUs.
    assertThat(outcome.lost().idle()).isCloseTo(8 * 35 / 60.0, within(0.5));
    assertThat(outcome.drainsPerThousandNodeDays().orElseThrow())
        .isCloseTo(1000 / (20 * 40 / 24.0), within(0.01));
  }

  /** On ParallelCluster. */
  @Test
  void whereADrainReplacesItHasTheLimitOfReplacements() throws Exception {
    for (int node = 1; node <= 3; node++) {
      log(
          "gpu-" + node,
          new LogText().opened(minutes(10), "xid_" + node, "reboot_node").until(hours(1)));
    }
    Recording recording = logged(OptionalInt.of(100));
    Policy policy = Policy.DEFAULT.played();
    Trial replaces = new Trial("tried", policy, Urgency.JOB_END, ALL, true, true);

    assertThat(run(recording, policy).drains()).isEqualTo(3);
    assertThat(Replay.run(recording, ASSUMED, replaces).drains()).isEqualTo(2);
  }

  @Test
  void aFindingThatNeverClosesGoesUpTheLadderToAPerson() throws Exception {
    log("gpu-1", new LogText().opened(minutes(10), "xid_79", "reset_gpu").until(hours(10)));

    Outcome outcome = run(logged(OptionalInt.empty()), Policy.DEFAULT);

    assertThat(outcome.repairs().keySet()).isEqualTo(ALL);
    assertThat(outcome.handedOver()).isEqualTo(1);
    assertThat(outcome.releases().returned()).isZero();
    assertThat(outcome.lost().idle()).isCloseTo(8 * (10 - 10 / 60.0), within(0.5));
    // All but 20 minutes for the reset, 30 for the reboot and an hour for the replacement.
    assertThat(outcome.lost().forPeople())
        .isCloseTo(outcome.lost().idle() - 8 * 110 / 60.0, within(0.7));
  }

  @Test
  void aFaultThatEndsByItselfAndDoesNotReturnIsAFalseDrain() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .opened(minutes(10), "gpu_lost", "reset_gpu")
            .closed(minutes(12), "gpu_lost")
            .until(hours(40)));

    assertThat(run(logged(OptionalInt.empty()), Policy.DEFAULT).releases())
        .isEqualTo(new Releases(1, 0, 0, 1, 1));
  }

  @Test
  void aFaultWithinADayOfTheReturnIsCounted() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .opened(minutes(10), "gpu_lost", "reset_gpu")
            .closed(hours(1), "gpu_lost")
            .opened(hours(20), "gpu_lost", "reset_gpu")
            .closed(hours(21), "gpu_lost")
            .until(hours(30)));

    Outcome outcome = run(logged(OptionalInt.empty()), Policy.DEFAULT);

    assertThat(outcome.drains()).isEqualTo(2);
    assertThat(outcome.releases()).isEqualTo(new Releases(2, 1, 1, 0, 0));
  }

  @Test
  void whatIsOnManyNodesAtOnceTripsTheBrake() throws Exception {
    for (int i = 0; i < 6; i++) {
      log(
          "gpu-" + i,
          new LogText()
              .opened(minutes(10), "xid_119", "reset_gpu")
              .closed(hours(9), "xid_119")
              .until(hours(10)));
    }
    Budget careless =
        new Budget(100, 1, 1, 100, 100, 100, 100, Duration.ZERO, 100, minutes(1), minutes(1));

    Outcome guarded = run(logged(OptionalInt.of(60)), Policy.DEFAULT);
    Outcome open = run(logged(OptionalInt.of(60)), Policy.DEFAULT.within(careless));

    assertThat(guarded.brakes().get("budget.systemic-nodes"))
        .satisfies(trips -> assertThat(trips.remediations()).isEqualTo(6));
    assertThat(open.drains()).isEqualTo(6);
    assertThat(open.brakes()).isEmpty();
  }

  @Test
  void aBudgetLetsOneWaitForTheOther() throws Exception {
    for (int i = 0; i < 2; i++) {
      log(
          "gpu-" + i,
          new LogText()
              .opened(minutes(10), "rule_" + i, "reset_gpu")
              .closed(hours(9), "rule_" + i)
              .until(hours(10)));
    }
    Budget one = new Budget(1, 1, 1, 1, 1, 10, 2, Duration.ZERO, 4, minutes(10), minutes(30));

    Outcome outcome = run(logged(OptionalInt.of(60)), Policy.DEFAULT.within(one));

    assertThat(outcome.drains()).isEqualTo(2);
    assertThat(outcome.brakes()).isEqualTo(Map.of("budget.nodes", new BrakeTrips(1, 1)));
  }

  @Test
  void jobsAreWeighedByTheirCheckpoints() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .opened(minutes(100), "gpu_lost", "reset_gpu")
            .closed(hours(5), "gpu_lost")
            .until(hours(10)));
    Path jobs =
        Files.write(
            folder.resolve("jobs.csv"),
            List.of(
                "job,user,nodes,gpus,start,end,checkpoints",
                "4711,ada,\"gpu-[1-2]\",16,2026-11-01T00:00:00Z,2026-11-01T08:00:00Z,60",
                "4712,eve,gpu-3,8,2026-11-01T00:00:00Z,,"));
    Recording recording =
        new RecordFiles(List.of(logs.toString()), List.of(), Optional.of(jobs), OptionalInt.empty())
            .read();
    WaitPolicy waits =
        new WaitPolicy(
            hours(2),
            minutes(10),
            10,
            minutes(10),
            Set.of(),
            Set.of(),
            Set.of(),
            Map.of("gpu_lost", 0.1),
            2,
            minutes(5));
    Policy policy =
        new Policy(
            Map.of(),
            Budget.DEFAULT,
            minutes(2),
            minutes(5),
            hours(24),
            Map.of(),
            false,
            waits,
            Policy.DEFAULT.guard(),
            Policy.DEFAULT.ladder());

    Trial checkpoint = new Trial("c", policy.played(), Urgency.NEXT_CHECKPOINT, ALL, true, false);
    Outcome waited = Replay.run(recording, ASSUMED, checkpoint);
    Outcome urgent =
        Replay.run(
            recording, ASSUMED, new Trial("n", policy.played(), Urgency.NOW, ALL, true, false));

    assertThat(recording.nodes())
        .extracting(one -> one.name().text())
        .containsExactlyInAnyOrder("gpu-1", "gpu-2", "gpu-3");
    // At 100 minutes: 40 since the checkpoint at 60, and 10 to restart, on 16 GPUs.
    assertThat(urgent.lost().ended()).isEqualTo(1);
    assertThat(urgent.lost().jobs()).isCloseTo(16 * 50 / 60.0, within(0.5));
    assertThat(waited.lost().ended()).isEqualTo(1);
    // Just after the one at 120.
    assertThat(waited.lost().jobs()).isCloseTo(16 * 10 / 60.0, within(0.5));
    assertThat(waited.stake().jobs()).isEqualTo(1);
    assertThat(waited.stake().now()).isCloseTo(16 * 50 / 60.0, within(0.5));
    assertThat(waited.stake().expected()).isEqualTo(1);
    assertThat(waited.stake().atCheckpoint()).isLessThan(waited.stake().nowOfExpected());
  }

  @Test
  void anActionThatIsOnlyObservedIsNotDone() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .opened(minutes(10), "xid_79", "replace_node")
            .closed(hours(2), "xid_79")
            .until(hours(10)));
    Policy observing =
        new Policy(
            Map.of(Verb.REPLACE, Mode.OBSERVE),
            Budget.DEFAULT,
            minutes(2),
            minutes(5),
            hours(24),
            Map.of(),
            false,
            WaitPolicy.DEFAULT,
            Policy.DEFAULT.guard(),
            Policy.DEFAULT.ladder());

    Outcome outcome = run(logged(OptionalInt.empty()), observing);

    assertThat(outcome.drains()).isEqualTo(1);
    assertThat(outcome.repairs()).isEmpty();
    assertThat(outcome.handedOver()).isEqualTo(1);
    assertThat(outcome.releases().returned()).isEqualTo(1);
  }

  @Test
  void nothingIsAskedInMaintenanceNorForWhatNvmlDoesNotConfirm() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .line(minutes(5), "maintenance_started", "\"until\":\"2026-11-01T09:00:00Z\"")
            .opened(minutes(10), "xid_79", "replace_node")
            .closed(hours(2), "xid_79")
            .line(hours(3), "maintenance_ended", "")
            .until(hours(10)));
    log(
        "gpu-2",
        new LogText()
            .opened(minutes(10), "xid_79", "replace_node")
            .line(
                minutes(11),
                "finding_confirmation",
                LogText.finding("xid_79") + ",\"confirmed\":false")
            .until(hours(10)));

    Recording recording = logged(OptionalInt.empty());

    assertThat(recording.unconfirmed()).isEqualTo(1);
    assertThat(run(recording, Policy.DEFAULT).drains()).isZero();
  }

  @Test
  void anExportOfAlertsIsPlayed() throws Exception {
    Recording recording =
        new RecordFiles(
                List.of(),
                List.of(FIXTURES.resolve("alerts.json")),
                Optional.empty(),
                OptionalInt.of(50))
            .read();

    Outcome outcome = run(recording, Policy.DEFAULT);

    assertThat(Duration.between(recording.from(), recording.until())).isEqualTo(hours(10));
    assertThat(recording.asks())
        .extracting(one -> one.node().text(), Finding::rule)
        .containsExactlyInAnyOrder(
            tuple("gpu-01", "xid_48"),
            tuple("gpu-02", "LapwingGpuRemapPending"),
            tuple("gpu-02", "LapwingGpuRemapPending"));
    assertThat(outcome.drains()).isEqualTo(3);
    assertThat(outcome.releases().returned()).isEqualTo(3);
    assertThat(outcome.releases().falseDrains()).isZero();
  }

  @Test
  void theSameRecordGivesTheSameAnswer() throws Exception {
    log(
        "gpu-1",
        new LogText()
            .opened(minutes(10), "gpu_lost", "reset_gpu")
            .closed(hours(5), "gpu_lost")
            .until(hours(40)));
    Recording recording = logged(OptionalInt.of(20));

    assertThat(run(recording, Policy.DEFAULT)).isEqualTo(run(recording, Policy.DEFAULT));
  }
}
