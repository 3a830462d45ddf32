package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Subject;
import io.lapwing.node.Platform;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthJsonTest {

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aReportIsWrittenInTheOrderInWhichItIsRead() {
    HealthReport report = MadeReports.with(MadeReports.failing().findings().subList(0, 1));

    assertThat(text(HealthJson.write(report)))
        .isEqualTo(
            """
            {
              "verdict" : "failing",
              "action" : "replace_node",
              "urgency" : "now",
              "since" : "2026-11-20T03:12:44Z",
              "at" : "2026-11-20T05:18:00Z",
              "summary" : "GPU 3 has fallen off the bus",
              "profile" : "aws",
              "simulated" : false,
              "gpus" : [ {
                "index" : 0,
                "uuid" : "GPU-00000000-0000-0000-0000-000000000000",
                "pci" : "0000:50:00",
                "verdict" : "degraded",
                "action" : "watch",
                "since" : "2026-11-20T03:12:44Z"
              }, {
                "index" : 3,
                "uuid" : "GPU-00000003-0000-0000-0000-000000000000",
                "pci" : "0000:53:00",
                "verdict" : "failing",
                "action" : "replace_node",
                "since" : "2026-11-20T03:12:44Z"
              } ],
              "findings" : [ {
                "rule" : "xid_79",
                "subject" : "gpu:GPU-00000003-0000-0000-0000-000000000000",
                "severity" : "failing",
                "action" : "replace_node",
                "urgency" : "now",
                "since" : "2026-11-20T03:12:44Z",
                "last" : "2026-11-20T05:01:02Z",
                "times" : 3,
                "confirmed" : true,
                "what" : "GPU has fallen off the bus",
                "why" : "a GPU that has left the bus comes back by a power cycle at best, and such nodes lose it again",
                "document" : "NVIDIA XID catalogue, 79",
                "runbook" : "LapwingXid",
                "sources" : [ "kernel log", "NVML event" ]
              } ],
              "unwatched" : {
                "ecc_trend" : "the agent has run for 2 min",
                "pcie_width" : "sysfs shows no link of GPU 3"
              },
              "maintenance" : null,
              "gpus_released" : null,
              "tests" : [ ],
              "slow" : [ ],
              "hardware" : [ ],
              "stop_costs" : [ ],
              "node" : {
                "hostname" : "",
                "instance_id" : "",
                "platform" : null,
                "platform_source" : "not detected",
                "boot_id" : ""
              }
            }
            """);
  }

  @Test
  void theNodeSurvivesARoundTripAndOtherAgentsMayHaveNoneOrAnotherPlatform() throws Exception {
    HealthReport report = MadeReports.on("node-7", "i-0123456789abcdef0", Platform.KARPENTER);
    String json = text(HealthJson.write(report));

    assertThat(HealthJson.read(bytes(json)).node()).isEqualTo(report.node());
    assertThat(HealthJson.read(bytes(json.replace("\"karpenter\"", "\"gke\""))).node().platform())
        .isEmpty();
    assertThat(HealthJson.read(bytes(json.replaceAll(",\\s+\"node\" : \\{[^}]*}", ""))).node())
        .isEqualTo(HealthReport.NodeName.UNKNOWN);
  }

  @Test
  void aReportSurvivesARoundTrip() throws Exception {
    for (HealthReport report :
        List.of(
            MadeReports.healthy(),
            MadeReports.failing(),
            MadeReports.simulated(),
            MadeReports.withoutGpus())) {
      HealthReport read = HealthJson.read(HealthJson.write(report));

      assertThat(text(HealthJson.write(read))).isEqualTo(text(HealthJson.write(report)));
      assertThat(read.gpus()).isEqualTo(report.gpus());
      assertThat(read.unevaluated()).isEqualTo(report.unevaluated());
      assertThat(read.findings())
          .extracting("rule", "subject", "disposition", "since", "last")
          .isEqualTo(
              assertThat(report.findings())
                  .extracting("rule", "subject", "disposition", "since", "last")
                  .actual());
    }
  }

  @Test
  void theMigInstanceOfAFindingSurvivesARoundTripAndIsLeftOutForAWholeGpu() throws Exception {
    Finding whole = MadeReports.failing().findings().get(0);
    Finding part =
        new Finding(whole.detection().of(OptionalInt.of(7)), whole.since(), whole.last());
    String json = text(HealthJson.write(MadeReports.with(List.of(whole, part))));

    assertThat(json).containsOnlyOnce("\"gpu_instance\" : 7");
    assertThat(HealthJson.read(bytes(json)).findings())
        .extracting(finding -> finding.detection().instance())
        .containsExactly(OptionalInt.empty(), OptionalInt.of(7));
    assertThatThrownBy(
            () -> HealthJson.read(bytes(json.replace("_instance\" : 7", "_instance\" : \"7\""))))
        .isInstanceOf(HealthJson.UnreadableHealth.class)
        .hasMessage("findings[1].gpu_instance is not an integer");
  }

  @Test
  void lostTrainingTimeSurvivesARoundTrip() throws Exception {
    HealthReport report = MadeReports.slow();
    String json = text(HealthJson.write(report));
    assertThat(json)
        .contains(
            """
              "slow" : [ {
                "subject" : "training:4711/3",
                "cause" : "gpu",
                "lost_seconds" : 12.5,
                "of_seconds" : 59.25,
                "sentence" : "rank 3 of job 4711 (GPU 3) lost 12.5 s"
              } ],
            """);
    assertThat(HealthJson.read(HealthJson.write(report)).slowness().ranks())
        .isEqualTo(report.slowness().ranks());
  }

  @Test
  void theCostOfAStopSurvivesARoundTripAndOlderAgentsHaveNone() throws Exception {
    HealthReport report = MadeReports.slow();
    String json = text(HealthJson.write(report));
    assertThat(json)
        .contains(
            """
              "stop_costs" : [ {
                "job" : "4711",
                "run" : "llama",
                "step" : 1000,
                "durable" : "2026-11-20T05:07:00Z",
                "unsaved" : "2026-11-20T05:06:00Z",
                "lost_seconds" : 720,
                "ranks" : 512,
                "gpus" : 512,
                "sentence" : "stopping job 4711, run llama, now loses 12 min of 512 GPUs (102.4 GPU hours): its last durable checkpoint is of step 1000"
              }, {
                "job" : "",
                "run" : "",
                "step" : null,
                "durable" : null,
                "unsaved" : "2026-11-20T05:17:00Z",
                "lost_seconds" : 60,
                "ranks" : 7,
                "gpus" : null,
                "sentence" : "stopping a job without a name now loses 1 min of 7 ranks, which share GPUs: it has no durable checkpoint yet"
              } ],
            """);
    assertThat(HealthJson.read(bytes(json)).stopCosts()).isEqualTo(report.stopCosts());
    String withoutRanks = json.replaceAll("\"ranks\" : 512,\\s*", "");
    assertThat(withoutRanks).isNotEqualTo(json);
    assertThat(HealthJson.read(bytes(withoutRanks)).stopCosts()).isEqualTo(report.stopCosts());
    String older =
        text(HealthJson.write(MadeReports.healthy()))
            .replaceAll(",\\s*\"stop_costs\" : \\[ \\]", "");
    assertThat(older).doesNotContain("stop_costs");
    assertThat(HealthJson.read(bytes(older)).stopCosts()).isEmpty();
  }

  @Test
  void hardwareFaultsSurviveARoundTripAndOlderAgentsHaveNone() throws Exception {
    HealthReport report = MadeReports.withHardwareFaults();
    assertThat(HealthJson.read(HealthJson.write(report)).hardware())
        .isNotEmpty()
        .isEqualTo(report.hardware());

    String older =
        text(HealthJson.write(MadeReports.healthy())).replaceAll(",\\s*\"hardware\" : \\[ \\]", "");
    assertThat(older).doesNotContain("hardware");
    assertThat(HealthJson.read(bytes(older)).hardware()).isEmpty();
  }

  @Test
  void aReportWithoutTrainingIsAccepted() throws Exception {
    String json = text(HealthJson.write(MadeReports.healthy()));
    String older = json.replaceAll(",\\s*\"slow\" : \\[ \\]", "");
    assertThat(older).doesNotContain("slow");
    assertThat(HealthJson.read(older.getBytes(StandardCharsets.UTF_8)).slowness())
        .isEqualTo(Slowness.NONE);
  }

  @Test
  void controlSequencesInNamesAreEscaped() {
    HealthReport report =
        MadeReports.with(
            List.of(
                MadeReports.finding(
                    "xid_43", Subject.NODE, Disposition.info(), "\u001b[2Jpython\u009b31m\n")));

    assertThat(text(HealthJson.write(report)))
        .contains("\\u001B[2Jpython\\u009B31m\\n")
        .matches("[\\x20-\\x7e\\n]*");
  }

  @Test
  void unknownMembersAreIgnored() throws Exception {
    String later =
        text(HealthJson.write(MadeReports.failing()))
            .replaceFirst("\\{", "{\"later\": {\"deep\": [1, 2.5, null]},");

    assertThat(HealthJson.read(bytes(later)).summary()).isEqualTo(MadeReports.failing().summary());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"verdict\" : \"failing\",      |                             | verdict is missing",
        "\"failing\",                    | \"splendid\",               | verdict is unknown: splendid",
        "\"2026-11-20T05:18:00Z\"        | \"noon\"                    | at is not a timestamp",
        "\"times\" : 3                   | \"times\" : \"many\"        | findings[0].times is not an integer",
        "\"simulated\" : false           | \"simulated\" : 0           | simulated is not a boolean",
        "\"subject\" : \"gpu:            | \"subject\" : \"           | findings[0].subject is unknown: GPU-00000003-0000-0000-0000-000000000000",
        "\"index\" : 3                   | \"index\" : null            | gpus[1].index is missing",
        "\"kernel log\"                  | 7                           | findings[0].sources[0] is not a string",
      })
  void problemsNameTheirPath(String from, String to, String problem) {
    String written = text(HealthJson.write(MadeReports.failing()));
    String wrong = written.replaceFirst(java.util.regex.Pattern.quote(from), to == null ? "" : to);
    assertThat(wrong).isNotEqualTo(written);

    assertThatThrownBy(() -> HealthJson.read(bytes(wrong)))
        .isInstanceOf(HealthJson.UnreadableHealth.class)
        .hasMessage(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``           | empty response",
        "ready        | not JSON",
        "<html>       | not JSON",
        "{            | not JSON",
        "[]           | the document is not an object",
        "null         | the document is missing",
        "{} {}        | trailing data after the JSON",
        "{}           | at is missing",
      })
  void invalidReportsAreRefused(String text, String problem) {
    assertThatThrownBy(() -> HealthJson.read(bytes(text)))
        .isInstanceOf(HealthJson.UnreadableHealth.class)
        .hasMessage(problem);
  }

  @Test
  void aTruncatedReportIsRefused() {
    byte[] whole = HealthJson.write(MadeReports.failing());
    for (int length = 0; length < whole.length - 2; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> HealthJson.read(cut))
          .isInstanceOf(HealthJson.UnreadableHealth.class);
    }
  }

  @Test
  void unboundedNestingIsRefused() {
    assertThatThrownBy(() -> HealthJson.read(bytes("[".repeat(1_000_000))))
        .isInstanceOf(HealthJson.UnreadableHealth.class);
  }

  @Test
  void whatOperatorsAskedSurvivesARoundTrip() throws Exception {
    Instant until = MadeReports.JUDGED.plusSeconds(7_200);
    Operations operations =
        new Operations(
            Optional.of(new Operations.Maintenance(MadeReports.JUDGED, until, "swap PSU")),
            Optional.of(new Operations.Release(MadeReports.JUDGED, until, true)),
            List.of(new Operations.Test(MadeReports.failing().findings().get(0), until)));
    HealthReport report = MadeReports.during(MadeReports.healthy(), operations);

    HealthReport read = HealthJson.read(HealthJson.write(report));

    assertThat(read.operations().maintenance()).isEqualTo(operations.maintenance());
    assertThat(read.operations().released()).isEqualTo(operations.released());
    assertThat(read.operations().tests()).hasSize(1);
    assertThat(text(HealthJson.write(read))).isEqualTo(text(HealthJson.write(report)));
    assertThat(read.findings()).isEmpty();
  }

  @Test
  void aReportOfAnOlderAgentHasNoOperations() throws Exception {
    String older =
        text(HealthJson.write(MadeReports.healthy()))
            .replaceAll("\\s*\"(maintenance|gpus_released)\" : null,", "")
            .replaceAll("\\s*\"tests\" : \\[ \\],", "");

    assertThat(older).doesNotContain("maintenance", "tests");
    assertThat(HealthJson.read(older.getBytes(StandardCharsets.UTF_8)).operations())
        .isEqualTo(Operations.NONE);
  }
}
