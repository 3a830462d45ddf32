package io.lapwing.agent.web;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Urgency;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * A {@link HealthReport} as the JSON of {@code /api/v1/health}:
 *
 * <pre>
 * {"verdict": "failing", "action": "replace_node", "urgency": "now", "since": "2026-11-20T03:12:44Z",
 *  "at": "2026-11-20T05:18:00Z", "summary": "...", "profile": "aws", "simulated": false,
 *  "gpus": [{"index": 3, "uuid": "GPU-...", "pci": "0000:64:00", "verdict": "failing",
 *            "action": "replace_node", "since": "2026-11-20T03:12:44Z"}],
 *  "findings": [{"rule": "xid_79", "subject": "gpu:GPU-...", "severity": "failing",
 *                "action": "replace_node", "urgency": "now", "since": "...", "last": "...", "times": 1,
 *                "what": "...", "why": "...", "document": "...", "sources": ["kernel log"]}],
 *  "unwatched": {"pcie_width": "..."},
 *  "slow": [{"subject": "training:4711/3", "cause": "input", "lost_seconds": 21.4, "of_seconds": 58.9,
 *            "sentence": "..."}]}
 * </pre>
 *
 * <p>{@code urgency} is null if no action is needed. Findings are sorted worst first. {@code slow}
 * lists the training time lost in the last minute, by rank and cause.
 */
public final class HealthJson {

  private HealthJson() {}

  /** The report, pretty-printed. */
  public static byte[] write(HealthReport report) {
    return AsciiJson.page(json -> write(report, json));
  }

  /** Reads the output of {@link #write(HealthReport)}. Ignores unknown fields. */
  public static HealthReport read(byte[] json) throws UnreadableHealth {
    return HealthJsonReader.of(json);
  }

  /** Writes the report as an object. */
  public static void write(HealthReport report, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("verdict", report.verdict().text());
    json.writeStringField("action", report.action().text());
    json.writeStringField("urgency", report.urgency().map(Urgency::text).orElse(null));
    json.writeStringField("since", report.since().toString());
    json.writeStringField("at", report.at().toString());
    json.writeStringField("summary", report.summary());
    json.writeStringField("profile", report.profile());
    json.writeBooleanField("simulated", report.simulated());
    json.writeArrayFieldStart("gpus");
    for (GpuVerdict gpu : report.gpus()) {
      write(gpu, json);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("findings");
    for (Finding finding : report.findings()) {
      write(finding, json);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("unwatched");
    for (Map.Entry<String, String> rule : new TreeMap<>(report.unevaluated()).entrySet()) {
      json.writeStringField(rule.getKey(), rule.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("slow");
    for (Slowness.Rank rank : report.slowness().ranks()) {
      write(rank, json);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(Slowness.Rank rank, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("subject", rank.subject());
    json.writeStringField("cause", rank.cause());
    json.writeNumberField("lost_seconds", rank.lost());
    json.writeNumberField("of_seconds", rank.of());
    json.writeStringField("sentence", rank.sentence());
    json.writeEndObject();
  }

  private static void write(GpuVerdict gpu, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("index", gpu.index());
    json.writeStringField("uuid", gpu.uuid());
    json.writeStringField("pci", gpu.pci());
    json.writeStringField("verdict", gpu.verdict().text());
    json.writeStringField("action", gpu.action().text());
    json.writeStringField("since", gpu.since().toString());
    json.writeEndObject();
  }

  /** Writes a finding as an object. */
  public static void write(Finding finding, JsonGenerator json) throws IOException {
    Detection symptom = finding.detection();
    json.writeStartObject();
    json.writeStringField("rule", finding.rule());
    json.writeStringField("subject", finding.subject().text());
    json.writeStringField("severity", finding.disposition().severity().text());
    json.writeStringField("action", finding.disposition().action().text());
    json.writeStringField("urgency", finding.disposition().urgency().text());
    json.writeStringField("since", finding.since().toString());
    json.writeStringField("last", finding.last().toString());
    json.writeNumberField("times", symptom.times());
    json.writeStringField("what", symptom.what());
    json.writeStringField("why", symptom.why());
    json.writeStringField("document", symptom.document());
    json.writeArrayFieldStart("sources");
    for (String source : symptom.sources()) {
      json.writeString(source);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Invalid {@code /api/v1/health} JSON; the message names the path. */
  public static final class UnreadableHealth extends IOException {

    UnreadableHealth(String problem) {
      super(problem);
    }
  }
}
