package io.lapwing.xid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.table.CsvTable.Row;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of XIDs against what NVIDIA and AWS publish. */
class XidTableTest {

  /** Those of NVIDIA's catalogue that some GPU since A100 reports. */
  private static final IntStream CATALOGUE =
      IntStream.of(
          8, 11, 13, 14, 25, 31, 32, 37, 38, 39, 40, 41, 43, 44, 45, 46, 48, 54, 60, 62, 63, 64, 66,
          67, 68, 69, 70, 71, 72, 74, 75, 76, 77, 78, 79, 80, 82, 83, 84, 85, 86, 88, 89, 92, 93,
          94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 119, 120,
          121, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 139, 140, 141, 142, 143,
          144, 145, 146, 147, 148, 149, 150, 151, 154, 155, 156, 157, 158, 159, 160, 161, 162, 163,
          164, 165, 166, 167, 168, 169, 170, 171, 172);

  /** Unused there, and yet named by the driver's header or by other monitors. */
  private static final IntStream OTHERS =
      IntStream.of(
          42, 47, 56, 57, 58, 61, 65, 73, 81, 122, 123, 124, 125, 138, 152, 153, 173, 174, 175,
          176);

  /** What the EKS node monitoring agent v1.7.0 takes as fatal. */
  private static final Set<Integer> EKS_FATAL =
      Set.of(
          46, 48, 54, 62, 63, 64, 74, 79, 95, 109, 110, 119, 120, 136, 140, 142, 143, 151, 155, 156,
          158);

  private final XidTable table = XidTable.load();

  @Test
  void everyXidThatIsKnownAnywhereHasOneRow() {
    assertThat(table.all().stream().map(XidInfo::number))
        .containsExactlyElementsOf(
            new TreeSet<>(IntStream.concat(CATALOGUE, OTHERS).boxed().toList()));
  }

  @Test
  void everyRowHasAMeaningInOneSentenceAndASource() {
    assertThat(table.all())
        .allSatisfy(
            xid -> {
              assertThat(xid.meaning()).matches("[A-Z][^.]*\\.");
              assertThat(xid.name()).isNotBlank().doesNotEndWith(".");
              assertThat(xid.source()).isNotBlank();
            });
    assertThat(table.all().stream().map(XidInfo::name)).doesNotHaveDuplicates();
    assertThat(table.all().stream().map(XidInfo::meaning)).doesNotHaveDuplicates();
  }

  @Test
  void generationsAndBucketsAreThoseOfTheCatalogue() {
    assertThat(table.all())
        .allSatisfy(
            xid -> {
              assertThat(List.of("A100", "H100", "B100", "GB200")).containsAll(xid.generations());
              assertThat(xid.nvidiaImmediate())
                  .matches("|as the text says|[A-Z_0-9/]+( if alone)?");
              assertThat(xid.nvidiaFollowUp())
                  .matches("|else IGNORE|[A-Z_0-9/]+( \\(sympathetic\\))?");
            });
  }

