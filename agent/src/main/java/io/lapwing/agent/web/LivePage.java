package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import java.util.List;
import java.util.function.Supplier;

/**
 * All that {@code /ui} asks for every few seconds, as one JSON in one line:
 *
 * <pre>
 * {"at": "2026-11-20T05:18:02.120Z", "hostname": "node-7", "version": "0.1.0", "simulated": false,
 *  "health": {...}, "events": {"kept": 312, "last": "2026-11-20T05:17:40Z"},
 *  "troubles": [{"source": "gpu5", "collector": "", "state": "hung", "why": "in gpu_ecc",
 *                "hung_seconds": 42.1}],
 *  "gpus": [{"gpu": "0", "UUID": "GPU-...", "up": 1, "sm_active": 0.93, ...}], ...}
 * </pre>
 *
 * <p>{@code health} is the report of {@code /api/v1/health}; {@code events} says whether there is
 * anything new at {@code /api/v1/events}.
 */
record LivePage(
    Supplier<Landing> landing,
    Supplier<HealthReport> health,
    Supplier<List<Event>> events,
    Supplier<Live> live)
    implements Page {

  @Override
  public Answer answer(Query query) {
    Live now = live.get();
    Landing agent = landing.get();
    HealthReport report = health.get();
    List<Event> kept = events.get();
    byte[] body =
        AsciiJson.line(
            json -> {
              json.writeStartObject();
              json.writeStringField("at", now.at().toString());
              json.writeStringField("hostname", agent.hostname());
              json.writeStringField("version", agent.version());
              json.writeBooleanField("simulated", agent.simulated() || report.simulated());
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
}
