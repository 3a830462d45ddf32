package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.cli.CheckReport.OneLineReport;
import io.lapwing.agent.cli.CheckText.AnsiColor;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The output of a check for people and scripts. */
class CheckTextTest {

  private static final Instant NOW = MadeReports.JUDGED.plusSeconds(4);
  private static final AnsiColor PLAIN = new AnsiColor(false);

  private static CheckResult reported(HealthReport report) {
    return result(report, Optional.empty(), Optional.empty());
  }

  private static CheckResult result(
      HealthReport report, Optional<String> doubt, Optional<String> note) {
    return new CheckResult(report, "{}\n", "the agent at http://127.0.0.1:9754", doubt, note, NOW);
  }

  private static String brief(HealthReport report) {
    return OneLineReport.of(reported(report));
  }

  @Test
  void aFailingNodeFillsAScreen() {
    assertThat(CheckText.of(reported(MadeReports.failing()), PLAIN))
        .isEqualTo(
            """
            FAILING: replace_node, now
            GPU 3 has fallen off the bus
            since 2026-11-20 03:12:44Z, 2 h 5 min ago
            evaluated 2026-11-20 05:18:00Z by the agent at http://127.0.0.1:9754, profile aws

            GPU  VERDICT   ACTION        PCI           UUID
            0    degraded  watch         0000:50:00    GPU-00000000-0000-0000-0000-000000000000
            3    failing   replace_node  0000:53:00    GPU-00000003-0000-0000-0000-000000000000

            3 findings, worst first

            1. failing: replace_node, now
               GPU 3: GPU has fallen off the bus
               since     2026-11-20 03:12:44Z, 2 h 5 min ago; 3 times, last 2026-11-20 05:01:02Z
               source    kernel log, NVML event
               why       a GPU that has left the bus comes back by a power cycle at best, and such nodes lose it
                         again
               document  NVIDIA XID catalogue, 79
               runbook   LapwingXid
               rule      xid_79 on gpu:GPU-00000003-0000-0000-0000-000000000000

            2. degraded: watch
               GPU 0: clocks are held down to 1200 MHz of 1980 MHz for heat
               since     2026-11-20 03:12:44Z, 2 h 5 min ago
               source    kernel log, NVML event
               why       a GPU that has left the bus comes back by a power cycle at best, and such nodes lose it
                         again
               document  NVIDIA XID catalogue, 79
               runbook   LapwingNodeFindingUnlisted
               rule      slow_clocks on gpu:GPU-00000000-0000-0000-0000-000000000000

            3. info: nothing to do on this node
               nvidia-nvswitch0: a short error rate on link 28
               since     2026-11-20 03:12:44Z, 2 h 5 min ago
               source    kernel log, NVML event
               why       a GPU that has left the bus comes back by a power cycle at best, and such nodes lose it
                         again
               document  NVIDIA XID catalogue, 79
               runbook   LapwingNvswitchSxid
               rule      sxid_20009 on nvswitch:nvidia-nvswitch0

            Not monitored on this node
               ecc_trend: the agent has run for 2 min
               pcie_width: sysfs shows no link of GPU 3
            """);
  }

  @Test
  void aMachineWithoutGpusIsHealthyWithAReason() {
    assertThat(CheckText.of(reported(MadeReports.withoutGpus()), PLAIN))
        .isEqualTo(
            """
            HEALTHY: nothing to do
            no GPU expected: m5.large has none, and no NVIDIA device is on the PCI bus
            since 2026-11-18 00:00:00Z, 2 d 5 h ago
            evaluated 2026-11-20 05:18:00Z by the agent at http://127.0.0.1:9754, profile aws
            """);
  }

  @Test
  void aSimulatedNodeIsMarkedFirst() {
    assertThat(CheckText.of(reported(MadeReports.simulated()), PLAIN))
        .startsWith(
            "SIMULATED NODE: none of this hardware exists.\n\nFAILING: replace_node, now\n");
    assertThat(brief(MadeReports.simulated())).startsWith("SIMULATED FAILING replace_node gpu 3: ");
  }

