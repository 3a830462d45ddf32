package io.lapwing.agent.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An XID of the kernel log alone counts at once, and is marked if NVML does not confirm it. */
class ConfirmationsTest {

  private static final String FALLEN_OFF =
      "log NVRM: Xid (PCI:{3}): 79, pid=7062, name=python3, GPU has fallen off the bus.";

  @TempDir private Path dir = Path.of("");

  private HealthReport after(String... steps) throws IOException {
    Steps play = node();
    play.start();
    play.all("confirmation", List.of(steps));
    return play.settled();
  }

  /** No agent has run there yet. */
  private Steps node() {
    CorpusNode node = new CorpusNode("NVIDIA H100 80GB HBM3", "570.133.20");
    return Steps.onNode(new LivePlay(node, Profile.AWS, "570.133.20", dir), dir);
  }

  private static Finding xid(HealthReport report) {
    return report.findings().stream()
        .filter(finding -> finding.rule().startsWith("xid_"))
        .findFirst()
        .orElseThrow();
  }

  private static void isConfirmed(HealthReport report, boolean confirmed) {
    assertThat(report.verdict()).isEqualTo(Verdict.FAILING);
    assertThat(report.action()).isEqualTo(Action.REPLACE_NODE);
    assertThat(xid(report).detection().confirmed()).isEqualTo(confirmed);
    assertThat(xid(report).detection().what().contains("NVML has not confirmed it"))
        .isEqualTo(!confirmed);
  }

  @Test
  void aLineCountsAtOnceAndIsMarkedAfterAMinute() throws IOException {
    isConfirmed(after(FALLEN_OFF, "wait 2s"), true);
    isConfirmed(after(FALLEN_OFF, "wait 2m"), false);
  }

  @Test
  void theMarkSurvivesARestart() throws IOException {
    isConfirmed(after(FALLEN_OFF, "wait 2m", "restart", "wait 10s"), false);
  }

  @Test
  void nvmlsEventConfirmsAtAnyTimeWithinTenSeconds() throws IOException {
    isConfirmed(after(FALLEN_OFF, "nvml 3 79", "wait 3m"), true);
    isConfirmed(after(FALLEN_OFF, "wait 5s", "nvml 3 79", "wait 3m"), true);
    isConfirmed(after("nvml 3 79", FALLEN_OFF, "wait 3m"), true);
    isConfirmed(after(FALLEN_OFF, "wait 5s", "nvml 3 79", "restart", "wait 3m"), true);
  }

  @Test
  void theStateOfTheGpuConfirmsIt() throws IOException {
    isConfirmed(after(FALLEN_OFF, "gpu 3 down gpu_is_lost", "wait 3m"), true);
    isConfirmed(after(FALLEN_OFF, "wait 2m", "gpu 3 down gpu_is_lost", "wait 1m"), true);
  }

  @Test
  void theStateOfAnotherGpuDoesNot() throws IOException {
    HealthReport report = after(FALLEN_OFF, "gpu 5 down gpu_is_lost", "wait 3m");

    assertThat(xid(report).detection().confirmed()).isFalse();
  }

  @Test
  void whereNvmlCannotTellNothingIsMarked() throws IOException {
    isConfirmed(after("events-unavailable", FALLEN_OFF, "wait 10m"), true);
  }

  @Test
  void whatHappenedWhileNoAgentRanIsNotMarked() throws IOException {
    HealthReport report = after(FALLEN_OFF, "wait 2s", "restart", "wait 10m");

    isConfirmed(report, true);
  }

  @Test
  void whatIsFarOlderThanTheFirstStartIsMarkedAtOnce() throws IOException {
    String fallenOff = FALLEN_OFF.substring("log ".length());
    HealthReport old = after("logged 3d " + fallenOff, "wait 2s");
    HealthReport later = after("logged 3d " + fallenOff, "wait 2s", "restart", "wait 10m");
    HealthReport recent = after("logged 50m " + fallenOff, "wait 10m");
    String other = "log NVRM: loading NVIDIA UNIX x86_64 Kernel Module  570.133.20  Sun Mar 30";
    HealthReport second = after(other, "wait 2s", "restart", "logged 3d " + fallenOff, "wait 10m");

    assertThat(List.of(old, later, recent, second))
        .extracting(report -> xid(report).detection().confirmed())
        .containsExactly(false, false, true, true);
    assertThat(List.of(old, later))
        .extracting(report -> xid(report).detection().what())
        .allMatch(what -> what.endsWith("a repair since then is not known"));
  }

  @Test
  void aStartThatCouldNotReadTheKernelLogWasNotTheFirst() throws IOException {
    String fallenOff = FALLEN_OFF.substring("log ".length());
    HealthReport report = after("wait 10m", "restart", "logged 3d " + fallenOff, "wait 10m");

    assertThat(xid(report).detection().confirmed()).isFalse();
  }

