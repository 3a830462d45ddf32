package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {
  private static final ObjectMapper ANY_READER = new ObjectMapper();

  @Provide
  Arbitrary<Event> events() {
    return EventArbitraries.events();
  }

  static Stream<Event> samples() {
    return SampleEvents.all().stream();
  }

  @Test
  void thereIsASampleOfEveryKind() {
    assertThat(samples().map(Object::getClass).map(Class::getName))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Event.class.getPermittedSubclasses()).map(Class::getName).toList());
  }

  @Property
  void anyEventIsReadBackFromItsLine(@ForAll("events") Event event) {
    assertThat(read(line(event))).isEqualTo(new LineContent.Known(event, false));
  }

  @Property
  void anyEventIsReadBackFromItsLineInANewerFile(@ForAll("events") Event event) {
    String line = new String(EventJson.carriedLines(List.of(event)), StandardCharsets.US_ASCII);

    assertThat(line).endsWith(",\"carried\":true}\n");
    assertThat(read(line)).isEqualTo(new LineContent.Known(event, true));
  }

  @Property
  void aLineIsOneLineOfPrintableAscii(@ForAll("events") Event event) {
    String line = line(event);

    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    assertThat(line.substring(0, line.length() - 1).chars())
        .allSatisfy(c -> assertThat(c).isBetween((int) ' ', 0x7f));
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
  void aMemberThatIsLeftOutIsEmptyOrMissedByName(Event event) throws IOException {
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      ObjectNode object = (ObjectNode) ANY_READER.readTree(line(event));
      object.remove(component.getName());
      LineContent read = read(object.toString());

      if (read instanceof LineContent.Known known) {
        assertThat(line(known.event())).isEqualTo(object + "\n");
      } else {
        assertThat(read).isEqualTo(new LineContent.Malformed(component.getName() + " is missing"));
      }
    }
  }

  @Test
  void everyEventHasAMoment() {
    assertThat(samples())
        .allSatisfy(
            event ->
                assertThat(read(line(event).replaceFirst("\"at\":\"[^\"]+\",", "")))
                    .isEqualTo(new LineContent.Malformed("at is missing")));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aValueOfAnotherTypeIsNotedByName(Event event) throws IOException {
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      ObjectNode object = (ObjectNode) ANY_READER.readTree(line(event));
      object.putObject(component.getName()).put("kind", "started");

      assertThat(read(object.toString()))
          .isInstanceOfSatisfying(
              LineContent.Malformed.class,
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
            new LineContent.Known(
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
            LineContent.Known.class,
            known ->
                assertThat(((Event.Xid) known.event()).origins())
                    .containsExactly(Event.Origin.NVML));
  }

  @Test
  void aKindOfANewerAgentIsNoDamage() {
    assertThat(read("{\"kind\":\"fan_died\",\"at\":1}"))
        .isEqualTo(new LineContent.UnknownKind("fan_died"));
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
  void aLineThatIsNoEventIsMalformedAndSaysWhy(String line) {
    assertThat(read(line))
        .isInstanceOfSatisfying(
            LineContent.Malformed.class, malformed -> assertThat(malformed.why()).isNotBlank());
  }

  @Property
  void noBytesMakeTheReaderThrow(@ForAll @Size(max = 200) byte[] bytes) {
    assertThat(EventJson.read(bytes, 0, bytes.length)).isNotNull();
  }

  @Property
  void noByteThatChangedMakesTheReaderThrow(
      @ForAll("events") Event event, @ForAll int where, @ForAll byte with) {
    byte[] bytes = line(event).getBytes(StandardCharsets.US_ASCII);
    bytes[Math.floorMod(where, bytes.length)] = with;

    assertThat(EventJson.read(bytes, 0, bytes.length)).isNotNull();
  }

  @Provide
  Arbitrary<String> longTexts() {
    return Combinators.combine(
            Arbitraries.strings().all().ofMaxLength(3), Arbitraries.integers().between(1, 4_000))
        .as((some, times) -> (some + "x").repeat(times));
  }

  @Property(tries = 200)
  void textsAreShortenedOnceAndNeverSplitACharacter(@ForAll("longTexts") String text) {
    Event.Xid xid = (Event.Xid) SampleEvents.all().get(3);
    Event.Xid once =
        (Event.Xid)
            event(
                line(
                    new Event.Xid(
                        xid.at(),
                        text,
                        text,
                        xid.gpuInstance(),
                        xid.computeInstance(),
                        xid.number(),
                        xid.pid(),
                        text,
                        text,
                        xid.cause(),
                        xid.origins(),
                        1,
                        xid.sequence())));

    assertThat(once.message().length()).isBetween(1, 2_000);
    assertThat(once.process().length()).isBetween(1, 64);
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(once.message())).isTrue();
    if (StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      assertThat(once.message().length()).isGreaterThanOrEqualTo(Math.min(text.length(), 1_999));
      assertThat(text).startsWith(once.message().replaceFirst("\u2026$", ""));
    }
    assertThat(event(line(once))).isEqualTo(once);
  }

  @Test
  void theLongestLinesAreReadBack() {
    String text = "\u0001".repeat(5_000);
    Event longest = new Event.FindingOpened(Instant.EPOCH, text, text, text, text, text);

    assertThat(line(longest).length()).isLessThan(LogLines.MOST_BYTES / 2);
  }

  @Property
  void anyGeneratorOfOthersTakesAnyEvent(@ForAll("events") Event event, @ForAll char half)
      throws IOException {
    Event told = new Event.GpuLost(event.at(), "GPU-1", half + "reason" + half);
    StringWriter text = new StringWriter();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(text);
        JsonGenerator binary = new JsonFactory().createGenerator(bytes)) {
      for (JsonGenerator generator : List.of(json, binary)) {
        generator.writeStartArray();
        EventJson.write(event, generator);
        EventJson.write(told, generator);
        generator.writeEndArray();
      }
    }

    assertThat(ANY_READER.readTree(text.toString()))
        .isEqualTo(ANY_READER.readTree(bytes.toByteArray()))
        .hasSize(2);
  }

  @Provide
  Arbitrary<String> nearlyMoments() {
    return Combinators.combine(
            EventArbitraries.moments().map(Instant::toString),
            Arbitraries.integers().between(0, 40),
            Arbitraries.of("", "0", "9", "Z", ".", "-", "+", "T", "t", " ", "\u0661"))
        .as(
            (text, where, with) -> {
              int at = Math.min(where, text.length());
              return text.substring(0, at) + with + text.substring(Math.min(at + 1, text.length()));
            });
  }

  @Property
  void aMomentIsReadAsTheJdkReadsIt(@ForAll("nearlyMoments") String text) {
    assertThat(moment(() -> InstantText.parse(text))).isEqualTo(moment(() -> Instant.parse(text)));
  }

  private static Optional<Instant> moment(Supplier<Instant> reading) {
    try {
      return Optional.of(reading.get());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String line(Event event) {
    return new String(EventJson.lines(List.of(event)), StandardCharsets.US_ASCII);
  }

  private static LineContent read(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return EventJson.read(bytes, 0, bytes.length);
  }

  private static Event event(String line) {
    return ((LineContent.Known) read(line)).event();
  }
}
