package io.lapwing.agent.replay;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.web.AsciiJson;
import io.lapwing.agent.web.HealthJson;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;

/**
 * A replay as JSON, an object on each line:
 *
 * <pre>
 * {"time":"2026-11-20T03:12:44Z","kind":"xid","pci":"0000:53:00","gpu_instance":null,
 * "compute_instance":null,"xid":95,"pid":7194,"process":"python3","message":"Uncontained: ...",
 * "cause":null,"flags":{"contained":false,"reset":true,"drain_and_reset":false},"unit":"LTC TAG",
 * "severity":"failing","action":"reset_gpu","urgency":"now"}
 * {"time":"...","kind":"verdict","from":"healthy","to":"failing","action":"reset_gpu","why":"..."}
 * {"kind":"end","lines":1200,"events":17,"health":{...}}
 * </pre>
 *
 * <p>{@code severity}, {@code action} and {@code urgency} come from the policy, null if it has no
 * row. {@code health} is as in {@code /api/v1/health}.
 */
public final class ReplayJson implements ReplayOutput {

  private final JsonGenerator json;

  private ReplayJson(JsonGenerator json) {
    this.json = json;
  }

  /** Writes to a stream, which stays open. */
  public static ReplayJson to(OutputStream out) {
    try {
      return new ReplayJson(AsciiJson.lines(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Members {
    void write() throws IOException;
  }

  private void object(Members members) {
    try {
      json.writeStartObject();
      members.write();
      json.writeEndObject();
      json.writeRaw('\n');
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void event(ReplayedEvent event) {
    object(
        () -> {
          json.writeStringField("time", event.at().map(Instant::toString).orElse(null));
          json.writeStringField("kind", event.kind());
          new FactJson(json).write(event.fact());
          call(event.call());
        });
  }

  private void call(Optional<Disposition> call) throws IOException {
    json.writeStringField("severity", call.map(one -> one.severity().text()).orElse(null));
    json.writeStringField("action", call.map(one -> one.action().text()).orElse(null));
    json.writeStringField("urgency", call.map(one -> one.urgency().text()).orElse(null));
  }

  @Override
  public void verdict(Instant at, Verdict from, Verdict to, Action action, String why) {
    object(
        () -> {
          json.writeStringField("time", at.toString());
          json.writeStringField("kind", "verdict");
          json.writeStringField("from", from.text());
          json.writeStringField("to", to.text());
          json.writeStringField("action", action.text());
          json.writeStringField("why", why);
        });
  }

  @Override
  public void end(HealthReport last, long lines, long events) {
    object(
        () -> {
          json.writeStringField("kind", "end");
          json.writeNumberField("lines", lines);
          json.writeNumberField("events", events);
          json.writeFieldName("health");
          HealthJson.write(last, json);
        });
  }
}
