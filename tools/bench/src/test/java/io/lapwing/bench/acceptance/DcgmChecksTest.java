package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.bench.MetricsPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** With a page of an A100, which has no GPM. */
class DcgmChecksTest {

  private static final String UUID = "GPU-0b5f4a6b-7a7a-6c41-0875-b8c8d963b0af";
  private static final Optional<String> LISTENS = Optional.of("localhost:5555");
  private static final String UP =
      """
      lapwing_dcgm_up 1
      lapwing_dcgm_info{library_version="4.4.2",engine_version="4.4.2",engine="localhost:5555"} 1
      lapwing_gpu_activity_info{gpu="0",UUID="%1$s",source="dcgm",reason=""} 1
      DCGM_FI_PROF_SM_ACTIVE{gpu="0",UUID="%1$s"} 0.91
      """
          .formatted(UUID);

  private static final DcgmiOutput DCGMI =
      new DcgmiOutput(
          Optional.empty(), Map.of(UUID, 0), Map.of(0, Map.of(1002, List.of(0.9, 0.93))));

  private static List<String> mismatches(String page, DcgmiOutput dcgmi) throws IOException {
    return rows(page, LISTENS, dcgmi).stream()
        .filter(Row::isMismatch)
        .map(row -> row.what() + ": " + row.ours())
        .toList();
  }

  private static List<Row> rows(String page, Optional<String> engine, DcgmiOutput dcgmi)
      throws IOException {
    List<SmiGpu> gpus =
        NvidiaSmi.parse(
            """
            <nvidia_smi_log><driver_version>580.95.05</driver_version>
            <gpu id="00000000:10:1C.0"><uuid>%s</uuid></gpu></nvidia_smi_log>
            """
                .formatted(UUID)
                .getBytes(UTF_8));
    return DcgmChecks.rows(
        new Phase(
            "idle",
            List.of(gpus),
            page,
            MetricsPage.parse(page),
            NvlinkOutput.parse(""),
            List.of(),
            dcgmi),
        engine);
  }

  @Test
  void anEngineThatIsUsedAndAgreesIsNoMismatch() throws IOException {
    assertThat(mismatches(UP, DCGMI)).isEmpty();
    assertThat(rows(UP, LISTENS, DCGMI).stream().filter(row -> row.verdict() == Row.Verdict.OK))
        .extracting(Row::what)
        .containsExactly("host engine of DCGM", "DCGM_FI_PROF_SM_ACTIVE (dcgmi)");
  }

  @Test
  void anotherValueIsAMismatch() throws IOException {
    assertThat(mismatches(UP.replace("0.91", "0.5"), DCGMI))
        .containsExactly("DCGM_FI_PROF_SM_ACTIVE (dcgmi): 0.500");
  }

  @Test
  void anEngineThatIsThereAndNotUsedIsNamed() throws IOException {
    String missing =
        "lapwing_gpu_activity_info{gpu=\"0\",UUID=\"%s\",source=\"none\",reason=\"library_not_found\"} 1\n"
            .formatted(UUID);
    assertThat(mismatches(missing, DcgmiOutput.NO_DCGMI))
        .containsExactly(
            "host engine of DCGM: not used, see the log",
            "activity of a GPU without GPM: none: library_not_found");
  }

  @Test
  void aFieldThatTheEngineRefusesIsNamed() throws IOException {
    String page =
        UP
            + "lapwing_dcgm_field_rejected{field=\"DCGM_FI_PROF_DRAM_ACTIVE\",reason=\"profiling_multi_pass\"} 1\n";
    assertThat(mismatches(page, DCGMI))
        .containsExactly("DCGM_FI_PROF_DRAM_ACTIVE: refused: profiling_multi_pass");
  }

  @Test
  void whatIsNotComparedIsSaid() throws IOException {
    assertThat(rows("", Optional.empty(), DcgmiOutput.NO_DCGMI))
        .extracting(Row::theirs)
        .containsExactly("not compared: none listens on this node");
    assertThat(rows(UP, LISTENS, DcgmiOutput.NO_DCGMI))
        .extracting(Row::theirs)
        .contains("not compared: no dcgmi");
  }
}
