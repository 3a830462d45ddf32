package io.lapwing.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class JsonCursorPropertyTest {

  /** Scalar values, as written and as read. */
  private record Scalar(String written, Optional<String> read) {}

  @Provide
  Arbitrary<List<Map<String, Scalar>>> records() {
    Arbitrary<Scalar> text =
        Arbitraries.strings()
            .ofMaxLength(8)
            .map(value -> new Scalar(quoted(value), Optional.of(value)));
    Arbitrary<Scalar> plain =
        Arbitraries.of("0", "-1", "1.5", "2e9", "-0.25E-3", "true", "false")
            .map(value -> new Scalar(value, Optional.of(value)));
    Arbitrary<Scalar> skipped =
        Arbitraries.of("null", "{}", "[]", "[1, {\"a\": [null]}]", "{\"Code\": \"inner\"}")
            .map(value -> new Scalar(value, Optional.empty()));
    return Arbitraries.maps(
            Arbitraries.strings().ofMaxLength(6), Arbitraries.oneOf(text, plain, skipped))
        .ofMaxSize(4)
        .list()
        .ofMaxSize(4);
  }

  @Provide
  Arbitrary<String> almostJson() {
    return Arbitraries.of("[", "]", "{", "}", ":", ",", "\"", "\\u", "0", "-", "e", "tru", "e", " ")
        .list()
        .ofMaxSize(30)
        .map(parts -> String.join("", parts));
  }

  private static String quoted(String text) {
    return text.chars()
        .mapToObj(c -> c < ' ' || c == '"' || c == '\\' ? "\\u%04x".formatted(c) : "" + (char) c)
        .collect(Collectors.joining("", "\"", "\""));
  }

  private static String written(List<Map<String, Scalar>> records, String space) {
    return records.stream()
        .map(
            record ->
                record.entrySet().stream()
                    .map(
                        member ->
                            quoted(member.getKey()) + space + ":" + member.getValue().written())
                    .collect(Collectors.joining(space + "," + space, "{" + space, space + "}")))
        .collect(Collectors.joining("," + space, space + "[" + space, space + "]" + space));
  }

  private static Map<String, String> read(Map<String, Scalar> record) {
    Map<String, String> members = new LinkedHashMap<>();
    record.forEach((name, value) -> value.read().ifPresent(read -> members.put(name, read)));
    return members;
  }

  @Property
  void writtenValuesAreRead(@ForAll("records") List<Map<String, Scalar>> records)
      throws IOException {
    for (String space : new String[] {"", " \r\n\t"}) {
      assertThat(records(written(records, space)))
          .isEqualTo(records.stream().map(JsonCursorPropertyTest::read).toList());
    }
  }

  @Property
  void truncatedDocumentsAreRejected(@ForAll("records") List<Map<String, Scalar>> records) {
    String whole = written(records, "");
    for (int length = 0; length < whole.length(); length++) {
      String part = whole.substring(0, length);
      assertThatThrownBy(() -> records(part)).as(part).isInstanceOf(NotJson.class);
    }
  }

  @Property
  void anyOtherTextIsReadOrRejected(@ForAll String text) {
    readOrRejected(text);
  }

  @Property
  void almostJsonIsReadOrRejected(@ForAll("almostJson") String text) {
    readOrRejected(text);
  }

  private static List<Map<String, String>> records(String text) throws IOException {
    List<Map<String, String>> records = new ArrayList<>();
    try (JsonCursor json = JsonCursor.of(text)) {
      json.array(() -> records.add(json.scalars()));
      json.end();
    }
    return records;
  }

  private static void readOrRejected(String text) {
    try {
      assertThat(records(text)).doesNotContainNull();
    } catch (IOException refused) {
      assertThat(refused).isInstanceOf(NotJson.class).hasMessageStartingWith("at ");
    }
  }

  @Example
  void tooDeepNestingIsRejected() {
    String deep = "[{\"a\":" + "[".repeat(100_000);

    assertThatThrownBy(() -> records(deep))
        .isInstanceOf(NotJson.class)
        .hasMessageContaining("limit");
  }
}
