package io.lapwing.agent.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.Recorded;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayOutput.Counts;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
import io.lapwing.common.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evaluation of saved kernel logs. */
class LogReplayTest {

  private static final class Heard implements ReplayOutput {
    final List<ReplayedEvent> events = new ArrayList<>();
    final List<String> verdicts = new ArrayList<>();
    @Nullable HealthReport last;
    long lines;
    int boots;
    Counts counts = new Counts(0, 0, 0, 0);

    @Override
    public void event(ReplayedEvent event) {
      events.add(event);
    }

    @Override
    public void verdict(Instant at, Verdict from, Verdict to, Action action, String why) {
      verdicts.add(at + " " + to.text() + " " + action.text());
    }

    @Override
    public void boot(Optional<Instant> at, String id) {
      boots++;
    }

    @Override
    public void end(HealthReport report, Counts read) {
      last = report;
      lines = read.lines();
      counts = read;
    }

    String summary() {
      return last == null ? "" : last.summary();
    }

    Verdict verdict() {
      return last == null ? Verdict.UNKNOWN : last.verdict();
    }

    List<Finding> findings() {
      return last == null ? List.of() : last.findings();
    }
  }

  private static Heard replay(Path log, String profile) throws ConfigException, IOException {
    return replay(log, profile, Optional.empty());
  }

  private static Heard replay(Path log, String profile, Optional<String> driver)
      throws ConfigException, IOException {
    Heard heard = new Heard();
    Verdict verdict =
        new LogReplay()
            .replay(
                new ReplayRequest(log, Optional.empty(), Optional.of(profile), driver, false),
                heard);
    assertThat(verdict).isEqualTo(heard.verdict());
    return heard;
  }

  private static Path log(Path dir, String... lines) throws IOException {
    return Files.writeString(dir.resolve("log"), String.join("\n", lines) + "\n");
  }

