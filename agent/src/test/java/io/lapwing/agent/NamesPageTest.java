package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.preset.Preset;
import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Rename;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code --gpu.names} makes of the page. */
class NamesPageTest {

  private static final String CLASSIC_DRIVER = "DCGM_FI_DRIVER_VERSION";
  private static final String NEW_DRIVER = "DCGM_FI_SYSTEM_DRIVER_VERSION";
  private static final List<String> CLASSIC =
      DcgmNames.SHIPPED.all().stream().map(Rename::classic).toList();
  private static final List<String> NEW =
      DcgmNames.SHIPPED.all().stream().map(Rename::name).toList();

  @TempDir Path dir = Path.of("");

  private TextPage page(int gpus, String... flags) throws Exception {
    Path folder = Files.createTempDirectory(dir, "node");
    try (GoldenNode node = GoldenNode.healthy(folder, gpus, flags)) {
      return node.agent().page();
    }
  }

  private static List<TextPage.Sample> dcgm(TextPage page) {
    return page.samples().filter(sample -> sample.name().startsWith("DCGM_FI_")).toList();
  }

  private static Set<String> names(TextPage page) {
    return dcgm(page).stream()
        .map(TextPage.Sample::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @CsvSource({
    "classic, Hostname, DCGM_FI_DRIVER_VERSION",
    "classic-hostname, hostname, DCGM_FI_DRIVER_VERSION",
    "4.9, hostname, DCGM_FI_SYSTEM_DRIVER_VERSION"
  })
  void eachSeriesHasTheLabelsOfTheGenerationInItsOrder(String names, String hostname, String driver)
      throws Exception {
    assertThat(dcgm(page(1, "--gpu.names=" + names)))
        .isNotEmpty()
        .allSatisfy(
            sample ->
                assertThat(sample.labels().keySet())
                    .containsExactly(
                        "gpu", "UUID", "pci_bus_id", "device", "modelName", hostname, driver));
  }

  @Test
  void classicHasTheFamiliesAndValuesOfTheDefault() throws Exception {
    TextPage usual = page(1);
    TextPage classic = page(1, "--gpu.names=classic");

    assertThat(names(classic)).isEqualTo(names(usual)).containsAll(CLASSIC);
    assertThat(dcgm(classic))
        .extracting(TextPage.Sample::value)
        .isEqualTo(dcgm(usual).stream().map(TextPage.Sample::value).toList());
  }

  @Test
  void the4Dot9PageHasTheNewNamesWithTheirUnitsAndNoClassicOne() throws Exception {
    TextPage usual = page(1);
    TextPage page = page(1, "--gpu.names=4.9");

    assertThat(names(page))
        .containsAll(NEW)
        .doesNotContainAnyElementsOf(CLASSIC)
        .contains("DCGM_FI_PROF_PCIE_TX_BYTES")
        .hasSameSizeAs(names(usual));
    for (Rename rename : DcgmNames.SHIPPED.all()) {
      double before = usual.value(rename.classic()).orElseThrow();
      double now = page.value(rename.name()).orElseThrow();
      if (rename.isRead()) {
        assertThat(now).as(rename.name()).isBetween(before * 1048576, (before + 1) * 1048576);
      } else {
        assertThat(now).as(rename.name()).isEqualTo(rename.value(before));
      }
    }
    assertThat(page.value("DCGM_FI_DEV_FB_USED_BYTES").orElseThrow() % 1048576).isNotZero();
    assertThat(page.family("DCGM_FI_DEV_FB_USED_BYTES").orElseThrow().help()).contains("bytes");
    assertThat(page.family("DCGM_FI_DEV_GPU_UTIL_RATIO").orElseThrow().help()).contains("Ratio");
    assertThat(page.family("DCGM_FI_DEV_GPU_ENERGY_JOULES_TOTAL").orElseThrow().type())
        .isEqualTo("counter");
  }

  @Test
  void twoGenerationsAddTheRenamedFamiliesAndNothingElse() throws Exception {
    TextPage classic = page(8, "--gpu.names=classic");
    TextPage both = page(8, "--gpu.names=classic,4.9");

    Set<String> added = names(both);
    added.removeAll(names(classic));
    assertThat(added).containsExactlyInAnyOrderElementsOf(NEW);
    assertThat(both.samples().count() - classic.samples().count()).isEqualTo(8 * 23);
    assertThat(dcgm(both))
        .allSatisfy(
            sample ->
                assertThat(sample.labels())
                    .containsEntry("Hostname", "node-1")
                    .containsEntry("hostname", "node-1")
                    .containsKeys(CLASSIC_DRIVER, NEW_DRIVER));
  }

  @Test
  void theSpellingsOfOneNameAddNoSeries() throws Exception {
    assertThat(dcgm(page(1, "--gpu.names=classic,classic-hostname")))
        .hasSameSizeAs(dcgm(page(1)))
        .allSatisfy(sample -> assertThat(sample.labels()).containsKeys("Hostname", "hostname"));
  }

  @Test
  void thePresetSelectsByTheClassicName() throws Exception {
    assertThat(names(page(1, "--gpu.names=4.9", "--metrics=minimal")))
        .contains("DCGM_FI_DEV_SM_CLOCK_HERTZ", "DCGM_FI_DEV_GPU_UTIL_RATIO")
        .doesNotContain("DCGM_FI_DEV_FB_USED_BYTES");
    assertThat(names(page(1, "--gpu.names=4.9", "--metrics=full")))
        .containsAll(NEW)
        .doesNotContainAnyElementsOf(CLASSIC);
  }

  @Test
  void aRequestForOneCollectorOrAnotherPresetHasTheSameNames() throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir.resolve("one"), 1, "--gpu.names=4.9")) {
      TextPage one =
          TextPage.parse(
              node.agent()
                  .wiring()
                  .page()
                  .page(PageFormat.TEXT_0_0_4, Preset.STANDARD, "gpu_memory"::equals));
      TextPage full =
          TextPage.parse(node.agent().wiring().page().page(PageFormat.TEXT_0_0_4, Preset.FULL));

      assertThat(names(one)).contains("DCGM_FI_DEV_FB_USED_BYTES");
      assertThat(names(full)).containsAll(NEW).doesNotContainAnyElementsOf(CLASSIC);
    }
  }

  @Test
  void theHostnameAndLeanOptionsStillDecide() throws Exception {
    assertThat(dcgm(page(1, "--gpu.names=classic,4.9", "--gpu.hostname-label=none")))
        .allSatisfy(
            sample -> assertThat(sample.labels()).doesNotContainKeys("Hostname", "hostname"));
    assertThat(dcgm(page(1, "--gpu.names=4.9", "--labels=lean")))
        .allSatisfy(sample -> assertThat(sample.labels()).containsOnlyKeys("gpu", "UUID"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"classic", "classic-hostname", "4.9", "classic,4.9"})
  void aFieldFileWithoutTheRowOfTheDriverHasNoSuchLabel(String names) throws Exception {
    Path fields =
        Files.writeString(dir.resolve("fields.csv"), "DCGM_FI_DEV_GPU_TEMP, gauge, Core.\n");

    assertThat(dcgm(page(1, "--gpu.fields=" + fields, "--gpu.names=" + names)))
        .isNotEmpty()
        .allSatisfy(
            sample -> assertThat(sample.labels()).doesNotContainKeys(CLASSIC_DRIVER, NEW_DRIVER));
  }

  @Test
  void aFieldFileSelectsAndItsLabelRowsAreNamed() throws Exception {
    Path fields = dir.resolve("fields.csv");
    Files.writeString(
        fields,
        """
        DCGM_FI_DEV_FB_USED_BYTES, gauge, "Used memory, said otherwise."
        DCGM_FI_DEV_GPU_TEMP, gauge, Core.
        DCGM_FI_DRIVER_VERSION, label, Driver.
        """);
    TextPage page = page(1, "--gpu.fields=" + fields, "--gpu.names=4.9");

    assertThat(names(page))
        .containsExactly("DCGM_FI_DEV_FB_USED_BYTES", "DCGM_FI_DEV_GPU_TEMP_CELSIUS");
    assertThat(page.family("DCGM_FI_DEV_GPU_TEMP_CELSIUS").orElseThrow().help()).isEqualTo("Core.");
    assertThat(dcgm(page))
        .allSatisfy(
            sample ->
                assertThat(sample.labels())
                    .containsKey(NEW_DRIVER)
                    .doesNotContainKey(CLASSIC_DRIVER));
    assertThat(names(page(1, "--gpu.fields=" + fields)))
        .containsExactly("DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_GPU_TEMP");
  }
}
