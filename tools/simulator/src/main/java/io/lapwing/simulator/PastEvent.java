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
 * One line of the agent's event log from before the scenario.
 *
 * @param members texts, integers and booleans; a {@link Duration} is a time relative to the start,
 *     usually negative
 */
public record PastEvent(Map<String, Object> members) {
  public PastEvent {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /** The GPUs that the event refers to. */
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
