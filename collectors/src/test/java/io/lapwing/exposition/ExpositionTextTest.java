package io.lapwing.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.exposition.ExpositionText.Tally.Ending;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpositionTextTest {

  private static final ExpositionText.Limits TIGHT = new ExpositionText.Limits(1000, 10, 64, 3, 16);

  @Test
  void readsWantedSamplesOfTheTextFormat() {
    ReadPage page =
        ReadPage.of(
            """
            # HELP a Something.
            # TYPE a gauge
            a 1
            a{x="1"} 2.5
            b{x="1",} 3
            not_wanted 4 5
            a { x = "1" , y="2" } +Inf 1700000000000
            """);

    assertThat(page.samples())
        .containsExactly("a{} 1.0", "a{x=1} 2.5", "b{x=1} 3.0", "a{x=1,y=2} Infinity");
    assertThat(page.tally())
        .isEqualTo(
            new ExpositionText.Tally(
                page.tally().bytes(), 7, 4, 0, page.tally().prefixes(), Ending.WHOLE));
  }

  @Test
  void readsOpenMetricsWithExemplarsTimestampsAndEof() {
    ReadPage page =
        ReadPage.of(
            """
            # UNIT a seconds
            a{le="0.5"} 7 # {trace_id="x y"} 0.43 1700000000.123
            a{le="1"} 8 1700000000.123 # {} 0.9
            b 1 1.7e9
            # EOF
            a 9
            """);

    assertThat(page.samples()).containsExactly("a{le=0.5} 7.0", "a{le=1} 8.0", "b{} 1.0");
    assertThat(page.tally().ending()).isEqualTo(Ending.WHOLE);
  }

  @Test
  void labelsAreUnescaped() {
    assertThat(ReadPage.of("a{x=\"q\\\"b\\\\n\\nl\\t, } #\"} 1\n").samples())
        .containsExactly("a{x=q\"b\\n\nl\\t, } #} 1.0");
  }

  @Test
  void invalidUtf8IsReplaced() {
    assertThat(ReadPage.of(ReadPage.bytes("a{x=\"é\u00ff\"} 1\n", false), TIGHT).samples())
        .containsExactly("a{x=\uFFFD\uFFFD} 1.0");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a ",
        "a{",
        "a{x",
        "a{x=",
        "a{x=\"",
        "a{x=\"1",
        "a{x=\"1\\",
        "a{x=\"1\"",
        "a{x=\"1\"}",
        "a{x=\"1\" y=\"2\"} 1",
        "a{x=\"1\",x=\"2\"} 1",
        "a{,} 1",
        "a{x:y=\"1\"} 1",
        "a{1=\"1\"} 1",
        "a{x='1'} 1",
        "a one",
        "a 1d",
        "a 0x10",
        "a 1 soon",
        "a 1 2 3",
        "a --1",
        "a -",
        "a .",
        "a 1e",
        "1a 1",
        "a;b 1",
        "<html>",
        "\u0000\u0001",
        "a{w=\"1\",x=\"1\",y=\"1\",z=\"1\"} 1",
        "a{x=\"12345678901234567\"} 1",
        "a{x=\"1234567890123456\",y=\"1234567890123456\",z=\"1234567890123456\"} 1",
      })
  void aMalformedLineIsSkipped(String line) {
    ReadPage page = ReadPage.of("a 1\n" + line + "\nb 2\r\n", TIGHT);

    assertThat(page.samples()).containsExactly("a{} 1.0", "b{} 2.0");
    assertThat(page.tally().malformed()).isEqualTo(1);
    assertThat(page.tally().lines()).isEqualTo(3);
  }

  @Test
  void anUnterminatedLastLineIsDropped() {
    ReadPage page = ReadPage.of("a 1\nb 12");

    assertThat(page.samples()).containsExactly("a{} 1.0");
    assertThat(page.tally().ending()).isEqualTo(Ending.UNFINISHED);
  }

  @Test
  void aLineLongerThanTheBufferIsSkipped() {
    ReadPage page = ReadPage.of("a 1\nb " + "1".repeat(100_000) + "\na 3\n");

    assertThat(page.samples()).containsExactly("a{} 1.0", "a{} 3.0");
    assertThat(page.tally().malformed()).isEqualTo(1);
  }

  @Test
  void anInputOfExactlyTheLimitIsWhole() {
    assertThat(ReadPage.of("a 1\n".repeat(10), TIGHT).tally().ending()).isEqualTo(Ending.WHOLE);
    assertThat(ReadPage.of("#" + "1".repeat(998) + "\n", TIGHT).tally().ending())
        .isEqualTo(Ending.WHOLE);
  }

  @Test
  void inputBeyondTheLimitsIsIgnored() {
    ReadPage lines = ReadPage.of("a 1\n".repeat(11), TIGHT);
    ReadPage bytes = ReadPage.of("#" + "1".repeat(999) + "\na 1\n", TIGHT);

    assertThat(lines.samples()).hasSize(10);
    assertThat(lines.tally().ending()).isEqualTo(Ending.TOO_MANY_LINES);
    assertThat(bytes.samples()).isEmpty();
    assertThat(bytes.tally().ending()).isEqualTo(Ending.TOO_LARGE);
    assertThat(bytes.tally().bytes()).isEqualTo(1001);
  }

  @Test
  void prefixesAreReported() {
    assertThat(ReadPage.of("q:x 1\n").tally().prefixes()).containsExactly("q:");
    assertThat(ReadPage.of("# TYPE q:x_seconds histogram\n").tally().prefixes())
        .containsExactly("q:");
    assertThat(ReadPage.of("# HELP q:x_seconds Says q:\nqq:x 1\n").tally().prefixes()).isEmpty();
  }

  @Test
  void aSeriesIsRecognizedByNameAndLabels() {
    KnownSeries<String> known = new KnownSeries<>(140);
    StringBuilder made = new StringBuilder();
    SampleNames names = SampleNames.of(List.of("a", "b"));

    ReadPage.each(
        "a{x=\"1\"} 1\na{x=\"1\"} 2\nb 3\na{x=\"1\"} 4\na 5\na{x=\"1\"} 6\n",
        names,
        sample ->
            known.of(
                sample,
                unseen -> {
                  made.append(sample.name()).append(sample.labels()).append(' ');
                  return sample.name();
                }));

    assertThat(made).as("two entries have room").hasToString("a1 b0 a0 a1 ");
  }

  @Test
  void aLongSeriesIsNotKept() {
    KnownSeries<String> known = new KnownSeries<>(1 << 20);
    List<String> made = new ArrayList<>();
    String line = "a{x=\"" + "y".repeat(1100) + "\"} 1\n";

    ReadPage.each(
        line + line,
        SampleNames.of(List.of("a")),
        sample -> known.of(sample, unseen -> String.valueOf(made.add(sample.name()))));

    assertThat(made).hasSize(2);
  }
}
