package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Any device name survives a round trip. */
class PageTextPropertyTest {

  private static final int TRIES = 300;

  private static String page(PageFormat format, Samples... samples) {
    PageBuffer page = new PageBuffer();
    new PageLayout.PageRenderer().render(List.of(samples), format, page);
    String text = new String(page.toBytes(), StandardCharsets.UTF_8);
    return format == PageFormat.OPENMETRICS_1_0_0 ? text + "# EOF\n" : text;
  }

  private static Samples one(Metric metric, Labels labels, double value) {
    SampleBuffer buffer = new SampleBuffer();
    buffer.add(metric, labels, value);
    return buffer.take();
  }

  /** Text with all special characters of the format and letters of one to four bytes. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings()
        .withChars("\"\\\n{}=,#nté€ \t")
        .withCharRange('a', 'z')
        .ofMaxLength(12)
        .map(text -> text.replace("t", "🦆"));
  }

  @Property(tries = TRIES)
  void labelValuesSurviveARoundTrip(
      @ForAll("texts") String first, @ForAll("texts") String second, @ForAll PageFormat format) {
    Metric metric = Metric.gauge("DCGM_FI_DEV_NAME", "A help.");
    Labels labels = Labels.of("gpu", first, "modelName", second);

    TextPage read = TextPage.parse(page(format, one(metric, labels, 1)), format);

    assertThat(read.samples())
        .containsExactly(
            new TextPage.Sample("DCGM_FI_DEV_NAME", Map.of("gpu", first, "modelName", second), 1));
  }

  @Property(tries = TRIES)
  void helpSurvivesARoundTrip(@ForAll("texts") String text, @ForAll PageFormat format) {
    String help = "A" + text;
    Samples samples = one(Metric.gauge("lapwing_test_ratio", help), Labels.NONE, 1);

    assertThat(TextPage.parse(page(format, samples), format).families())
        .extracting(TextPage.Family::help)
        .containsExactly(help);
  }

  @Property(tries = 2000)
  void everyNumberSurvivesARoundTrip(@ForAll("doubles") double value) {
    Samples samples = one(Metric.gauge("lapwing_test_ratio", "A help."), Labels.NONE, value);

    double read =
        TextPage.parse(page(PageFormat.TEXT_0_0_4, samples), PageFormat.TEXT_0_0_4)
            .value("lapwing_test_ratio")
            .orElseThrow();

    // Prometheus has one zero and one NaN.
    assertThat(read == value || (Double.isNaN(read) && Double.isNaN(value)))
        .as("%s came back as %s", value, read)
        .isTrue();
  }

  /** Every bit pattern, including subnormals and NaNs, and the special values. */
  @Provide
  Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Double::longBitsToDouble),
        Arbitraries.doubles(),
        Arbitraries.longs().map(Long::doubleValue),
        Arbitraries.of(
            0.0,
            -0.0,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MIN_VALUE,
            Double.MAX_VALUE,
            Double.MIN_NORMAL,
            0x1p53,
            0x1p53 + 2,
            -0x1p53,
            0x1p63));
  }

  @Property(tries = TRIES)
  void wholeNumbersAreWrittenWithoutAnExponent(
      @ForAll @LongRange(min = -(1L << 53) + 1, max = (1L << 53) - 1) long value) {
    Samples samples = one(Metric.gauge("lapwing_test_ratio", "A."), Labels.NONE, (double) value);

    assertThat(page(PageFormat.TEXT_0_0_4, samples)).endsWith("lapwing_test_ratio " + value + "\n");
  }

  @Property(tries = TRIES)
  void familiesAreContiguous(
      @ForAll("shuffledSeries") List<Integer> order, @ForAll PageFormat format) {
    List<Metric> metrics = new ArrayList<>();
    for (int family = 0; family < 4; family++) {
      metrics.add(Metric.gauge("lapwing_test" + family + "_ratio", "A help."));
    }
    SampleBuffer buffer = new SampleBuffer();
    order.forEach(
        number ->
            buffer.add(metrics.get(number % 4), Labels.of("n", String.valueOf(number)), number));

    TextPage read = TextPage.parse(page(format, buffer.take()), format);

    assertThat(read.samples())
        .hasSize(order.size())
        .allSatisfy(
            sample ->
                assertThat(sample.labels().get("n"))
                    .isEqualTo(String.valueOf((long) sample.value())));
  }

  @Provide
  Arbitrary<List<Integer>> shuffledSeries() {
    return Arbitraries.integers().between(0, 40).list().uniqueElements();
  }

  @Property(tries = TRIES)
  void aDuplicateSeriesKeepsItsFirstValue(@ForAll @LongRange(max = 99) long value) {
    Metric metric = Metric.gauge("lapwing_test_ratio", "A help.");
    Samples first = one(metric, Labels.of("gpu", "0"), (double) value);
    Samples second = one(metric, Labels.of("gpu", "0"), (double) value + 1);

    TextPage read =
        TextPage.parse(page(PageFormat.TEXT_0_0_4, first, second), PageFormat.TEXT_0_0_4);

    assertThat(read.samples("lapwing_test_ratio"))
        .extracting(TextPage.Sample::value)
        .containsExactly((double) value);
  }

  @Example
  void openMetricsHeadersOmitTheTotalSuffix() {
    Samples samples = one(Metric.counter("lapwing_test_total", "A \"help\"."), Labels.NONE, 3);

    assertThat(page(PageFormat.OPENMETRICS_1_0_0, samples))
        .isEqualTo(
            """
            # HELP lapwing_test A \\"help\\".
            # TYPE lapwing_test counter
            lapwing_test_total 3
            # EOF
            """);
    assertThat(page(PageFormat.TEXT_0_0_4, samples))
        .isEqualTo(
            """
            # HELP lapwing_test_total A "help".
            # TYPE lapwing_test_total counter
            lapwing_test_total 3
            """);
  }

  @Example
  void aDcgmCounterHasTypeUnknownInOpenMetrics() {
    Samples samples = one(Metric.counter("DCGM_FI_DEV_POWER_VIOLATION", "A."), Labels.NONE, 3);

    assertThat(page(PageFormat.OPENMETRICS_1_0_0, samples))
        .contains("# TYPE DCGM_FI_DEV_POWER_VIOLATION unknown\nDCGM_FI_DEV_POWER_VIOLATION 3\n");
    assertThat(page(PageFormat.TEXT_0_0_4, samples))
        .contains("# TYPE DCGM_FI_DEV_POWER_VIOLATION counter\nDCGM_FI_DEV_POWER_VIOLATION 3\n");
  }

  @Example
  void theTestReaderIsStrict() {
    String header = "# HELP a A.\n# TYPE a gauge\n";
    for (String wrong :
        List.of(
            "a 1\n",
            header + "a 1",
            header + "b 1\n",
            header + "a 1\na 2\n",
            header + "a{x=\"1\" y=\"2\"} 1\n",
            header + "a{x=\"1} 1\n",
            header + "a{x=\"\\t\"} 1\n",
            header + "a 1 \n",
            header + "a nan\n",
            header,
            header + "a 1\n" + header + "a{x=\"\"} 1\n")) {
      assertThatThrownBy(() -> TextPage.parse(wrong, PageFormat.TEXT_0_0_4))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () -> TextPage.parse(header + "a 1\n# EOF\n# EOF\n", PageFormat.OPENMETRICS_1_0_0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
