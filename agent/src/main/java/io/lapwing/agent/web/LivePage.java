package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The data that {@code /ui} polls, as one line of JSON:
 *
 * <pre>
 * {"at": "2026-11-20T05:18:02.120Z", "hostname": "node-7", "version": "0.1.0", "simulated": false,
 *  "health": {...}, "events": {"kept": 312, "last": "2026-11-20T05:17:40Z"},
 *  "troubles": [{"source": "gpu5", "collector": "", "state": "hung", "why": "in gpu_ecc",
 *                "hung_seconds": 42.1}],
 *  "gpus": [{"gpu": "0", "UUID": "GPU-...", "up": 1, "sm_active": 0.93, ...}], ...}
 * </pre>
 *
 * <p>{@code health} is the report of {@code /api/v1/health}; {@code events} changes with {@code
 * /api/v1/events}.
 */
record LivePage(
    Supplier<WebContent.AgentInfo> agent,
    Supplier<HealthReport> health,
    Supplier<List<Event>> events,
    Supplier<LiveSnapshot> live)
    implements Page {

  @Override
  public Answer answer(Query query) {
    LiveSnapshot now = live.get();
    WebContent.AgentInfo info = agent.get();
    HealthReport report = health.get();
    List<Event> kept = events.get();
    byte[] body =
        AsciiJson.line(
            json -> {
              json.writeStartObject();
              json.writeStringField("at", now.at().toString());
              json.writeStringField("hostname", info.hostname());
              json.writeStringField("version", info.version());
              json.writeBooleanField("simulated", info.simulated() || report.simulated());
              json.writeFieldName("health");
              HealthJson.write(report, json);
              json.writeObjectFieldStart("events");
              json.writeNumberField("kept", kept.size());
              json.writeStringField(
                  "last", kept.isEmpty() ? null : kept.get(kept.size() - 1).at().toString());
              json.writeEndObject();
              LiveJson.members(now, json);
              json.writeEndObject();
            });
    return Answer.ok("application/json", body);
  }

  /** Writes a {@link LiveSnapshot} as members of an object. Missing values have no member. */
  private static final class LiveJson {

    private static final double MILLIS = 1e3;

    private LiveJson() {}

    static void members(LiveSnapshot live, JsonGenerator json) throws IOException {
      json.writeArrayFieldStart("troubles");
      for (LiveSnapshot.Problem problem : live.problems()) {
        problem(problem, json);
      }
      json.writeEndArray();
      for (Map.Entry<String, List<LiveRow>> table : live.tables().entrySet()) {
        json.writeArrayFieldStart(table.getKey());
        for (LiveRow row : table.getValue()) {
          row(row, json);
        }
        json.writeEndArray();
      }
    }

    private static void problem(LiveSnapshot.Problem problem, JsonGenerator json)
        throws IOException {
      json.writeStartObject();
      json.writeStringField("source", problem.source());
      json.writeStringField("collector", problem.collector());
      json.writeStringField("state", problem.state());
      json.writeStringField("why", problem.why());
      json.writeNumberField("hung_seconds", problem.hungFor().toMillis() / MILLIS);
      json.writeEndObject();
    }

    private static void row(LiveRow row, JsonGenerator json) throws IOException {
      json.writeStartObject();
      for (Map.Entry<String, String> text : row.texts().entrySet()) {
        json.writeStringField(text.getKey(), text.getValue());
      }
      if (row.counted().isPresent()) {
        number("counted_at", row.counted().get().toEpochMilli() / MILLIS, json);
      }
      for (Map.Entry<String, Double> number : row.numbers().entrySet()) {
        number(number.getKey(), number.getValue(), json);
      }
      for (Map.Entry<String, Map<String, Double>> group : row.groups().entrySet()) {
        json.writeObjectFieldStart(group.getKey());
        for (Map.Entry<String, Double> number : group.getValue().entrySet()) {
          number(number.getKey(), number.getValue(), json);
        }
        json.writeEndObject();
      }
      json.writeEndObject();
    }

    /** Writes whole numbers without a fraction or exponent, which takes a third less space. */
    private static void number(String name, double value, JsonGenerator json) throws IOException {
      if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
        json.writeNumberField(name, (long) value);
      } else {
        json.writeNumberField(name, value);
      }
    }
  }
}
