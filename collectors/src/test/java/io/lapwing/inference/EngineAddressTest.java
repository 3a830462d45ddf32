package io.lapwing.inference;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineAddressTest {

  private static List<EngineAddress> all(String... urls) {
    return EngineAddress.all(Stream.of(urls).map(URI::create).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "http://127.0.0.1:8000,                 127.0.0.1:8000,           inference-127.0.0.1-8000",
    "http://127.0.0.1:8000/,                127.0.0.1:8000,           inference-127.0.0.1-8000",
    "http://127.0.0.1:8000/metrics,         127.0.0.1:8000,           inference-127.0.0.1-8000",
    "http://127.0.0.1:8000?token=swordfish, 127.0.0.1:8000,           inference-127.0.0.1-8000",
    "http://127.0.0.1:8000/m?k=swordfish,   127.0.0.1:8000/m,         inference-127.0.0.1-8000-61e",
    "http://127.0.0.1:8000/metrics/,        127.0.0.1:8000/metrics/,  inference-127.0.0.1-8000-",
    "http://Gpu7/metrics,                   gpu7:80,                  inference-gpu7-80",
    "http://[::1]:8000,                     [::1]:8000,               inference--1--8000",
  })
  void theLabelIsHostPortAndAnyOtherPath(String url, String label, String source) {
    EngineAddress address = EngineAddress.of(URI.create(url));

    assertThat(address.text()).isEqualTo(label);
    assertThat(address.sourceName()).startsWith(source);
  }

  @Test
  void onlyTheRequestHasTheQuery() {
    EngineAddress address = EngineAddress.of(URI.create("http://a:1/metrics?token=swordfish"));

    assertThat(address.request().uri()).hasQuery("token=swordfish");
    assertThat(address.text() + address.sourceName() + address + address.request())
        .doesNotContain("swordfish", "token");
  }

  /** Equal names would be equal series, and a page that Prometheus refuses. */
  @Test
  void urlsThatDifferInTheirQueryOnlyAreNumbered() {
    List<EngineAddress> addresses =
        all("http://a:1?worker=x", "http://a:1?worker=y", "http://a:1/other", "http://a:1");

    assertThat(addresses)
        .extracting(EngineAddress::text)
        .containsExactly("a:1", "a:1#2", "a:1/other", "a:1#3");
    assertThat(addresses).extracting(EngineAddress::sourceName).doesNotHaveDuplicates();
  }

  /** A hash could be compared with those of guessed secrets. */
  @Test
  void aChangedSecretChangesNoName() {
    assertThat(all("http://a:1?token=new").get(0).sourceName())
        .isEqualTo(all("http://a:1?token=old").get(0).sourceName());
  }

  @Test
  void theSameUrlIsScrapedOnce() {
    assertThat(all("http://a:1", "http://A:1/", "http://a:1/metrics")).hasSize(1);
  }
}
