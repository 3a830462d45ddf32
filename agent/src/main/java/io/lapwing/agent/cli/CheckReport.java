package io.lapwing.agent.cli;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.cli.CheckText.AnsiColor;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import java.time.Instant;
import java.util.Optional;

/** The output: the report for standard output, notes for standard error. */
record CheckReport(String out, String err) {

  public static CheckReport of(CheckResult result, CheckRequest.Form form, AnsiColor color) {
    return switch (form) {
      case SCREEN -> new CheckReport(CheckText.of(result, color), "");
      case BRIEF -> new CheckReport(OneLineReport.of(result) + "\n", aside(result.note()));
      case SCHEDULER -> new CheckReport(DrainAdvice.of(result, false) + "\n", "");
      case SCHEDULER_TRIAL -> new CheckReport(DrainAdvice.of(result, true) + "\n", "");
      case JSON -> new CheckReport(result.json(), aside(result.note()) + aside(result.problem()));
    };
  }

  private static String aside(Optional<String> words) {
    return words.map(text -> "lapwing: " + text + "\n").orElse("");
  }

  /**
   * One line: {@code FAILING replace_node gpu 3: GPU has fallen off the bus (xid_79), since
   * 03:12:44Z}. Monitoring programs truncate at 80 characters, so words in the middle are omitted.
   */
  static final class OneLineReport {

    private static final int WIDTH = 80;

    /** A shorter text would be meaningless. */
    private static final int MIN_WORDS = 20;

    private OneLineReport() {}

    static String of(CheckResult result) {
      HealthReport report = result.report();
      String verdict =
          (report.simulated() ? "SIMULATED " : "")
              + (report.operations().maintenance().isPresent() ? "MAINTENANCE " : "")
              + result.verdict().name();
      if (result.problem().isPresent()) {
        return verdict + ": " + PlainText.of(result.problem().get());
      }
      String head = verdict + " " + report.action().text();
      return report.findings().stream()
          .filter(finding -> decides(finding, report))
          .findFirst()
          .map(finding -> finding(head, finding, result))
          .orElseGet(() -> line(head + ": ", report.summary(), since(report.since(), result)));
    }

    /** An informational finding is not the reason of a verdict. */
    private static boolean decides(Finding finding, HealthReport report) {
      return finding.disposition().severity().text().equals(report.verdict().text());
    }

    private static String finding(String head, Finding finding, CheckResult result) {
      String name = result.report().name(finding.subject()).replaceFirst("^GPU ", "gpu ");
      return line(
          head + " " + PlainText.of(name) + ": ",
          finding.detection().what(),
          " (" + PlainText.of(finding.rule()) + ")" + since(finding.since(), result));
    }

    private static String since(Instant since, CheckResult result) {
      return ", since " + TimeText.brief(since, result.now());
    }

    private static String line(String head, String words, String tail) {
      int room = Math.max(MIN_WORDS, WIDTH - head.length() - tail.length());
      return head + PlainText.of(words.replaceFirst("\\.\\s*$", ""), room) + tail;
    }
  }
}
