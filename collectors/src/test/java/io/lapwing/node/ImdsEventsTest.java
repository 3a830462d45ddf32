package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lapwing.json.NotJson;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImdsEventsTest {

  @ParameterizedTest
  @CsvSource({
    "21 Jan 2019 09:00:43 GMT, 2019-01-21T09:00:43Z",
    "1 Dec 2026 00:00:00 GMT, 2026-12-01T00:00:00Z",
    "29 Feb 2028 23:59:59 GMT, 2028-02-29T23:59:59Z",
    "2017-09-18T08:22:00Z, 2017-09-18T08:22:00Z",
    "29 Feb 2027 23:59:59 GMT,",
    "21 Jan 2019 25:00:43 GMT,",
    "21 JAN 2019 09:00:43 GMT,",
    "21 Jan 2019 09:00:43 PST,",
    "tomorrow,",
  })
  void aTimeIsParsedInBothFormats(String text, String instant) {
    assertThat(ImdsEvents.instant(text))
        .isEqualTo(Optional.ofNullable(instant).map(Instant::parse));
  }

  @Test
  void duplicateEventsAreMerged() throws IOException {
    String event = "{\"Code\":\"instance-stop\",\"EventId\":\"e-1\"}";

    assertThat(ImdsEvents.maintenance("[" + event + "," + event + "]")).hasSize(1);
    assertThat(ImdsEvents.maintenance("[" + event + "," + event.replace('1', '2') + "]"))
        .hasSize(2);
  }

  @Test
  void completedEventsAreNotScheduled() throws IOException {
    for (String state : new String[] {"completed", "canceled"}) {
      assertThat(
              ImdsEvents.maintenance("[{\"Code\":\"instance-stop\",\"State\":\"" + state + "\"}]"))
          .isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "none",
        "{}",
        "[{}]",
        "[[]]",
        "[\"instance-stop\"]",
        "[{\"Code\":\"\"}]",
        "[{\"Code\":\"<b>\"}]",
        "[{\"Code\":{\"is\":\"nested\"}}]",
        "[{\"Code\":\"instance-stop\",\"EventId\":\"a\\nb\"}]",
        "[{\"Code\":\"instance-stop\"}] [",
      })
  void malformedEventsAreRejected(String text) {
    assertThatThrownBy(() -> ImdsEvents.maintenance(text)).isInstanceOf(NotJson.class);
  }

  @Test
  void tooManyEventsAreRejected() {
    String many =
        IntStream.range(0, 1000)
            .mapToObj(i -> "{\"Code\":\"instance-stop\",\"EventId\":\"e-" + i + "\"}")
            .collect(Collectors.joining(",", "[", "]"));

    assertThatThrownBy(() -> ImdsEvents.maintenance(many)).isInstanceOf(NotJson.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{\"action\":\"stop\"}",
        "{\"action\":\"stop\",\"time\":\"soon\"}",
        "{\"time\":\"2017-09-18T08:22:00Z\"}",
      })
  void anInterruptionWithoutActionOrTimeIsRejected(String text) {
    assertThatThrownBy(() -> ImdsEvents.spot(text)).isInstanceOf(NotJson.class);
  }

  @Property
  void anyTimeIsParsedOrEmpty(@ForAll String text) {
    assertThat(ImdsEvents.instant(text)).isNotNull();
  }
}
