package io.lapwing.agent.check;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.text.PlainText;
import io.lapwing.agent.text.TimeText;
import java.time.Instant;

/**
 * A check in one line: {@code FAILING replace_node gpu 3: GPU has fallen off the bus (xid_79),
 * since 03:12:44Z}. Programs that watch nodes cut what is longer than 80 characters, so words are
 * left out of the middle.
 */
final class BriefLine {

  private static final int WIDTH = 80;

  /** Less would say nothing. */
  private static final int LEAST_WORDS = 20;

  private BriefLine() {}

  static String of(Outcome outcome) {
    HealthReport report = outcome.report();
    String verdict = (report.simulated() ? "SIMULATED " : "") + outcome.verdict().name();
    if (outcome.doubt().isPresent()) {
      return verdict + ": " + PlainText.of(outcome.doubt().get());
    }
    String head = verdict + " " + report.action().text();
    return report.findings().stream()
        .filter(finding -> decides(finding, report))
        .findFirst()
        .map(finding -> finding(head, finding, outcome))
        .orElseGet(() -> line(head + ": ", report.summary(), since(report.since(), outcome)));
  }

  /** What is only worth knowing is not why a node is healthy. */
  private static boolean decides(Finding finding, HealthReport report) {
    return finding.call().severity().text().equals(report.verdict().text());
  }

  private static String finding(String head, Finding finding, Outcome outcome) {
    String name = outcome.report().name(finding.subject()).replaceFirst("^GPU ", "gpu ");
    return line(
        head + " " + PlainText.of(name) + ": ",
        finding.symptom().what(),
        " (" + PlainText.of(finding.rule()) + ")" + since(finding.since(), outcome));
  }

  private static String since(Instant since, Outcome outcome) {
    return ", since " + TimeText.brief(since, outcome.now());
  }

  private static String line(String head, String words, String tail) {
    int room = Math.max(LEAST_WORDS, WIDTH - head.length() - tail.length());
    return head + PlainText.of(words.replaceFirst("\\.\\s*$", ""), room) + tail;
  }
}
