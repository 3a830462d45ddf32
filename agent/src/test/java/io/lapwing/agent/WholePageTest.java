package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.metrics.PageCache;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.SelfRegistry;
import io.lapwing.agent.metrics.SnapshotCollector;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.preset.Preset;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricType;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole page in its forms: as text, as OpenMetrics, compressed, through simpleclient. */
class WholePageTest {

  private static Map<String, Double> values(TextPage page) {
    Map<String, Double> values = new TreeMap<>();
    page.samples()
        .forEach(
            sample -> values.put(sample.name() + new TreeMap<>(sample.labels()), sample.value()));
    return values;
  }

  /** The same board as a registry of simpleclient renders it. */
  private static TextPage throughSimpleclient(GoldenNode node) throws Exception {
    CollectorRegistry registry = new CollectorRegistry();
    registry.register(new SnapshotCollector(node.agent().wiring().samples()));
    StringWriter text = new StringWriter();
    TextFormat.write004(text, registry.metricFamilySamples());
    return TextPage.parse(text.toString(), PageFormat.TEXT_0_0_4);
  }

  private static void bothPagesAreEqual(GoldenNode node) throws Exception {
    // A source may be read between the two.
    await()
        .atMost(TestAgent.PATIENCE)
        .untilAsserted(
            () -> {
              Map<String, Double> own = values(node.agent().page());
              assertThat(values(throughSimpleclient(node))).hasSizeGreaterThan(400).isEqualTo(own);
            });
    TextPage own = node.agent().page();
    TextPage theirs = throughSimpleclient(node);
    assertThat(theirs.families())
        .extracting(TextPage.Family::help)
        .containsExactlyInAnyOrderElementsOf(
            own.families().stream().map(TextPage.Family::help).toList());
  }

  @Test
  void simpleclientShowsTheSameOfAHealthyNode(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 2)) {
      bothPagesAreEqual(node);
    }
  }

  @Test
  void simpleclientShowsTheSameOfABrokenNode(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.broken(dir)) {
      bothPagesAreEqual(node);
    }
  }

  @Test
  void openMetricsHasTheSameSeriesAndValues(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.broken(dir)) {
      await()
          .atMost(TestAgent.PATIENCE)
          .untilAsserted(
              () -> assertThat(values(openMetrics(node))).isEqualTo(values(node.agent().page())));
      TextPage open = openMetrics(node);
      byte[] bytes = node.agent().bytes(PageFormat.OPENMETRICS_1_0_0);
      assertThat(new String(bytes, StandardCharsets.UTF_8)).doesNotContain("_created");
      for (Metric metric : CollectorGroup.catalogue().metrics()) {
        boolean counter = metric.type() == MetricType.COUNTER;
        String name =
            counter && !metric.foreign()
                ? metric.name().replaceFirst("_total$", "")
                : metric.name();
        open.family(name)
            .ifPresent(
                family ->
                    assertThat(family.type())
                        .as(name)
                        .isEqualTo(
                            !counter
                                ? metric.type().text()
                                : metric.foreign() ? "unknown" : "counter"));
      }
    }
  }

  private static TextPage openMetrics(GoldenNode node) throws Exception {
    PageFormat format = PageFormat.OPENMETRICS_1_0_0;
    return TextPage.parse(node.agent().bytes(format), format);
  }

  @Test
  void theCompressedPageIsTheSamePage(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 1)) {
      for (PageFormat format : PageFormat.values()) {
        byte[] gzipped = node.agent().wiring().page().gzippedPage(format);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzipped)).readAllBytes())
            .isEqualTo(node.agent().bytes(format));
        assertThat(node.agent().wiring().page().gzippedPage(format)).isSameAs(gzipped);
      }
    }
  }

  @Test
  void thePageIsKeptUntilSomethingChanged(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 1)) {
      byte[] page = node.agent().bytes(PageFormat.TEXT_0_0_4);
      assertThat(node.agent().bytes(PageFormat.TEXT_0_0_4)).isSameAs(page);

      node.anotherRound();

      assertThat(node.agent().bytes(PageFormat.TEXT_0_0_4)).isNotSameAs(page).isNotEqualTo(page);
    }
  }

  @Test
  void onlyTheLastPageOfAnotherPresetIsKept(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 1, "--metrics=standard")) {
      PageCache pages = node.agent().wiring().page();
      byte[] full = pages.page(PageFormat.TEXT_0_0_4, Preset.FULL);
      byte[] usual = pages.page(PageFormat.TEXT_0_0_4);
      assertThat(pages.page(PageFormat.TEXT_0_0_4, Preset.FULL)).isSameAs(full);

      byte[] minimal = pages.page(PageFormat.TEXT_0_0_4, Preset.MINIMAL);

      assertThat(pages.page(PageFormat.TEXT_0_0_4, Preset.MINIMAL)).isSameAs(minimal);
      assertThat(pages.page(PageFormat.TEXT_0_0_4)).isSameAs(usual);
      assertThat(pages.page(PageFormat.TEXT_0_0_4, Preset.FULL)).isNotSameAs(full).isEqualTo(full);
    }
  }

  @Test
  void someCollectorsOnlyIsAPageOfTheirFamilies(@TempDir Path dir) throws Exception {
    try (GoldenNode node = GoldenNode.healthy(dir, 2)) {
      for (PageFormat format : PageFormat.values()) {
        TextPage page =
            TextPage.parse(
                node.agent().wiring().page().page(format, Preset.FULL, "gpu_temperature"::equals),
                format);
        assertThat(page.families())
            .isNotEmpty()
            .allMatch(family -> family.name().toLowerCase(Locale.ROOT).contains("temp"));
        assertThat(page.samples("DCGM_FI_DEV_GPU_TEMP")).hasSize(2);
      }
    }
  }

  /** Two writers share the page: the renderer's families come first, simpleclient's after them. */
  @Test
  void theAgentsOwnFiguresEndThePageInBothFormats() throws Exception {
    for (PageFormat format : PageFormat.values()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      SelfRegistry.ofThisProcess().write(format, name -> true, out);
      assertThat(TextPage.parse(out.toByteArray(), format).families())
          .extracting(TextPage.Family::name)
          .contains("process_resident_memory_bytes", "jvm_gc_pause_seconds");
    }
  }
}
