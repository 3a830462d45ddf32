package io.lapwing.stack.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.stack.HttpJson;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A server at an address. */
final class HttpPrometheus implements PrometheusApi {

  private final HttpJson server;
  private final Set<String> recorded = new TreeSet<>();

  HttpPrometheus(URI address) {
    this.server = new HttpJson("The server at " + address, address);
    JsonNode rules = server.get("/api/v1/rules?type=record");
    for (JsonNode group : rules.at("/data/groups")) {
      group.path("rules").forEach(rule -> recorded.add(rule.path("name").asText()));
    }
  }

  @Override
  public boolean records(String name) {
    return recorded.contains(name);
  }

  @Override
  public Map<Map<String, String>, List<Instant>> range(
      String query, Instant from, Instant to, Duration step) {
    JsonNode answer =
        server.post(
            "/api/v1/query_range",
            Map.of(
                "query", query,
                "start", String.valueOf(from.getEpochSecond()),
                "end", String.valueOf(to.getEpochSecond()),
                "step", String.valueOf(step.toSeconds())));
    Map<Map<String, String>, List<Instant>> series = new LinkedHashMap<>();
    for (JsonNode one : answer.at("/data/result")) {
      Map<String, String> labels = new LinkedHashMap<>();
      one.path("metric")
          .properties()
          .forEach(it -> labels.put(it.getKey(), it.getValue().asText()));
      List<Instant> times = new ArrayList<>();
      one.path("values")
          .forEach(pair -> times.add(Instant.ofEpochSecond(Math.round(pair.get(0).asDouble()))));
      series.put(labels, times);
    }
    return series;
  }
}
