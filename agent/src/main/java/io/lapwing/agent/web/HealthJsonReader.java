package io.lapwing.agent.web;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses {@link HealthJson}. The input is untrusted: any server may listen on the port. */
final class HealthJsonReader {

  private HealthJsonReader() {}

  static HealthReport of(byte[] json) throws HealthJson.UnreadableHealth {
    JsonNode root = JsonNode.root(json);
    return new HealthReport(
        root.at("at").instant(),
        verdict(root),
        action(root),
        root.at("urgency").isNull() ? Optional.empty() : Optional.of(urgency(root)),
        root.at("since").instant(),
        root.at("summary").text(),
        gpus(root.at("gpus")),
        findings(root.at("findings")),
        root.at("unwatched").texts(),
        slowness(root.at("slow")),
        root.at("profile").text(),
        root.at("simulated").flag());
  }

  private static Verdict verdict(JsonNode of) throws HealthJson.UnreadableHealth {
    return of.at("verdict").oneOf(Verdict.values(), Verdict::text);
  }

  private static Action action(JsonNode of) throws HealthJson.UnreadableHealth {
    return of.at("action").oneOf(Action.values(), Action::text);
  }

  private static Urgency urgency(JsonNode of) throws HealthJson.UnreadableHealth {
    return of.at("urgency").oneOf(Urgency.values(), Urgency::text);
  }

  private static List<GpuVerdict> gpus(JsonNode array) throws HealthJson.UnreadableHealth {
    List<GpuVerdict> gpus = new ArrayList<>();
    for (JsonNode gpu : array.elements()) {
      gpus.add(
          new GpuVerdict(
              gpu.at("uuid").text(),
              (int) gpu.at("index").number(),
              gpu.at("pci").text(),
              verdict(gpu),
              action(gpu),
              gpu.at("since").instant()));
    }
    return gpus;
  }

  private static List<Finding> findings(JsonNode array) throws HealthJson.UnreadableHealth {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode finding : array.elements()) {
      findings.add(finding(finding));
    }
    return findings;
  }

  private static Finding finding(JsonNode finding) throws HealthJson.UnreadableHealth {
    Instant since = finding.at("since").instant();
    Instant last = finding.at("last").instant();
    Detection symptom =
        new Detection(
            finding.at("rule").text(),
            subject(finding.at("subject")),
            new Disposition(
                finding.at("severity").oneOf(Severity.values(), Severity::text),
                action(finding),
                urgency(finding)),
            finding.at("what").text(),
            finding.at("why").text(),
            finding.at("document").text(),
            Optional.of(since),
            Optional.of(last),
            finding.at("times").number(),
            texts(finding.at("sources")));
    return new Finding(symptom, since, last);
  }

  /** Agents without training support omit the member. */
  private static Slowness slowness(JsonNode array) throws HealthJson.UnreadableHealth {
    if (array.isNull()) {
      return Slowness.NONE;
    }
    List<Slowness.Rank> ranks = new ArrayList<>();
    for (JsonNode rank : array.elements()) {
      ranks.add(
          new Slowness.Rank(
              rank.at("subject").text(),
              rank.at("cause").text(),
              rank.at("lost_seconds").decimal(),
              rank.at("of_seconds").decimal(),
              rank.at("sentence").text()));
    }
    return new Slowness(ranks, List.of());
  }

  private static Subject subject(JsonNode node) throws HealthJson.UnreadableHealth {
    String text = node.text();
    Subject subject = Subject.parse(text);
    if (!subject.text().equals(text)) {
      throw node.problem("is unknown: " + text);
    }
    return subject;
  }

  private static List<String> texts(JsonNode array) throws HealthJson.UnreadableHealth {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : array.elements()) {
      texts.add(element.text());
    }
    return texts;
  }
}
