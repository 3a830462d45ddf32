package io.lapwing.agent.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.Recorded;
import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayOutput.ReplayedEvent;
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

    @Override
    public void event(ReplayedEvent event) {
      events.add(event);
    }

    @Override
    public void verdict(Instant at, Verdict from, Verdict to, Action action, String why) {
      verdicts.add(at + " " + to.text() + " " + action.text());
    }

    @Override
    public void end(HealthReport report, long read, long recognised) {
      last = report;
      lines = read;
    }

    List<Finding> findings() {
      return last == null ? List.of() : last.findings();
    }
  }

  private static Heard replay(Path log, String profile) throws ConfigException, IOException {
    Heard heard = new Heard();
    new LogReplay()
        .replay(new ReplayRequest(log, Optional.empty(), Optional.of(profile), false), heard);
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
        "NVRM: Xid (PCI:0000:53:00): 79, GPU has fallen off the bus."
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
}
