package io.lapwing.simulator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What an agent wrote down before the scenario begins: one line of its event log.
 *
 * @param members texts, whole numbers and booleans as they stand; a {@link Duration} is the moment
 *     so long after the beginning, and mostly negative
 */
public record PastEvent(Map<String, Object> members) {
  public PastEvent {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The GPUs that it names. */
  IntStream gpus() {
    return members.values().stream()
        .filter(String.class::isInstance)
        .flatMapToInt(text -> Placeholders.gpus((String) text));
  }

  /**
   * The line.
   *
   * @param fill fills placeholders in
   */
  String line(Instant beginning, UnaryOperator<String> fill) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    members.forEach(
        (name, value) -> {
          if (value instanceof Duration ago) {
            line.put(name, beginning.plus(ago).toString());
          } else if (value instanceof Boolean flag) {
            line.put(name, flag);
          } else if (value instanceof Long number) {
            line.put(name, number);
          } else {
            line.put(name, fill.apply(String.valueOf(value)));
          }
        });
    return line.toString();
  }
}