  @Test
  void anOldEvaluationIsShownAsOld() {
    CheckResult stale =
        result(
            MadeReports.healthy(),
            Optional.of("the agent has not evaluated health since 2026-11-20 05:18:00Z"),
            Optional.empty());

    assertThat(CheckText.of(stale, PLAIN))
        .startsWith(
            """
            UNKNOWN: do not rely on this node
            the agent has not evaluated health since 2026-11-20 05:18:00Z

            Last report: HEALTHY: nothing to do
            2 GPUs answer and nothing is wrong
            """);
    assertThat(OneLineReport.of(stale))
        .isEqualTo("UNKNOWN: the agent has not evaluated health since 2026-11-20 05:18:00Z");
    assertThat(stale.exitCode()).isEqualTo(3);
  }

  @Test
  void aNodeThatWasNotEvaluatedHasNoActionNone() {
    HealthReport report =
        HealthReport.notEvaluated(
            MadeReports.JUDGED, "the agent has only just started", "aws", false);

    assertThat(CheckText.of(reported(report), PLAIN))
        .startsWith("UNKNOWN: no data yet\nthe agent has only just started\n");
  }

  @Test
  void inTheFirstMinuteNothingIsMissing() {
    HealthReport first =
        MadeReports.unevaluated(
            Map.of("lustre_slow", HealthReport.NO_DATA_YET, "efa_rail_slow", "no data yet"));

    assertThat(CheckText.of(reported(first), PLAIN))
        .endsWith("\nNo data yet: efa_rail_slow, lustre_slow\n")
        .doesNotContain("Not monitored");
  }

  /** Such a report may have no findings either, but the agent had data. */
  @Test
  void aStaleReportHasHadData() {
    assertThat(CheckText.of(reported(MadeReports.healthy().stale("it stands still")), PLAIN))
        .doesNotContain("no data yet");
  }

  @Test
  void theSourceOfTheReportIsNamed() {
    CheckResult own =
        result(
            MadeReports.healthy(), Optional.empty(), Optional.of("checked once without an agent"));

    CheckReport screen = CheckReport.of(own, CheckRequest.Form.SCREEN, PLAIN);
    CheckReport brief = CheckReport.of(own, CheckRequest.Form.BRIEF, PLAIN);
    CheckReport json = CheckReport.of(own, CheckRequest.Form.JSON, PLAIN);

    assertThat(screen.out()).startsWith("checked once without an agent");
    assertThat(screen.err()).isEmpty();
    assertThat(brief.out().lines()).hasSize(1);
    assertThat(brief.err()).startsWith("lapwing: checked once without ");
    assertThat(json.out()).isEqualTo("{}\n");
    assertThat(json.err()).startsWith("lapwing: checked once without ");
  }

  @Test
  void noLineOfTheScreenIsWiderThanATerminal() {
    assertThat(CheckText.of(reported(MadeReports.failing()), PLAIN).lines())
        .allMatch(line -> line.length() <= 100);
  }

  @Test
  void oneLineHasVerdictActionGpuFaultAndSince() {
    assertThat(brief(MadeReports.failing()))
        .isEqualTo(
            "FAILING replace_node gpu 3: GPU has fallen off the bus (xid_79), since 03:12:44Z")
        .hasSize(80);
    assertThat(brief(MadeReports.healthy()))
        .isEqualTo("HEALTHY none: 2 GPUs answer and nothing is wrong, since 2026-11-18");
  }

  @Test
  void oneLineOmitsWordsInTheMiddle() {
    Finding wordy =
        MadeReports.finding(
            "nvlink_down",
            new Subject.Gpu(MadeReports.uuid(3)),
            Disposition.failing(Action.RESET_GPU, Urgency.NOW),
            "links 5, 7, 9, 11 and 13 of 18 are down since the last reset.");

    assertThat(brief(MadeReports.with(List.of(wordy))))
        .isEqualTo(
            "FAILING replace_node gpu 3: links 5, 7, 9, 11... (nvlink_down), since 03:12:44Z")
        .hasSizeLessThanOrEqualTo(80);
  }

