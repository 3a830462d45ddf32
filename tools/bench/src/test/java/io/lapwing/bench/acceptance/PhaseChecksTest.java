package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.bench.MetricsPage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PhaseChecksTest {

  private static final Set<String> IDLE = Set.of();
  private static final Set<String> LOADED = Set.of("GPU-11111111-2222-3333-4444-555555555555");

  @Test
  void valuesEqualToNvidiaSmiHaveNoMismatch() throws IOException {
    assertThat(mismatches(page())).isEmpty();
  }

  @Test
  void comparesEveryQuantityThatNvidiaSmiGives() throws IOException {
    List<Row> compared =
        PhaseChecks.rows(phase(page()), IDLE).stream()
            .filter(row -> row.verdict() != Row.Verdict.SKIPPED)
            .toList();
    // 46 values, 5 labels and SM activity.
    assertThat(compared).hasSize(52);
  }

  @Test
  void aCountThatIsOffByOneIsNamed() throws IOException {
    assertThat(mismatches(page().replaceFirst("(ECC_DBE_VOL_TOTAL\\{.*}) 7", "$1 8")))
        .containsExactly("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL");
  }

  @Test
  void aTemperatureMayBeAFewDegreesOffAndNoMore() throws IOException {
    assertThat(mismatches(page().replaceFirst("(DEV_GPU_TEMP\\{.*}) 31", "$1 33"))).isEmpty();
    assertThat(mismatches(page().replaceFirst("(DEV_GPU_TEMP\\{.*}) 31", "$1 34")))
        .containsExactly("DCGM_FI_DEV_GPU_TEMP");
  }

  @Test
  void aMissingValueIsAMismatch() throws IOException {
    assertThat(mismatches(page().replaceFirst("DCGM_FI_DEV_MAX_SM_CLOCK\\{.*\n", "")))
        .containsExactly("DCGM_FI_DEV_MAX_SM_CLOCK");
  }

  @Test
  void aWrongLabelIsAMismatch() throws IOException {
    assertThat(mismatches(page().replace("modelName=\"NVIDIA H200\"", "modelName=\"H200\"")))
        .containsExactly("label modelName");
  }

  @Test
  void smActivityHasToBeNearZeroWhenIdleAndAboveNineTenthsUnderLoad() throws IOException {
    String busy = page().replaceFirst("(SM_ACTIVE\\{.*}) 0.0012", "$1 0.97");
    assertThat(mismatches(busy)).containsExactly("DCGM_FI_PROF_SM_ACTIVE");
    assertThat(PhaseChecks.rows(phase(busy), LOADED)).noneMatch(Row::isMismatch);
    assertThat(PhaseChecks.rows(phase(page()), LOADED)).anyMatch(Row::isMismatch);
  }

  private static List<String> mismatches(String page) throws IOException {
    return PhaseChecks.rows(phase(page), IDLE).stream()
        .filter(Row::isMismatch)
        .map(Row::what)
        .toList();
  }

  private static Phase phase(String page) throws IOException {
    List<SmiGpu> gpus = NvidiaSmi.parse(resource("h200-idle.xml").getBytes(UTF_8));
    return new Phase(
        "idle",
        List.of(gpus),
        page,
        MetricsPage.parse(page),
        NvlinkOutput.parse(""),
        List.of(),
        DcgmiOutput.NO_DCGMI);
  }

  private static String page() throws IOException {
    return resource("h200-idle.prom");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Objects.requireNonNull(PhaseChecksTest.class.getResourceAsStream(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
