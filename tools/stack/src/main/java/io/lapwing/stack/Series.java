package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A query result for one label set.
 *
 * @param labels including {@code __name__} if the query keeps it
 * @param points oldest first; one for an instant query
 */
public record Series(Map<String, String> labels, List<Point> points) {

  /** A value and its time. */
  public record Point(Instant at, double value) {}

  public Series {
    labels = Map.copyOf(labels);
    points = List.copyOf(points);
  }

  /** Empty if it has no such label. */
  public String label(String name) {
    return labels.getOrDefault(name, "");
  }

  /** The latest value. */
  public double value() {
    return points.get(points.size() - 1).value();
  }

  /** Parses the {@code data} of a response: a vector, a matrix or a scalar. */
  static List<Series> read(JsonNode data) {
    JsonNode result = data.path("result");
    if (data.path("resultType").asText().equals("scalar")) {
      return List.of(new Series(Map.of(), List.of(point(result))));
    }
    List<Series> series = new ArrayList<>();
    for (JsonNode one : result) {
      List<Point> points = new ArrayList<>();
      one.path("values").forEach(value -> points.add(point(value)));
      if (one.has("value")) {
        points.add(point(one.get("value")));
      }
      series.add(new Series(strings(one.path("metric")), points));
    }
    return series;
  }

  private static Point point(JsonNode pair) {
    Instant at = Instant.ofEpochMilli(Math.round(pair.get(0).asDouble() * 1000));
    return new Point(at, number(pair.get(1).asText()));
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  static Map<String, String> strings(JsonNode object) {
    Map<String, String> strings = new LinkedHashMap<>();
    object.properties().forEach(field -> strings.put(field.getKey(), field.getValue().asText()));
    return strings;
  }
}
