package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds JSON from names and values, in the given order. */
final class Json {

  private Json() {}

  /**
   * An object.
   *
   * @param pairs names and values in turn
   */
  static ObjectNode object(@Nullable Object... pairs) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < pairs.length; i += 2) {
      object.set(String.valueOf(pairs[i]), node(pairs[i + 1]));
    }
    return object;
  }

  static ArrayNode array(Collection<? extends JsonNode> values) {
    return JsonNodeFactory.instance.arrayNode().addAll(List.copyOf(values));
  }

  static ArrayNode array(JsonNode... values) {
    return array(List.of(values));
  }

  static ArrayNode words(Collection<String> words) {
    return array(words.stream().map(JsonNodeFactory.instance::textNode).toList());
  }

  static ObjectNode map(Map<String, ?> values) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    values.forEach((name, value) -> object.set(name, node(value)));
    return object;
  }

  private static JsonNode node(@Nullable Object value) {
    JsonNodeFactory make = JsonNodeFactory.instance;
    if (value == null) {
      return make.nullNode();
    }
    if (value instanceof JsonNode node) {
      return node;
    }
    if (value instanceof Boolean flag) {
      return make.booleanNode(flag);
    }
    if (value instanceof Integer whole) {
      return make.numberNode(whole);
    }
    if (value instanceof Double number) {
      return number == Math.rint(number)
          ? make.numberNode(number.longValue())
          : make.numberNode(number);
    }
    return make.textNode(value.toString());
  }
}
