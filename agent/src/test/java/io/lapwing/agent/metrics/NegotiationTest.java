package io.lapwing.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NegotiationTest {
  private static final String PROMETHEUS_2_42 =
      "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
          + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
  private static final String PROMETHEUS_3 =
      "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
          + "application/openmetrics-text;version=0.0.1;q=0.4,"
          + "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.3,"
          + "text/plain;version=0.0.4;q=0.2,*/*;q=0.1";
  private static final String PROMETHEUS_3_NATIVE_HISTOGRAMS =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;"
          + "q=0.6,"
          + PROMETHEUS_3;
  private static final String PROMETHEUS_3_TEXT_ONLY = "text/plain;version=0.0.4;q=0.2,*/*;q=0.1";

  @ParameterizedTest
  @ValueSource(
      strings = {
        PROMETHEUS_2_42,
        PROMETHEUS_3,
        PROMETHEUS_3_NATIVE_HISTOGRAMS,
        "application/openmetrics-text",
        "application/openmetrics-text; version=1.0.0; charset=utf-8",
        "application/openmetrics-text;version=\"1.0.0\"",
        "APPLICATION/OpenMetrics-Text;VERSION=1.0.0",
        "text/plain;q=0.5, application/openmetrics-text;version=1.0.0;q=0.5",
        "text/plain;q=0.4;version=0.0.4, text/*;q=0.9, application/openmetrics-text;q=0.5",
        "application/openmetrics-text;q=nonsense",
      })
  void openMetricsIfItsQualityIsAtLeastThatOfText(String accept) {
    assertThat(Negotiation.format(accept)).isEqualTo(PageFormat.OPENMETRICS_1_0_0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "*/*",
        PROMETHEUS_3_TEXT_ONLY,
        "application/*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "application/json",
        "application/openmetrics-text;version=0.0.1",
        "application/openmetrics-text;version=2.0.0",
        "application/openmetrics-text;q=0",
        "application/openmetrics-text;q=0,*/*",
        "application/openmetrics-text;q=0.4,text/plain;q=0.5",
        "application/openmetrics-text;q=0.4,*/*;q=0.5",
        ";;;,,,=",
      })
  void textOtherwise(String accept) {
    assertThat(Negotiation.format(accept)).isEqualTo(PageFormat.TEXT_0_0_4);
  }

  @Test
  void textWithoutTheHeader() {
    assertThat(Negotiation.format(null)).isEqualTo(PageFormat.TEXT_0_0_4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip                     | true",
        "GZIP                     | true",
        "deflate, gzip;q=1.0      | true",
        "x-gzip                   | true",
        "*                        | true",
        "gzip;q=0.001             | true",
        "identity, *;q=0.5        | true",
        "gzip;q=0                 | false",
        "gzip; q=0.0, *           | false",
        "*, gzip;q=0              | false",
        "identity                 | false",
        "*;q=0                    | false",
        "zstd, br                 | false",
        "''                       | false",
      })
  void gzipIfAccepted(String acceptEncoding, boolean gzip) {
    assertThat(Negotiation.gzip(acceptEncoding)).isEqualTo(gzip);
  }

  @Test
  void noGzipWithoutTheHeader() {
    assertThat(Negotiation.gzip(null)).isFalse();
  }

  @Property
  void noHeaderBreaksTheNegotiation(@ForAll String header) {
    assertThat(Negotiation.format(header)).isNotNull();
    assertThat(Negotiation.gzip(header)).isIn(true, false);
  }
}
