package io.lapwing.inference;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.RecordedSink;
import io.lapwing.exposition.ExpositionText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class EngineTotalsPropertiesTest {

  /** The names of every engine, with arbitrary labels and values. */
  @Property(tries = 200)
  void noSeriesIsExposedTwice(@ForAll("pages") List<String> pages) throws IOException {
    EngineTotals totals = new EngineTotals("a:1", new SeriesRoom(SeriesRoom.MAX_SERIES));
    ExpositionText text =
        new ExpositionText(EngineSeries.Meaning.NAMES, ExpositionText.Limits.DEFAULT);
    for (String page : pages) {
      totals.begin();
      text.read(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)), totals::take);
      for (Engine engine : Engine.values()) {
        RecordedSink sink = new RecordedSink();
        totals.put(engine, sink);

        assertThat(sink.samples()).allMatch(sample -> sample.value() >= 0);
        assertThat(sink.samples())
            .extracting(sample -> sample.metric().sampleName() + sample.labels())
            .doesNotHaveDuplicates();
      }
    }
  }

  @Provide
  Arbitrary<List<String>> pages() {
    Arbitrary<String> name =
        Arbitraries.of(
            EngineSeries.ALL.stream()
                .flatMap(
                    series ->
                        series.measure().isHistogram()
                            ? List.of("_bucket", "_sum", "_count").stream()
                                .map(suffix -> series.name() + suffix)
                            : List.of(series.name()).stream())
                .toList());
    Arbitrary<String> label =
        Combinators.combine(
                Arbitraries.of("model_name", "model", "le", "dp_rank", "priority", "engine"),
                Arbitraries.of("", "0", "1.0", "+Inf", "m", "a\\nb", "\\\"", "é"))
            .as((key, value) -> key + "=\"" + value + "\"");
    Arbitrary<String> line =
        Combinators.combine(
                name,
                label.list().ofMaxSize(4),
                Arbitraries.of("0", "1", "2.5", "1e300", "-1", "NaN", "+Inf"))
            .as((series, labels, value) -> series + "{" + String.join(",", labels) + "} " + value);
    return line.list()
        .ofMaxSize(40)
        .map(lines -> String.join("\n", lines) + "\n")
        .list()
        .ofMaxSize(3);
  }
}
