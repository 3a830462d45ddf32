package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.gpu.DcgmNames.Rename;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of renamed families against the families, and as dcgm-exporter's notes count them. */
class DcgmNamesTest {

  private static final List<Rename> ALL = DcgmNames.SHIPPED.all();

  @Test
  void everyRowIsOfAFamilyAndEveryNameIsUnique() {
    List<String> families =
        MetricCatalogue.of(DcgmMetrics.class).metrics().stream().map(Metric::name).toList();
    assertThat(ALL).extracting(Rename::classic).isSubsetOf(families).doesNotHaveDuplicates();
    assertThat(ALL).extracting(Rename::name).doesNotContainAnyElementsOf(families);
  }

  /** 22 families and the driver's version are the 23 fields; FB_CAPACITY_BYTES is new there. */
  @Test
  void theNumbersAreThoseOfTheReleaseNotes() {
    List<Rename> renamed =
        ALL.stream().filter(one -> !one.classic().equals("DCGM_FI_DEV_FB_TOTAL")).toList();
    assertThat(renamed).hasSize(22);
    assertThat(renamed.stream().filter(one -> one.scale().isPresent())).hasSize(11);
  }

  @Test
  void theFamiliesInBytesAreReadAndAllOthersAreConverted() {
    assertThat(ALL.stream().filter(Rename::isRead).map(Rename::classic))
        .containsExactlyInAnyOrderElementsOf(
            DcgmMetrics.IN_BYTES.keySet().stream().map(Metric::name).toList());
    DcgmMetrics.IN_BYTES.forEach(
        (whole, exact) ->
            assertThat(DcgmNames.SHIPPED.ofClassic(whole.name()).orElseThrow().name())
                .isEqualTo(exact.name()));
    assertThat(ALL)
        .allSatisfy(
            one ->
                assertThat(one.help().isEmpty()).isEqualTo(one.scale().isEmpty() || one.isRead()));
  }

  @ParameterizedTest
  @CsvSource({
    "DCGM_FI_DEV_GPU_UTIL, 57, 0.57",
    "DCGM_FI_DEV_SM_CLOCK, 1980, 1980000000",
    "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION, 47220142413, 47220142",
    "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL, 412.123456, 412123456",
    "DCGM_FI_DEV_GPU_TEMP, 51, 51"
  })
  void aValueIsConvertedAndWholeUnlessItIsARatio(String classic, double value, double converted) {
    assertThat(DcgmNames.SHIPPED.ofClassic(classic).map(one -> one.value(value)))
        .hasValue(converted);
  }

  @Test
  void aFieldFileMayHaveTheNewNames() throws Exception {
    FieldFile file =
        FieldFile.parse(
            "f.csv",
            List.of(
                "DCGM_FI_DEV_SM_CLOCK_HERTZ, gauge, SM clock (in Hz).",
                "DCGM_FI_DEV_GPU_TEMP_CELSIUS, gauge, Core (in C).",
                "DCGM_FI_DEV_FB_USED_BYTES, gauge, Used (in bytes).",
                "DCGM_FI_SYSTEM_DRIVER_VERSION, label, Driver."));

    assertThat(shown(file, DcgmMetrics.SM_CLOCK)).hasValue(DcgmMetrics.SM_CLOCK.help());
    assertThat(shown(file, DcgmMetrics.GPU_TEMP)).hasValue("Core (in C).");
    assertThat(shown(file, DcgmMetrics.FB_USED_BYTES)).hasValue(DcgmMetrics.FB_USED_BYTES.help());
    assertThat(shown(file, DcgmMetrics.FB_FREE_BYTES)).isEmpty();
    assertThat(file.labels()).containsExactly(LabelField.DRIVER_VERSION);
  }

  private static Optional<String> shown(FieldFile file, Metric metric) {
    return Optional.ofNullable(file.selection().shown(metric)).map(Metric::help);
  }
}
