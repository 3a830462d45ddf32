package io.lapwing.agent.cli;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Verdict;
import io.lapwing.common.text.PlainText;
import java.time.Duration;
import java.util.Optional;

/**
 * One line for the health check of a scheduler: {@code drain REASON}, {@code resume REASON} or
 * {@code keep REASON}. A drain needs a finding that demands a reset, a reboot or a replacement or
 * that no work runs here, that NVML has not left unconfirmed, and that is older than the minute in
 * which NVML could confirm it.
 */
final class DrainAdvice {

  private static final Duration CONFIRMATION = Duration.ofSeconds(70);

  /** The clock was set back, so the age is not known, and may be negative for hours. */
  private static final Duration SET_BACK = Duration.ofSeconds(-10);

  /** Slurm shows a reason in one column; the rest is in {@code lapwing check}. */
  private static final int WIDTH = 160;

  private DrainAdvice() {}

  /**
   * @param simulatedToo whether a simulated node may be drained, for trials
   */
  static String of(CheckResult result, boolean simulatedToo) {
    HealthReport report = result.report();
    if (result.problem().isPresent()) {
      return keep("unknown: " + result.problem().get());
    }
    if (report.simulated() && !simulatedToo) {
      return keep("this node is simulated");
    }
    if (report.operations().maintenance().isPresent()) {
      return keep("the node is in maintenance");
    }
    Optional<Finding> cause =
        report.findings().stream()
            .filter(DrainAdvice::demandsDrain)
            .filter(finding -> isSettled(finding, result))
            .findFirst();
    if (cause.isPresent()) {
      return "drain " + PlainText.of(reason(cause.get(), report), WIDTH);
    }
    boolean usable = report.findings().stream().noneMatch(DrainAdvice::demandsDrain);
    return usable && (report.verdict() == Verdict.HEALTHY || report.verdict() == Verdict.DEGRADED)
        ? "resume " + report.verdict().text()
        : keep(report.verdict().text() + ": " + report.summary());
  }

  private static boolean demandsDrain(Finding finding) {
    Severity severity = finding.disposition().severity();
    return severity == Severity.FAILING
        || (severity != Severity.INFO && finding.disposition().action().covers(Action.RESET_GPU));
  }

  private static boolean isSettled(Finding finding, CheckResult result) {
    Duration age = Duration.between(finding.since(), result.now());
    return finding.detection().confirmed()
        && (age.compareTo(CONFIRMATION) >= 0 || age.compareTo(SET_BACK) < 0);
  }

  private static String reason(Finding finding, HealthReport report) {
    return "%s: %s: %s (%s)"
        .formatted(
            finding.disposition().action().text(),
            report.name(finding.subject()),
            finding.detection().what().replaceFirst("\\.\\s*$", ""),
            finding.rule());
  }

  private static String keep(String why) {
    return "keep " + PlainText.of(why, WIDTH);
  }
}
