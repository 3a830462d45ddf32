package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.agent.events.EventJson.ParsedLine;
import io.lapwing.agent.events.FileScan.LogLines;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {
  private static final ObjectMapper ANY_READER = new ObjectMapper();

  static Stream<Event> samples() {
    return SampleEvents.all().stream();
  }

  /** One user of a GPU must not count as another when events are merged. */
  @Test
  void xidsOfTwoMigInstancesAreNoGroup() {
    assertThat(group(OptionalInt.of(7)))
        .isEqualTo(group(OptionalInt.of(7)))
        .isNotEqualTo(group(OptionalInt.of(9)))
        .isNotEqualTo(group(OptionalInt.empty()));
  }

  private static String group(OptionalInt instance) {
    Event.Xid xid =
        new Event.Xid(
            Instant.EPOCH,
            "GPU-1",
            "0000:53:00",
            instance,
            OptionalInt.empty(),
            31,
            OptionalLong.empty(),
            "",
            "",
            OptionalInt.empty(),
            Set.of(Event.Origin.NVML),
            1,
            OptionalLong.empty());
    return EventKind.of(xid).groupKey(xid);
  }

  @Test
  void thereIsASampleOfEveryKind() {
    assertThat(samples().map(Object::getClass).map(Class::getName))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Event.class.getPermittedSubclasses()).map(Class::getName).toList());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void membersAreTheKindAndThenTheComponentsOfTheRecord(Event event) throws IOException {
    List<String> expected = new ArrayList<>(List.of("kind"));
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      expected.add(component.getName());
    }
    JsonNode object = ANY_READER.readTree(line(event));

    assertThat(object.fieldNames()).toIterable().containsExactlyElementsOf(expected);
    assertThat(object.get("kind").asText()).isEqualTo(kind(event));
  }

  /** Jackson's snake case, too, takes SX for one beginning. */
  private static String kind(Event event) {
    return event
        .getClass()
        .getSimpleName()
        .replaceAll("([a-z])([A-Z])", "$1_$2")
        .toLowerCase(Locale.ROOT);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void anotherReaderOfJsonSeesTheSameTexts(Event event) throws Exception {
    JsonNode object = ANY_READER.readTree(line(event));

    for (RecordComponent component : event.getClass().getRecordComponents()) {
      Object value = component.getAccessor().invoke(event);
      if (value instanceof String || value instanceof Number || value instanceof Boolean) {
        assertThat(object.get(component.getName()).asText()).isEqualTo(value.toString());
      }
    }
    assertThat(object.get("at").asText()).isEqualTo(event.at().toString());
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aMemberThatIsLeftOutIsEmptyOrReportedByName(Event event) throws IOException {
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      ObjectNode object = (ObjectNode) ANY_READER.readTree(line(event));
      object.remove(component.getName());
      ParsedLine read = read(object.toString());

      if (read instanceof ParsedLine.Known known) {
        assertThat(line(known.event())).isEqualTo(object + "\n");
      } else {
        assertThat(read).isEqualTo(new ParsedLine.Malformed(component.getName() + " is missing"));
      }
    }
  }

  @Test
  void everyEventNeedsATime() {
    assertThat(samples())
        .allSatisfy(
            event ->
                assertThat(read(line(event).replaceFirst("\"at\":\"[^\"]+\",", "")))
                    .isEqualTo(new ParsedLine.Malformed("at is missing")));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aValueOfAnotherTypeIsReportedByName(Event event) throws IOException {
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      ObjectNode object = (ObjectNode) ANY_READER.readTree(line(event));
      object.putObject(component.getName()).put("kind", "started");

      assertThat(read(object.toString()))
          .isInstanceOfSatisfying(
              ParsedLine.Malformed.class,
              malformed ->
                  assertThat(malformed.why()).startsWith(component.getName() + " is not "));
    }
  }

  @Test
  void membersOfANewerAgentAreIgnored() {
    String line =
        """
        {"later":{"deep":[1,{"kind":"x"}]},"kind":"gpu_returned","huge":123456789012345678901234567890,\
        "half":0.5,"nothing":null,"list":[[],{}],"gpu":"GPU-1","at":"2026-11-20T11:20:00Z"}\
        """;

    assertThat(read(line))
        .isEqualTo(
            new ParsedLine.Known(
                new Event.GpuReturned(Instant.parse("2026-11-20T11:20:00Z"), "GPU-1"), false));
  }

  @Test
  void anOriginOfANewerAgentIsIgnored() {
    String line =
        """
        {"kind":"xid","at":"2026-11-20T11:20:00Z","number":79,"times":1,"origins":["gsp","nvml"]}\
        """;

    assertThat(read(line))
        .isInstanceOfSatisfying(
            ParsedLine.Known.class,
            known ->
                assertThat(((Event.Xid) known.event()).origins())
                    .containsExactly(Event.Origin.NVML));
  }

  @Test
  void aKindOfANewerAgentIsNotDamage() {
    assertThat(read("{\"kind\":\"fan_died\",\"at\":1}"))
        .isEqualTo(new ParsedLine.UnknownKind("fan_died", false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}",
        "[]",
        "1",
        "null",
        "{\"kind\":7}",
        "{\"kind\":\"started\",\"at\":\"2026-11-20T11:20:00Z\",\"version\":\"1\"}{",
        "{\"kind\":\"started\",\"at\":\"2026-11-20T11:20:00Z\",\"version\":\"1\"}]",
        "{\"kind\":\"started\",\"at\":\"2026-11-20T25:20:00Z\",\"version\":\"1\"}",
        "{\"kind\":\"started\",\"at\":\"2026-02-30T11:20:00Z\",\"version\":\"1\"}",
        "{\"kind\":\"xid\",\"at\":\"2026-11-20T11:20:00Z\",\"number\":4294967296,\"times\":1}",
        "{\"kind\":\"xid\",\"at\":\"2026-11-20T11:20:00Z\",\"number\":1.5,\"times\":1}"
      })
  void aLineThatIsNotAnEventIsMalformedWithAReason(String line) {
    assertThat(read(line))
        .isInstanceOfSatisfying(
            ParsedLine.Malformed.class, malformed -> assertThat(malformed.why()).isNotBlank());
  }

  @Test
  void theLongestLinesAreReadBack() {
    String text = "\u0001".repeat(5_000);
    Event longest =
        new Event.FindingOpened(Instant.EPOCH, Instant.MIN, text, text, text, text, text);

    assertThat(line(longest).length()).isLessThan(LogLines.MAX_BYTES / 2);
  }

  private static String line(Event event) {
    return new String(EventJson.lines(List.of(event)), StandardCharsets.US_ASCII);
  }

  private static ParsedLine read(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return EventJson.read(bytes, 0, bytes.length);
  }
}
