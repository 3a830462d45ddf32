package io.lapwing.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCursorTest {

  private final List<String> read = new ArrayList<>();

  private void read(String document) throws IOException {
    try (JsonCursor json = JsonCursor.of(new ByteArrayInputStream(document.getBytes(UTF_8)))) {
      json.object(name -> member(json, name));
      json.end();
    }
  }

  private void member(JsonCursor json, String name) throws IOException {
    switch (name) {
      case "text" -> read.add(json.text());
      case "any" -> read.add(json.textOrEmpty());
      case "whole" -> read.add("" + json.integer().orElse(-7));
      case "flag" -> read.add("" + json.flag());
      case "amount" -> read.add("" + json.amount());
      case "list" -> json.array(() -> read.add(json.text()));
      default -> json.skip();
    }
  }

  @Test
  void eachMemberIsReadByItsType() throws IOException {
    read(
        """
        {"text": "a\\u00e4", "new": {"text": ["b"]}, "any": {"x": 1}, "whole": -3, "flag": true,
         "amount": 2.5e1, "list": ["c", "d"], "any": "e"}
        """);
    assertThat(read).containsExactly("aä", "", "-3", "true", "25.0", "c", "d", "e");
  }

  @Test
  void nullIsAnAbsentValue() throws IOException {
    read("{\"text\": null, \"whole\": null, \"flag\": null, \"any\": null}");
    assertThat(read).containsExactly("", "-7", "false", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{\"text\": 1}",
        "{\"whole\": 1.5}",
        "{\"whole\": 2147483648}",
        "{\"flag\": 0}",
        "{\"amount\": -1}",
        "{\"amount\": 1e999}",
        "{\"amount\": null}",
        "{\"list\": {}}",
        "{} {}",
      })
  void anUnexpectedShapeIsRejected(String document) {
    assertThatThrownBy(() -> read(document))
        .isInstanceOfSatisfying(
            NotJson.class, refused -> assertThat(refused).hasMessageStartingWith("at "));
  }

  @Test
  void aTruncatedDocumentIsDistinguishedFromAMalformedOne() {
    assertThatThrownBy(() -> read("{\"text\": \"a"))
        .isInstanceOfSatisfying(NotJson.class, cut -> assertThat(cut.truncated()).isTrue());
    assertThatThrownBy(() -> read("{\"text\": x}" + " ".repeat(100_000)))
        .isInstanceOfSatisfying(NotJson.class, bad -> assertThat(bad.truncated()).isFalse());
  }

  @Test
  void aTooLongTextIsRejected() {
    assertThatThrownBy(() -> read("{\"text\": \"" + "a".repeat(100_000) + "\"}"))
        .isInstanceOf(NotJson.class);
  }
}
