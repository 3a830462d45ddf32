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

/** Reads {@link HealthJson} back. Whatever answers at a port may have written it. */
final class HealthJsonReader {

  private HealthJsonReader() {}

  static HealthReport of(byte[] json) throws UnreadableHealth {
    JsonNode whole = JsonNode.whole(json);
    return new HealthReport(
        whole.at("at").instant(),
        verdict(whole),
        action(whole),
        whole.at("urgency").isNull() ? Optional.empty() : Optional.of(urgency(whole)),
        whole.at("since").instant(),
        whole.at("summary").text(),
        gpus(whole.at("gpus")),
        findings(whole.at("findings")),
        whole.at("unwatched").texts(),
        slowness(whole.at("slow")),
        whole.at("profile").text(),
        whole.at("simulated").flag());
  }

  private static Verdict verdict(JsonNode of) throws UnreadableHealth {
    return of.at("verdict").oneOf(Verdict.values(), Verdict::text);
  }

  private static Action action(JsonNode of) throws UnreadableHealth {
    return of.at("action").oneOf(Action.values(), Action::text);
  }

  private static Urgency urgency(JsonNode of) throws UnreadableHealth {
    return of.at("urgency").oneOf(Urgency.values(), Urgency::text);
  }

  private static List<GpuVerdict> gpus(JsonNode array) throws UnreadableHealth {
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

  private static List<Finding> findings(JsonNode array) throws UnreadableHealth {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode finding : array.elements()) {
      findings.add(finding(finding));
    }
    return findings;
  }

  private static Finding finding(JsonNode finding) throws UnreadableHealth {
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

  /** An agent from before training was looked at says nothing of it. */
  private static Slowness slowness(JsonNode array) throws UnreadableHealth {
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

  private static Subject subject(JsonNode place) throws UnreadableHealth {
    String text = place.text();
    Subject subject = Subject.parse(text);
    if (!subject.text().equals(text)) {
      throw place.problem("is not known: " + text);
    }
    return subject;
  }

  private static List<String> texts(JsonNode array) throws UnreadableHealth {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : array.elements()) {
      texts.add(element.text());
    }
    return texts;
  }
}