  @ParameterizedTest
  @CsvSource({
    // XID, words of its meaning, class
    "48, cannot correct, hardware",
    "63, not a failure, hardware",
    "64, remap or page retirement failed, hardware",
    "79, fallen off the bus, hardware",
    "94, one application, hardware",
    "95, all applications, hardware",
    "31, application bug, application",
    "119, did not answer, driver",
    "74, NVLink, link",
    "163, power, thermal",
  })
  void similarNumbersHaveTheRightMeaning(int number, String words, String kind) {
    assertThat(table.get(number).meaning()).contains(words);
    assertThat(table.get(number).kind().text()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource({
    // XID, profile aws, profile nvidia
    "13,  info restart_app now,          info restart_app now",
    "31,  info restart_app now,          info restart_app now",
    "43,  info none job_end,             info none job_end",
    "45,  info none job_end,             info none job_end",
    "46,  failing reset_gpu now,         failing reset_gpu now",
    "48,  failing replace_node now,      failing reset_gpu now",
    "54,  failing replace_node now,      failing replace_node now",
    "62,  failing reset_gpu now,         failing reset_gpu now",
    "63,  degraded replace_node job_end, degraded reset_gpu job_end",
    "64,  failing replace_node now,      failing reset_gpu now",
    "74,  failing reset_gpu now,         failing reset_gpu now",
    "79,  failing replace_node now,      failing reboot_node now",
    "92,  degraded watch job_end,        degraded watch job_end",
    "94,  degraded replace_node job_end, degraded restart_app now",
    "95,  failing replace_node now,      failing reset_gpu now",
    "109, failing reset_gpu now,         failing reset_gpu now",
    "119, failing reset_gpu now,         failing reset_gpu now",
    "120, failing reset_gpu now,         failing reset_gpu now",
    "142, degraded watch job_end,        degraded watch job_end",
    "157, degraded replace_node job_end, degraded watch job_end",
    "160, degraded replace_node job_end, degraded reset_gpu job_end",
    "161, degraded replace_node job_end, degraded watch job_end",
    "149, degraded watch job_end,        degraded watch job_end",
    "154, degraded watch job_end,        degraded watch job_end",
  })
  void theProfilesMatchTheirSources(int number, String aws, String nvidia) {
    assertThat(words(table.get(number).aws())).isEqualTo(aws);
    assertThat(words(table.get(number).nvidia())).isEqualTo(nvidia);
  }

  private static String words(XidInfo.XidCall call) {
    return String.join(" ", call.severity(), call.action(), call.urgency());
  }

  @Test
  void errorsOfApplicationsNeverMakeANodeDegraded() {
    assertThat(table.all())
        .filteredOn(xid -> xid.kind() == XidInfo.Kind.APPLICATION)
        .hasSizeGreaterThan(30)
        .flatExtracting(XidInfo::aws, XidInfo::nvidia)
        .extracting(call -> ((XidInfo.XidCall) call).severity())
        .containsOnly("info");
  }

  @Test
  void xidsThatAreFatalForEksAreNeverInformationalUnderProfileAws() {
    assertThat(EKS_FATAL)
        // A video encoder's exception, as 65 and 73: a bad bit stream causes it.
        .filteredOn(number -> number != 142)
        .allSatisfy(
            number -> {
              assertThat(table.get(number).aws().severity()).isIn("degraded", "failing");
              assertThat(table.get(number).aws().action())
                  .isIn("reset_gpu", "reboot_node", "replace_node");
            });
  }

  @Test
  void theProfilesDemandAtLeastTheResetOfNvidia() {
    assertThat(table.all())
        .filteredOn(xid -> xid.nvidiaImmediate().equals("RESET_GPU"))
        .hasSize(14)
        .allSatisfy(
            xid -> {
              assertThat(words(xid.nvidia())).isEqualTo("failing reset_gpu now");
              assertThat(xid.aws().severity()).isEqualTo("failing");
              assertThat(xid.aws().action()).isIn("reset_gpu", "replace_node");
            });
  }

  @Test
  void theProfilesDifferOnlyWhereAwsReplacesTheNode() {
    assertThat(table.all())
        .filteredOn(xid -> !xid.aws().equals(xid.nvidia()))
        .extracting(XidInfo::number)
        .containsExactly(48, 63, 64, 79, 94, 95, 157, 160, 161);
  }

  @Test
  void aRecordedRemapLeavesTheJobAloneUnderEveryProfile() {
    XidInfo recorded = table.get(63);

    assertThat(List.of(words(recorded.aws()), words(recorded.nvidia()), words(recorded.balanced())))
        .containsExactly(
            "degraded replace_node job_end",
            "degraded reset_gpu job_end",
            "degraded reset_gpu job_end");
    assertThat(words(table.get(64).aws())).isEqualTo("failing replace_node now");
  }

  @ParameterizedTest
  @CsvSource({
    "48,  failing reset_gpu now",
    "63,  degraded reset_gpu job_end",
    "64,  failing replace_node now",
    "79,  failing reboot_node now",
    "94,  degraded restart_app now",
    "119, failing reset_gpu now",
    "161, degraded replace_node job_end",
  })
  void theBalancedProfileReplacesOnlyWhatAResetDoesNotMend(int number, String balanced) {
    assertThat(words(table.get(number).balanced())).isEqualTo(balanced);
  }

  @Test
  void everyRowThatDemandsAResetARebootOrAReplacementCallsForAction() {
    Set<String> interventions = Set.of("reset_gpu", "reboot_node", "replace_node");
    assertThat(table.all())
        .filteredOn(
            xid ->
                interventions.contains(xid.aws().action())
                    || interventions.contains(xid.nvidia().action()))
        .hasSize(30)
        .extracting(xid -> (long) xid.number())
        .isSubsetOf(table.callingForAction(""));
  }

  @Test
  void anXidWhoseMessageCarriesTheActionCallsForActionToo() {
    assertThat(table.callingForAction("NVIDIA B200"))
        .contains(144L, 145L, 146L, 147L, 148L, 149L, 150L, 154L)
        .doesNotContain(13L, 31L, 92L)
        .hasSize(30 + 8);
  }

  @Test
  void anXidOfLaterGpusOnlyIsNotExpectedOfEarlierOnes() {
    for (String model :
        List.of("NVIDIA H100 80GB HBM3", "NVIDIA A10G", "NVIDIA L40S", "NVIDIA GH200 480GB")) {
      assertThat(table.callingForAction(model))
          .contains(48L, 79L, 94L, 154L, 173L)
          .doesNotContain(144L, 150L, 155L, 159L, 160L, 161L)
          .hasSize(38 - 11);
    }
    assertThat(table.callingForAction("NVIDIA GB200"))
        .isEqualTo(table.callingForAction("NVIDIA RTX PRO 6000 Blackwell"))
        .hasSize(38);
  }

  @Test
  void anUnknownNumberIsWatchedUnderItsOwnNumber() {
    XidInfo unheardOf = table.get(9999);

    assertThat(table.find(9999)).isEmpty();
    assertThat(unheardOf.number()).isEqualTo(9999);
    assertThat(unheardOf.name()).isEqualTo("unknown");
    assertThat(words(unheardOf.aws())).isEqualTo("degraded watch job_end");
    assertThat(words(unheardOf.nvidia())).isEqualTo("degraded watch job_end");
  }

  private static final List<String> COLUMNS =
      List.of(
          "number",
          "name",
          "class",
          "generations",
          "nvidia_immediate",
          "nvidia_followup",
          "aws_severity",
          "aws_action",
          "aws_urgency",
          "nvidia_severity",
          "nvidia_action",
          "nvidia_urgency",
          "balanced",
          "source",
          "meaning");

  private static Row row(String number, String kind, String severity) {
    return new Row(
        "t.csv:" + number,
        COLUMNS,
        Stream.of(
                number, "n", kind, "", "", "", severity, "watch", "now", "info", "none", "now", "",
                "s", "M.")
            .toList());
  }

  @Test
  void anInvalidRowIsReportedWithItsLine() {
    Row unknown = row("unknown", "driver", "info");

    assertThatThrownBy(() -> XidTable.of(List.of(unknown, row("7", "driver", "bad"))))
        .hasMessageStartingWith("t.csv:7: 'bad' is not one of [");
    assertThatThrownBy(() -> XidTable.of(List.of(unknown, row("7", "weather", "info"))))
        .hasMessageStartingWith("t.csv:7: ");
    assertThatThrownBy(
            () ->
                XidTable.of(
                    List.of(unknown, row("7", "driver", "info"), row("7", "driver", "info"))))
        .hasMessage("t.csv:7: this XID has a row already");
    assertThatThrownBy(() -> XidTable.of(List.of(row("7", "driver", "info"))))
        .hasMessage("xid.csv: there is no row unknown");
  }
}