  @Test
  void theRecordedBurstIsOneFinding() throws Exception {
    Path recorded = Recorded.file("kernel-log/xid-119-burst.dmesg");
    assumeTrue(Files.isReadable(recorded), "no recorded kernel log beside this repository");
    Heard heard = replay(recorded, "aws");

    assertThat(heard.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo("xid_119");
              assertThat(finding.detection().times()).isEqualTo(5);
              assertThat(finding.subject().text())
                  .isEqualTo("gpu:GPU-509665ad-b600-ac93-3616-d754b23d636d");
            });
    assertThat(heard.verdicts).containsExactly("2025-02-23T16:24:18Z failing reset_gpu");
    assertThat(heard.lines).isEqualTo(43);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "4,12,90000000,-;NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "[   90.000000] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "[Sun Feb 23 16:24:18 2025] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "Feb 23 16:24:18 ip-10-1-2-3 kernel: [   90.1] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "2025-02-23T16:24:18.5+00:00 node kernel: NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "2025-02-23T16:24:18,123456+00:00 NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "kern  :err   : 2025-02-23T16:24:18,123456+00:00 NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "[Feb23 16:24] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "[  +0.000012] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "[   12.345678 <    0.000012>] NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "Sun 2025-02-23 16:24:18 UTC node kernel: NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "1740327858.123456 node kernel: NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "[   12.345678] node kernel: NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "<3>1 2025-02-23T16:24:18.123Z node kernel - - - NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "2025-02-23T16:24:18.123Z NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
        "{\"log\":\"NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.\\n\",\"stream\":\"stdout\"}",
        "{\"__REALTIME_TIMESTAMP\":\"1740327858123456\",\"_TRANSPORT\":\"kernel\",\"MESSAGE\":\"NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.\"}",
        "[   12.345678] NVRM: GPU 53:00.0: GPU has fallen off the bus.",
        "[   12.345678] NVRM: GPU at 0000:53:00.0 has fallen off the bus."
      })
  void everyFormOfALogIsUnderstood(String line, @TempDir Path dir) throws Exception {
    Heard aws = replay(log(dir, line), "aws");
    Heard nvidia = replay(log(dir, line), "nvidia");

    assertThat(aws.findings()).extracting(Finding::rule).containsExactly("xid_79");
    assertThat(aws.findings().get(0).disposition().action()).isEqualTo(Action.REPLACE_NODE);
    assertThat(nvidia.findings().get(0).disposition().action()).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void aProcessThatWritesAsTheDriverWouldIsNotBelieved(@TempDir Path dir) throws Exception {
    Heard heard =
        replay(
            log(
                dir,
                "12,12,90000000,-;NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus.",
                "Feb 23 16:24:18 node python[77]: NVRM: Xid (PCI:0000:53:00): 79, fallen"),
            "aws");

    assertThat(heard.events).isEmpty();
    assertThat(heard.findings()).isEmpty();
  }

  @Test
  void eachChangeOfTheVerdictIsReported(@TempDir Path dir) throws Exception {
    Heard heard =
        replay(
            log(
                dir,
                "[Sun Feb 23 16:00:00 2025] NVRM: Xid (PCI:0000:53:00): 63, Row Remapper: New row",
                "[Sun Feb 23 18:00:00 2025] NVRM: Xid (PCI:0000:64:00): 79, GPU has fallen off the bus."),
            "nvidia");

    assertThat(heard.verdicts)
        .containsExactly(
            "2025-02-23T16:00:00Z degraded reset_gpu", "2025-02-23T18:00:00Z failing reboot_node");
  }

  /** Two logs in one file, or a clock that was corrected. */
  @Test
  void aLogWithATimeBeforeTheLastOneKeepsTheOrderOfItsLines(@TempDir Path dir) throws Exception {
    String loading = "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 2025";
    Heard heard =
        replay(
            log(
                dir,
                "[    5.0] " + loading,
                "[ 9000.0] NVRM: Xid (PCI:0000:53:00): 62, pid=1, name=a, 0000",
                "[    0.0] Linux version 6.8",
                "[    5.0] " + loading),
            "aws");

    assertThat(heard.verdicts).hasSize(2);
    assertThat(heard.findings()).isEmpty();
  }

  @Test
  void aTimeFarInTheFutureIsReplayed(@TempDir Path dir) throws Exception {
    Heard heard =
        replay(
            log(
                dir,
                "2026-01-01T11:00:00.0+00:00 host kernel: NVRM: Xid (PCI:0000:53:00): 62, 0000",
                "9999-01-01T11:10:00.0+00:00 host kernel: NVRM: Xid (PCI:0000:53:00): 62, 0000",
                "2026-01-01T11:20:00.0+00:00 host kernel: systemd: hello"),
            "aws");

    assertThat(heard.lines).isEqualTo(3);
    assertThat(heard.findings()).extracting(Finding::rule).containsExactly("xid_62");
  }

  /** Duplicates are merged by the agent; the disposition of each message counts. */
  @Test
  void twoMessagesOfOneMomentAreBothEvaluated(@TempDir Path dir) throws Exception {
    Heard heard =
        replay(
            log(
                dir,
                "[   90.000] NVRM: Xid (PCI:0000:53:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)",
                "[   90.050] NVRM: Xid (PCI:0000:53:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x2 (Node Reboot Required)"),
            "aws");

    assertThat(heard.findings())
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.disposition().action()).isEqualTo(Action.REBOOT_NODE));
  }

  @Test
  void anXid154DecidesTheAction(@TempDir Path dir) throws Exception {
    Heard heard =
        replay(
            log(
                dir,
                "NVRM: Xid (PCI:0008:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)"),
            "nvidia");

    assertThat(heard.events)
        .singleElement()
        .satisfies(
            event -> assertThat(event.call().orElseThrow().action()).isEqualTo(Action.REBOOT_NODE));
    assertThat(heard.findings().get(0).disposition().action()).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void aLogInNoKnownFormHasAnUnknownVerdict(@TempDir Path dir) throws Exception {
    Heard heard = replay(log(dir, "hello", "world"), "aws");

    assertThat(heard.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(heard.counts).isEqualTo(new Counts(2, 0, 0, 0));
    assertThat(heard.summary()).contains("none of the 2 lines has a known form");
    assertThat(replay(log(dir), "aws").summary()).isEqualTo("the log is empty");
  }

  @Test
  void aLogWithoutAMessageOfTheKernelHasAnUnknownVerdict(@TempDir Path dir) throws Exception {
    Heard heard = replay(log(dir, "Feb 23 16:24:18 node sshd[7]: hello"), "aws");

    assertThat(heard.verdict()).isEqualTo(Verdict.UNKNOWN);
    assertThat(heard.summary()).contains("the kernel wrote none of the 1 lines");
  }

  @Test
  void aLogWithMostLinesInNoKnownFormHasAWarning(@TempDir Path dir) throws Exception {
    Heard heard = replay(log(dir, "[    1.0] usb 1-1: new device", "hello", "world"), "aws");

    assertThat(heard.verdict()).isEqualTo(Verdict.HEALTHY);
    assertThat(heard.counts.warning())
        .contains("2 of 3 lines have no known form and were not evaluated");
    assertThat(replay(log(dir, "[    1.0] usb 1-1: new device", "hello"), "aws").counts.warning())
        .isEmpty();
  }

  private static final String OFF =
      "NVRM: Xid (PCI:0000:53:00): 79, pid=1, name=a, GPU has fallen off the bus.";

  @Test
  void aBootEndsWhatDemandsOneAndTheSameFaultEscalatesAfterIt(@TempDir Path dir) throws Exception {
    String[] boots = {
      "Feb 23 16:00:00 node kernel: " + OFF,
      "-- Boot 91e5da22438a3d879584c0c11f0a2df0 --",
      "Feb 23 17:00:00 node kernel: Linux version 6.8.0-1029-aws",
      "Feb 23 17:00:10 node kernel: NVRM: loading NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue"
    };
    Heard booted = replay(log(dir, boots), "nvidia");
    assertThat(booted.boots).isEqualTo(1);
    assertThat(booted.findings()).isEmpty();
    assertThat(booted.verdict()).isEqualTo(Verdict.HEALTHY);

    // Under aws only a replacement ends it.
    assertThat(replay(log(dir, boots), "aws").verdict()).isEqualTo(Verdict.FAILING);

    List<String> again = new ArrayList<>(List.of(boots));
    again.add("Feb 23 18:00:00 node kernel: " + OFF);
    assertThat(replay(log(dir, again.toArray(String[]::new)), "nvidia").findings())
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.disposition().action()).isEqualTo(Action.REPLACE_NODE));
  }

  @Test
  void withoutDatesABootContinuesWhereTheLastOneEnded(@TempDir Path dir) throws Exception {
    Heard heard =
        replay(
            log(
                dir,
                "[ 9000.0] " + OFF,
                "[    0.0] Linux version 6.8.0-1029-aws",
                "[ 1000.0] " + OFF),
            "nvidia");

    assertThat(heard.boots).isEqualTo(1);
    assertThat(heard.verdicts)
        .containsExactly(
            "1970-01-01T02:30:00Z failing reboot_node",
            "1970-01-01T02:30:00Z healthy none",
            "1970-01-01T02:46:40Z failing replace_node");
  }

  /** 0x...20: an error that layouts before R575 have, and later ones do not. */
  @Test
  void theDriversVersionMayBeGiven(@TempDir Path dir) throws Exception {
    Path log =
        log(
            dir,
            "[    1.0] NVRM: Xid (PCI:0000:53:00): 149, NETIR_LINK_EVT Nonfatal XC0 i0 Link 08 (0x004505c6 0x00000000 0x0)");

    assertThat(replay(log, "aws").verdict()).isEqualTo(Verdict.FAILING);
    assertThat(replay(log, "aws", Optional.of("570.133.20")).verdict()).isEqualTo(Verdict.FAILING);
    assertThat(replay(log, "aws", Optional.of("580.95.05")).verdict()).isEqualTo(Verdict.DEGRADED);
  }

  @Test
  void aFatalLinkErrorThatNobodyDecodesDemandsAReset(@TempDir Path dir) throws Exception {
    for (String said :
        List.of(
            "SAW_EGR Fatal XC0 i0 Link 08 (0x00000021 0x00000001 0x0)", "SAW_MVB Fatal XC0 i0")) {
      Heard heard =
          replay(log(dir, "[    1.0] NVRM: Xid (PCI:0000:53:00): 144, " + said), "nvidia");
      assertThat(heard.findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.disposition().action()).isEqualTo(Action.RESET_GPU);
                assertThat(finding.detection().why()).contains("the driver calls the error fatal");
              });
    }
  }

  @Test
  void aGpuThatDoesNotComeUpIsFailingUntilABoot(@TempDir Path dir) throws Exception {
    String[] lines = {
      "[   12.0] NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x62:0x40:2477)",
      "[   12.1] NVRM: GPU 0000:53:00.0: rm_init_adapter failed, device minor number 4",
      "[ 9000.0] NVRM: x",
      "[    0.0] Linux version 6.8.0-1029-aws"
    };
    Heard failed = replay(log(dir, lines[0], lines[1]), "aws");
    assertThat(failed.findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo("gpu_init_failed");
              assertThat(finding.subject().text()).isEqualTo("gpu:0000:53:00");
              assertThat(finding.detection().times()).isEqualTo(1);
              assertThat(finding.detection().what())
                  .isEqualTo(
                      "the driver could not initialize the GPU at 0000:53:00: RmInitAdapter failed! (0x62:0x40:2477)");
              assertThat(finding.disposition().action()).isEqualTo(Action.REBOOT_NODE);
            });
    assertThat(replay(log(dir, lines), "aws").verdict()).isEqualTo(Verdict.HEALTHY);
  }

  @Test
  void gspErrorsThatTheDriverSuppressesDemandAResetUnlessAnXidDoes(@TempDir Path dir)
      throws Exception {
    String limit =
        "[Sun Feb 23 16:24:36 2025] NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every 30).  The GPU likely needs to be reset.";
    String timeout =
        "[Sun Feb 23 16:24:18 2025] NVRM: Xid (PCI:0000:9b:00): 119, pid=1, name=a, Timeout after 6s of waiting for RPC response from GPU4 GSP! Expected function 76 (GSP_RM_CONTROL) (0x20801813 0x4c).";
    assertThat(replay(log(dir, limit), "aws").findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.rule()).isEqualTo("gsp_errors_suppressed");
              assertThat(finding.disposition().action()).isEqualTo(Action.RESET_GPU);
            });
    assertThat(replay(log(dir, timeout, limit), "aws").findings())
        .extracting(Finding::rule)
        .containsExactly("xid_119");
  }

  @Test
  void linksThatAreNotTrainedDegradeTheNodeForADay(@TempDir Path dir) throws Exception {
    String links =
        "[Sun Feb 23 16:00:00 2025] NVRM: knvlinkUpdatePostRxDetectLinkMask_IMPL: Failed to update Rx Detect Link mask!";
    assertThat(replay(log(dir, links), "aws").verdicts)
        .containsExactly("2025-02-23T16:00:00Z degraded watch");
    assertThat(
            replay(
                    log(
                        dir,
                        links,
                        "[Mon Feb 24 17:00:00 2025] NVRM: Xid (PCI:0000:53:00): 43, pid=1, name=a, x"),
                    "aws")
                .findings())
        .extracting(Finding::rule)
        .containsExactly("xid_43");
  }

  /** The first message is of a real log (lwa-issues#117); a program wrote the second one. */
  @Test
  void faultsOfTheHostAreEvaluatedLikeXids(@TempDir Path dir) throws Exception {
    String memory =
        " memory read error on CPU_SrcID#1_MC#1_Chan#2_DIMM#0 (channel:2 slot:0 page:0xb75";
    Heard heard =
        replay(
            log(
                dir,
                "4,101,6000000,-;EDAC MC3: 1 UE" + memory,
                "12,102,7000000,-;EDAC MC4: 1 UE" + memory,
                "3,103,8000000,-;Memory cgroup out of memory: Killed process 77 (python) total-vm:1kB"),
            "aws");
    assertThat(heard.findings())
        .extracting(Finding::rule)
        .containsExactly("host_memory_uncorrected", "oom_kill");
    assertThat(heard.findings().get(0).detection().what())
        .isEqualTo("1 uncorrected hardware error of mc3 CPU_SrcID#1_MC#1_Chan#2_DIMM#0");
  }
}
