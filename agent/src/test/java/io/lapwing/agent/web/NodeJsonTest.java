package io.lapwing.agent.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.lapwing.json.JsonWriter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** The output equals that of Jackson databind, byte for byte. */
class NodeJsonTest {

  private enum Colour {
    RED,
    GREEN;

    @Override
    public String toString() {
      return "a shade of " + name();
    }
  }

  private record Leaf(String text, int number, long large, double decimal, boolean flag) {}

  private record Tree(
      Leaf leaf,
      List<Leaf> leaves,
      Map<String, Leaf> named,
      Optional<Leaf> maybe,
      Optional<List<String>> words,
      Colour colour,
      Instant at,
      Duration took) {}

  @Property(tries = 200)
  void writesWhatAnObjectMapperWrites(@ForAll("trees") Tree tree) throws IOException {
    String expected = mapper().writeValueAsString(tree) + "\n";

    assertThat(new String(JsonWriter.unicodePage(tree), UTF_8)).isEqualTo(expected);
  }

  @Test
  void namesAnUnsupportedType() {
    assertThatThrownBy(() -> JsonWriter.unicodePage(Map.of("what", new Object())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("java.lang.Object");
  }

  @Provide
  Arbitrary<Tree> trees() {
    return Combinators.combine(
            leaves(),
            leaves().list().ofMaxSize(3),
            Arbitraries.maps(Arbitraries.strings().alpha(), leaves())
                .ofMaxSize(3)
                .map(TreeMap<String, Leaf>::new),
            leaves().optional(),
            Arbitraries.strings().ofMaxLength(4).list().ofMaxSize(2).optional(),
            Arbitraries.of(Colour.values()),
            Arbitraries.longs().between(0, 4_000_000_000L).map(Instant::ofEpochSecond),
            Arbitraries.longs().between(0, 1L << 50).map(Duration::ofNanos))
        .as(Tree::new);
  }

  private static Arbitrary<Leaf> leaves() {
    return Combinators.combine(
            Arbitraries.strings().ofMaxLength(6),
            Arbitraries.integers(),
            Arbitraries.longs(),
            Arbitraries.doubles(),
            Arbitraries.of(true, false))
        .as(Leaf::new);
  }

  private static ObjectMapper mapper() {
    SimpleModule types = new SimpleModule();
    types.addSerializer(Instant.class, by((at, json) -> json.writeString(at.toString())));
    types.addSerializer(
        Duration.class,
        by((time, json) -> json.writeNumber(time.getSeconds() + time.getNano() / 1e9)));
    types.addSerializer(
        Optional.class, by((maybe, json) -> json.writePOJO(((Optional<?>) maybe).orElse(null))));
    return new ObjectMapper()
        .enable(
            SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
        .registerModule(types);
  }

  private interface Writing<T> {
    void write(T value, JsonGenerator json) throws IOException;
  }

  private static <T> JsonSerializer<T> by(Writing<T> writing) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(T value, JsonGenerator json, SerializerProvider provider)
          throws IOException {
        writing.write(value, json);
      }
    };
  }
}
