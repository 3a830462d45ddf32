package io.lapwing.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

final class ExpositionPropertiesTest {

  private static final ExpositionText.Limits TIGHT = new ExpositionText.Limits(4000, 40, 40, 3, 16);

  @Property(tries = 300)
  void anyBytesAreTolerated(@ForAll @Size(max = 5000) byte[] page) {
    ReadPage read = ReadPage.of(page, TIGHT);

    assertThat(read.tally().bytes()).isBetween(0L, 4001L);
    assertThat(read.tally().lines()).isBetween(0L, 40L);
    assertThat(read.tally().samples()).isEqualTo(read.samples().size());
  }

  @Property(tries = 1000)
  void anyExpositionLikeTextIsTolerated(@ForAll("almostPages") String page) {
    ReadPage read = ReadPage.of(page.getBytes(StandardCharsets.ISO_8859_1), TIGHT);

    assertThat(read.tally().malformed() + read.tally().samples())
        .isLessThanOrEqualTo(read.tally().lines());
  }

  @Property(tries = 1000)
  void aNumberIsParsedToTheNearestDouble(@ForAll("numbers") String text) {
    assertThat(ReadPage.of("a " + text + "\n").samples())
        .containsExactly("a{} " + Double.parseDouble(text));
  }

  @Property(tries = 500)
  void labelsSurviveEscaping(@ForAll("labels") List<String> values) {
    StringBuilder line = new StringBuilder("a{");
    StringBuilder expected = new StringBuilder("a{");
    for (int i = 0; i < values.size(); i++) {
      line.append(i == 0 ? "" : ",").append("l").append(i).append("=\"");
      line.append(escaped(values.get(i))).append('"');
      expected.append(i == 0 ? "" : ",").append("l").append(i).append('=').append(values.get(i));
    }

    assertThat(ReadPage.of(line + "} 5\n").samples()).containsExactly(expected + "} 5.0");
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  @Provide
  Arbitrary<List<String>> labels() {
    return Arbitraries.strings().withChars("ab\\\"n{}=, #é€\n").ofMaxLength(12).list().ofMaxSize(6);
  }

  @Provide
  Arbitrary<String> almostPages() {
    return Arbitraries.of(
            "a",
            "b",
            "{",
            "}",
            "x=\"",
            "\"",
            ",",
            "=",
            " ",
            "\t",
            "\\",
            "\n",
            "\r",
            "#",
            "# EOF",
            "# TYPE a",
            "1",
            "0.5",
            "NaN",
            "-",
            "e",
            "é",
            "\u0000",
            "1234567890123456789")
        .list()
        .ofMaxSize(60)
        .map(parts -> parts.stream().collect(Collectors.joining()));
  }

  @Provide
  Arbitrary<String> numbers() {
    return Arbitraries.oneOf(
        Arbitraries.doubles().map(String::valueOf),
        Arbitraries.bigDecimals().map(number -> number.toPlainString()),
        Arbitraries.longs().map(String::valueOf),
        Arbitraries.longs().between(0, 1L << 54).map(whole -> whole + ".0"));
  }
}
