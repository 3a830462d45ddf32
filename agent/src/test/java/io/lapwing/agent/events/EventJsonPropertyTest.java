package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.agent.events.EventJson.ParsedLine;
import io.lapwing.agent.events.MemberReader.InstantText;
import io.lapwing.json.JsonWriter;
import io.lapwing.json.JsonWriter.Members;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class EventJsonPropertyTest {
  private static final ObjectMapper ANY_READER = new ObjectMapper();

  @Provide
  Arbitrary<Event> events() {
    return EventArbitraries.events();
  }

  @Property
  void anyEventIsReadBackFromItsLine(@ForAll("events") Event event) {
    assertThat(read(line(event))).isEqualTo(new ParsedLine.Known(event, false));
  }

  @Property
  void anyEventIsReadBackFromItsLineInANewerFile(@ForAll("events") Event event) {
    String line =
        new String(EventJson.snapshotLines(List.of(event), false), StandardCharsets.US_ASCII);

    assertThat(line).endsWith(",\"carried\":true}\n");
    assertThat(read(line)).isEqualTo(new ParsedLine.Known(event, true));
  }

  @Property
  void aLineIsOneLineOfPrintableAscii(@ForAll("events") Event event) {
    String line = line(event);

    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    assertThat(line.substring(0, line.length() - 1).chars())
        .allSatisfy(c -> assertThat(c).isBetween((int) ' ', 0x7f));
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

  @Property
  void anEventIsTheSameInAsciiAndInUnicode(@ForAll("events") Event event, @ForAll char half)
      throws IOException {
    Event lost = new Event.GpuLost(event.at(), "GPU-1", half + "reason" + half);
    List<Members> both = List.of(EventJson.of(event), EventJson.of(lost));

    assertThat(ANY_READER.readTree(JsonWriter.unicodePage(both)))
        .isEqualTo(
            ANY_READER.readTree(JsonWriter.page(json -> json.member("both", both))).get("both"))
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
  void aTimeIsReadAsTheJdkReadsIt(@ForAll("nearlyMoments") String text) {
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

  private static ParsedLine read(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    return EventJson.read(bytes, 0, bytes.length);
  }

  private static Event event(String line) {
    return ((ParsedLine.Known) read(line)).event();
  }
}