  @Test
  void oneLineNamesTheFindingThatDecidesTheVerdict() {
    List<Finding> turned = new java.util.ArrayList<>(MadeReports.failing().findings());
    java.util.Collections.reverse(turned);

    assertThat(brief(MadeReports.with(turned))).contains("gpu 3: GPU has fallen off the bus");
  }

  @Test
  void anOldFindingHasItsDate() {
    Finding old =
        MadeReports.finding(
            "xid_79",
            Subject.NODE,
            Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
            "gone",
            NOW.minus(Duration.ofDays(30)),
            NOW,
            1);

    assertThat(brief(MadeReports.with(List.of(old))))
        .isEqualTo("FAILING replace_node node: gone (xid_79), since 2026-10-21");
  }

  @Test
  void foreignTextCannotColorOrBreakTheScreen() {
    Finding nasty =
        MadeReports.finding(
            "xid\u001b[31m",
            new Subject.NvSwitch("nv\u001b[2Jswitch"),
            Disposition.failing(Action.REPLACE_NODE, Urgency.NOW),
            "pid 1 \u001b[32mHEALTHY\u001b[0m\nHEALTHY: nothing to do");
    HealthReport report = MadeReports.with(List.of(nasty));

    assertThat(CheckText.of(reported(report), PLAIN) + brief(report)).doesNotContain("\u001b");
    assertThat(CheckText.of(reported(report), PLAIN).lines())
        .noneMatch(line -> line.startsWith("HEALTHY"));
    assertThat(brief(report).lines()).hasSize(1);
  }

  @Test
  void colorIsOnlyUsedIfEnabled() {
    assertThat(CheckText.of(reported(MadeReports.simulated()), PLAIN)).doesNotContain("\u001b");
    assertThat(CheckText.of(reported(MadeReports.simulated()), new AnsiColor(true)))
        .contains("\u001b[1;31mFAILING\u001b[0m: replace_node", "\u001b[33mdegraded \u001b[0m ");
    assertThat(
            CheckText.of(reported(MadeReports.simulated()), new AnsiColor(true))
                .replaceAll("\u001b\\[[0-9;]*m", ""))
        .isEqualTo(CheckText.of(reported(MadeReports.simulated()), PLAIN));
  }

  @Test
  void eachGpuWithHardwareFaultsHasALine() {
    assertThat(CheckText.of(reported(MadeReports.withHardwareFaults()), PLAIN))
        .contains("Hardware faults in the last 90 days\n   node: 3 episodes, score 7, last ")
        .containsPattern("   GPU 1: 1 episode, score 2, last [^\n]+, serial 1650522032781\n");
    assertThat(CheckText.of(reported(MadeReports.healthy()), PLAIN)).doesNotContain("Hardware");
  }

  @Test
  void whatAStopCostsIsBesideTheMaintenance() {
    assertThat(CheckText.of(reported(MadeReports.slow()), PLAIN).replaceAll("\\s+", " "))
        .contains(
            "stopping job 4711, run llama, now loses 12 min of 512 GPUs (102.4 GPU hours): its last"
                + " durable checkpoint is of step 1000")
        .contains("now loses 1 min of 7 ranks, which share GPUs: it has no durable checkpoint yet");
    assertThat(CheckText.of(reported(MadeReports.healthy()), PLAIN)).doesNotContain("stopping");
  }

  @Test
  void lostTrainingTimeIsBelowTheFindings() {
    assertThat(CheckText.of(reported(MadeReports.slow()), PLAIN))
        .contains(
            """
            Training lost time in the last minute
               rank 3 of job 4711 (GPU 3) lost 12.5 s
            """);
    assertThat(CheckText.of(reported(MadeReports.healthy()), PLAIN)).doesNotContain("Training");
  }
}
