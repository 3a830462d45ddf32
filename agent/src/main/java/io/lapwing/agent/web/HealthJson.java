package io.lapwing.agent.web;

import io.lapwing.agent.actions.Runbooks;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HardwareHistory;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.StopCost;
import io.lapwing.agent.health.Urgency;
import io.lapwing.json.JsonWriter;
import io.lapwing.json.JsonWriter.Members;
import io.lapwing.node.Platform;
import java.io.IOException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
 *                "what": "...", "why": "...", "document": "...", "runbook": "LapwingXid",
 *                "sources": ["kernel log"]}],
 *  "unwatched": {"pcie_width": "..."},
 *  "maintenance": {"since": "...", "until": "...", "note": "swap PSU"},
 *  "gpus_released": {"since": "...", "until": "...", "closed": true},
 *  "tests": [{"rule": "xid_79", ..., "until": "..."}],
 *  "slow": [{"subject": "training:4711/3", "cause": "input", "lost_seconds": 21.4, "of_seconds": 58.9,
 *            "sentence": "..."}],
 *  "stop_costs": [{"job": "4711", "run": "", "step": 1000, "durable": "...", "unsaved": "...",
 *                  "lost_seconds": 720, "ranks": 512, "gpus": 512, "sentence": "..."}],
 *  "node": {"hostname": "...", "instance_id": "i-...", "platform": "karpenter", "platform_source": "...",
 *           "boot_id": "..."}}
 * </pre>
 *
 * <p>{@code urgency} is null if no action is needed. Findings are sorted worst first. {@code slow}
 * lists the training time lost in the last minute, by rank and cause, {@code stop_costs} the work
 * that each training job would lose by a stop now, since its last durable checkpoint; {@code step}
 * and {@code durable} are null before the first checkpoint, {@code gpus} where ranks share GPUs.
 * {@code maintenance} and {@code gpus_released} are null while inactive; {@code tests} are no part
 * of the verdict. {@code hardware} lists the episodes of hardware faults within 90 days. {@code
 * runbook} is null for rules without one, {@code platform} if it is not recognized.
 */
public final class HealthJson {

  private HealthJson() {}

  public static byte[] write(HealthReport report) {
    return JsonWriter.page(of(report));
  }

  /** Reads the output of {@link #write(HealthReport)}. Ignores unknown fields. */
  public static HealthReport read(byte[] json) throws UnreadableHealth {
    return HealthJsonReader.of(json);
  }

  /** Reads the report as part of a larger document, as {@code JsonCursor.value()} returns it. */
  public static HealthReport readMember(@Nullable Object member) throws UnreadableHealth {
    return HealthJsonReader.of(member);
  }

  public static Members of(HealthReport report) {
    return json ->
        json.member("verdict", report.verdict().text())
            .member("action", report.action().text())
            .member("urgency", report.urgency().map(Urgency::text))
            .member("since", report.since())
            .member("at", report.at())
            .member("summary", report.summary())
            .member("profile", report.profile())
            .member("simulated", report.simulated())
            .member("gpus", report.gpus().stream().map(HealthJson::of))
            .member("findings", report.findings().stream().map(HealthJson::of))
            .member("unwatched", new TreeMap<>(report.unevaluated()))
            .member("maintenance", report.operations().maintenance().map(HealthJson::of))
            .member("gpus_released", report.operations().released().map(HealthJson::of))
            .member("tests", report.operations().tests().stream().map(HealthJson::of))
            .member("slow", report.slowness().ranks().stream().map(HealthJson::of))
            .member("hardware", report.hardware().stream().map(HealthJson::of))
            .member("stop_costs", report.stopCosts().stream().map(HealthJson::of))
            .member("node", of(report.node()));
  }

  private static Members of(HealthReport.NodeName node) {
    return json ->
        json.member("hostname", node.hostname())
            .member("instance_id", node.instanceId())
            .member("platform", node.platform().map(Platform::id))
            .member("platform_source", node.platformSource())
            .member("boot_id", node.bootId());
  }

  private static Members of(Operations.Maintenance maintenance) {
    return json ->
        json.member("since", maintenance.since())
            .member("until", maintenance.until())
            .member("note", maintenance.note());
  }

  private static Members of(Operations.Release release) {
    return json ->
        json.member("since", release.since())
            .member("until", release.until())
            .member("closed", release.closed());
  }

  private static Members of(Operations.Test test) {
    return json -> {
      write(test.finding(), json);
      json.member("until", test.until());
    };
  }

  private static Members of(Slowness.Rank rank) {
    return json ->
        json.member("subject", rank.subject())
            .member("cause", rank.cause())
            .member("lost_seconds", rank.lost())
            .member("of_seconds", rank.of())
            .member("sentence", rank.sentence());
  }

  private static Members of(StopCost cost) {
    return json ->
        json.member("job", cost.job())
            .member("run", cost.run())
            .member("step", cost.step())
            .member("durable", cost.durable())
            .member("unsaved", cost.unsaved())
            .member("lost_seconds", cost.lost().toSeconds())
            .member("ranks", cost.ranks())
            .member("gpus", cost.gpus())
            .member("sentence", cost.sentence());
  }

  private static Members of(HardwareHistory.Tally tally) {
    return json ->
        json.member("subject", tally.subject())
            .member("serial", tally.serial())
            .member("episodes", tally.count())
            .member("score", tally.score())
            .member("earlier_score", tally.earlier())
            .member("last", tally.last());
  }

  private static Members of(GpuVerdict gpu) {
    return json ->
        json.member("index", gpu.index())
            .member("uuid", gpu.uuid())
            .member("pci", gpu.pci())
            .member("verdict", gpu.verdict().text())
            .member("action", gpu.action().text())
            .member("since", gpu.since());
  }

  private static Members of(Finding finding) {
    return json -> write(finding, json);
  }

  private static void write(Finding finding, JsonWriter to) {
    Detection symptom = finding.detection();
    to.member("rule", finding.rule())
        .member("subject", finding.subject().text())
        .member("severity", finding.disposition().severity().text())
        .member("action", finding.disposition().action().text())
        .member("urgency", finding.disposition().urgency().text())
        .member("since", finding.since())
        .member("last", finding.last())
        .member("times", symptom.times())
        .member("confirmed", symptom.confirmed())
        .member("what", symptom.what())
        .member("why", symptom.why())
        .member("document", symptom.document())
        .member("runbook", Runbooks.shipped().of(finding))
        .member("sources", symptom.sources());
    symptom.instance().ifPresent(id -> to.member("gpu_instance", id));
  }

  /** Invalid {@code /api/v1/health} JSON; the message names the path. */
  public static final class UnreadableHealth extends IOException {

    UnreadableHealth(String problem) {
      super(problem);
    }
  }
}