  @Test
  void aStartThatEndedBeforeItsFirstEvaluationWasNotTheFirst() throws IOException {
    for (String age : List.of("3d", "2h")) {
      Steps play = node();
      play.all("confirmation", List.of("failed-start"));
      play.sleep(Duration.ofDays(1));
      play.all("confirmation", List.of("start"));
      play.all("confirmation", List.of("logged " + age + FALLEN_OFF.substring(3), "wait 2m"));

      assertThat(xid(play.settled()).detection().confirmed()).as(age).isFalse();
    }
  }

  @Test
  void aDriverThatIsNotThereConfirmsNothing() throws IOException {
    Steps play = node();
    play.all(
        "confirmation", List.of("driver absent", "start", "logged 3d " + FALLEN_OFF.substring(4)));
    play.all("confirmation", List.of("wait 10m", "driver up", "wait 10m"));
    assertThat(xid(play.settled()).detection().confirmed()).isFalse();

    HealthReport report =
        after(
            "driver absent",
            "logged 3d " + FALLEN_OFF.substring(4),
            "wait 10m",
            "driver up",
            "wait 10m");

    assertThat(xid(report).detection().confirmed()).isFalse();
  }

  @Test
  void aGpuThatIsNotCountedConfirmsItOnceTheDriverHasComeUp() throws IOException {
    String old = "logged 3d " + FALLEN_OFF.substring(4);
    HealthReport lasting = after("count 7", old, "wait 10m");
    HealthReport short1 = after("count 7", old, "wait 10s", "count 8", "wait 10m");

    assertThat(xid(lasting).detection().confirmed()).isTrue();
    assertThat(xid(short1).detection().confirmed()).isFalse();
  }

  @Test
  void afterTheClockWasSetBackANewFaultIsNotOlderThanTheFirstStart() throws IOException {
    String fatal = "log nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 22013, Fatal, Link 08 Minion";
    HealthReport report = after("clock -8h", "wait 30m", fatal, "wait 10m");

    assertThat(report.findings())
        .filteredOn(finding -> finding.rule().equals("sxid_22013"))
        .singleElement()
        .satisfies(finding -> assertThat(finding.detection().confirmed()).isTrue());
  }

  @Test
  void withoutTheEventLogOfBeforeTheFirstStartIsNotKnown() throws IOException {
    Steps play = node();
    play.all("confirmation", List.of("event-log-unreadable", "start", "event-log-readable"));
    play.all("confirmation", List.of("logged 3d " + FALLEN_OFF.substring(4), "wait 10m"));

    assertThat(xid(play.settled()).detection().confirmed()).isTrue();
  }

  @Test
  void aGpuThatIsLostConfirmsWhatIsOlder() throws IOException {
    String fallenOff = FALLEN_OFF.substring("log ".length());

    isConfirmed(after("logged 3d " + fallenOff, "gpu 3 down gpu_is_lost", "wait 3m"), true);
  }

  @Test
  void anOldErrorOfASwitchIsMarkedToo() throws IOException {
    String fatal =
        "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 22013, Fatal, Link 08 Minion Link DLREQ";
    for (HealthReport report :
        List.of(
            after("logged 3d " + fatal, "wait 10m"),
            after("logged 3d " + fatal, "wait 10m", "restart", "wait 10m"))) {
      assertThat(report.findings())
          .filteredOn(finding -> finding.rule().equals("sxid_22013"))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.detection().confirmed()).isFalse();
                assertThat(finding.detection().what()).endsWith("a repair since then is not known");
              });
    }
  }

  @Test
  void anOldMarkIsNotThatOfANewFault() throws IOException {
    String fallenOff = FALLEN_OFF.substring("log ".length());
    HealthReport unseen =
        after("logged 3d " + fallenOff, "wait 1h", "restart", "logged 3s " + fallenOff, "wait 10m");
    HealthReport seen =
        after("logged 3d " + fallenOff, "wait 1h", FALLEN_OFF, "nvml 3 79", "wait 10m");
    HealthReport denied = after("logged 3d " + fallenOff, "wait 1h", FALLEN_OFF, "wait 10m");

    assertThat(List.of(unseen, seen, denied))
        .extracting(report -> xid(report).detection().confirmed())
        .containsExactly(true, true, false);
  }

  @Test
  void anXidThatAsksForAResetIsMarkedToo() throws IOException {
    String timeout = "log NVRM: Xid (PCI:{3}): 119, pid=7062, Timeout waiting for RPC";
    HealthReport first = after(timeout, "wait 2s");
    HealthReport alone = after(timeout, "wait 5m");
    HealthReport both = after(timeout, "nvml 3 119", "wait 5m");

    assertThat(List.of(first, alone, both))
        .allMatch(report -> xid(report).disposition().action() == Action.RESET_GPU);
    assertThat(xid(first).detection().confirmed()).isTrue();
    assertThat(xid(alone).detection().confirmed()).isFalse();
    assertThat(xid(both).detection().confirmed()).isTrue();
  }

  @Test
  void anXidThatAsksForLessIsNotMarked() throws IOException {
    HealthReport report =
        after("log NVRM: Xid (PCI:{3}): 92, High single-bit ECC error rate", "wait 5m");

    assertThat(xid(report).disposition().action().covers(Action.RESET_GPU)).isFalse();
    assertThat(xid(report).detection().confirmed()).isTrue();
  }
}
