package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.preset.Preset;
import io.lapwing.gpu.DcgmFields;
import io.lapwing.gpu.DcgmFields.DcgmField;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code --metrics} and {@code ?preset=} make of the page. */
class PresetPageTest {

  private static final int GPUS = 8;

  private static TextPage page(TestAgent agent, Preset preset) {
    return TextPage.parse(agent.wiring().page().page(PageFormat.TEXT_0_0_4, preset));
  }

  private static Set<String> series(TextPage page) {
    return page.samples()
        .filter(sample -> !sample.name().equals("lapwing_metrics_preset"))
        .map(sample -> sample.name() + sample.labels())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void eachPresetHasTheSeriesOfTheSmallerOneAndMore(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, GPUS, "--metrics=standard")) {
      Set<String> minimal = series(page(node.agent(), Preset.MINIMAL));
      Set<String> standard = series(page(node.agent(), Preset.STANDARD));
      Set<String> full = series(page(node.agent(), Preset.FULL));

      assertThat(standard).containsAll(minimal);
      assertThat(full).containsAll(standard);
      assertThat(minimal).hasSizeBetween(600, 1000);
      assertThat(standard).hasSizeBetween(1100, 1600);
      assertThat(full).hasSizeGreaterThan(3000);
      assertThat(full).anyMatch(series -> series.startsWith("lapwing_gpu_xid_errors_total"));
      assertThat(standard)
          .filteredOn(series -> series.startsWith("lapwing_gpu_xid_errors_total"))
          .hasSize(9 * GPUS);
      assertThat(minimal).noneMatch(series -> series.startsWith("lapwing_gpu_xid_errors_total"));
      assertThat(series(node.agent().page())).isEqualTo(standard);
    }
  }

  @ParameterizedTest
  @EnumSource
  void thePageNamesItsPresetAndCountsItsSeries(Preset preset, @TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 1, "--metrics=" + preset)) {
      double before = 0;
      for (Preset asked : Preset.values()) {
        TextPage page = page(node.agent(), asked);
        assertThat(page.samples("lapwing_metrics_preset"))
            .singleElement()
            .satisfies(one -> assertThat(one.labels()).containsEntry("preset", asked.text()));
        double count = page.value("lapwing_page_series").orElseThrow();
        // Without those of the collection itself.
        assertThat(count).isBetween(page.samples().count() * 0.6, (double) page.samples().count());
        assertThat(count).isGreaterThan(before);
        before = count;
      }
    }
  }

  @Test
  void healthDoesNotDependOnThePreset(@TempDir Path few, @TempDir Path all) throws Exception {
    try (GoldenNode minimal = GoldenNode.broken(few, "--metrics=minimal");
        GoldenNode full = GoldenNode.broken(all, "--metrics=full")) {
      HealthReport judged = minimal.agent().wiring().health().report();

      assertThat(judged.findings())
          .isNotEmpty()
          .isEqualTo(full.agent().wiring().health().report().findings());
      assertThat(judged.verdict()).isEqualTo(full.agent().wiring().health().report().verdict());
      assertThat(judged.gpus()).isEqualTo(full.agent().wiring().health().report().gpus());
      assertThat(kinds(minimal)).isNotEmpty().isEqualTo(kinds(full));
      assertThat(measures(minimal)).isNotEmpty().isEqualTo(measures(full));
      assertThat(series(page(minimal.agent(), Preset.FULL))).isEqualTo(series(full.agent().page()));
    }
  }

  /** What {@code /api/v1/events} has. */
  private static List<String> kinds(GoldenNode node) {
    return node.agent().wiring().content().events().get().stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  /** The tables of {@code /api/v1/live}, with their numbers of rows. */
  private static Map<String, Integer> measures(GoldenNode node) {
    Map<String, Integer> rows = new TreeMap<>();
    node.agent()
        .wiring()
        .content()
        .live()
        .get()
        .tables()
        .forEach((name, table) -> rows.put(name, table.size()));
    return rows;
  }

  @Test
  void aFieldFileSelectsTheFamiliesWithDcgmsNamesInAnyPreset(@TempDir Path dir) throws Exception {
    Path fields = dir.resolve("fields.csv");
    Files.writeString(
        fields,
        """
        DCGM_FI_DEV_GPU_TEMP, gauge, Temperature.
        DCGM_FI_DEV_VIDEO_CLOCK, gauge, Clock.
        """);
    assertThat(Preset.of("DCGM_FI_DEV_VIDEO_CLOCK")).isEqualTo(Preset.FULL);
    try (GoldenNode node =
        GoldenNode.healthy(dir.resolve("node"), 1, "--metrics=minimal", "--gpu.fields=" + fields)) {
      assertThat(node.agent().page().families())
          .extracting(TextPage.Family::name)
          .filteredOn(name -> name.startsWith("DCGM_"))
          .containsExactlyInAnyOrder("DCGM_FI_DEV_GPU_TEMP", "DCGM_FI_DEV_VIDEO_CLOCK");
    }
  }

  @Test
  void standardHasTheDefaultFieldsOfDcgmExporter() throws Exception {
    Set<String> ours =
        DcgmFields.load().all().stream()
            .filter(field -> field.answer() == DcgmField.Answer.METRIC)
            .map(DcgmField::name)
            .collect(Collectors.toSet());
    List<String> wanted =
        Files.readAllLines(Path.of("src/test/resources/dcgm-exporter/default-fields.txt")).stream()
            .filter(ours::contains)
            .toList();

    assertThat(wanted).hasSizeGreaterThan(20).allMatch(Preset.STANDARD::has);
  }
}
