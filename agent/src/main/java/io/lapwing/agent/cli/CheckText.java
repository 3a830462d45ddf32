package io.lapwing.agent.cli;

import io.lapwing.agent.actions.Runbooks;
import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HardwareHistory;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.HealthReport.GpuVerdict;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Verdict;
import io.lapwing.common.text.Paragraph;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

final class CheckText {

  private static final String INDENT = "   ";
  private static final String FIELD = "             ";

  /** Enough for a node with eight GPUs. */
  private static final int MAX_RANKS = 8;

  private static final int MAX_JOBS = 4;

  private final CheckResult result;
  private final HealthReport report;
  private final AnsiColor color;
  private final StringBuilder screen = new StringBuilder();

  private CheckText(CheckResult result, AnsiColor color) {
    this.result = result;
    this.report = result.report();
    this.color = color;
  }

  static String of(CheckResult result, AnsiColor color) {
    CheckText text = new CheckText(result, color);
    text.head();
    text.operations();
    text.gpus();
    text.findings();
    text.tests();
    text.hardware();
    text.slow();
    text.unevaluated();
    return text.screen.toString();
  }

  private void head() {
    if (report.simulated()) {
      line(color.alert("SIMULATED NODE: none of this hardware exists."));
      line("");
    }
    result.note().ifPresent(note -> paragraph("", "", note));
    Verdict verdict = result.verdict();
    String word = color.of(verdict, verdict.name());
    if (result.problem().isPresent()) {
      line(word + ": do not rely on this node");
      paragraph("", "", result.problem().get());
      if (report.profile().isEmpty()) {
        return;
      }
      line("");
      line("Last report: " + report.verdict().name() + ": " + toDo());
    } else {
      line(word + ": " + toDo());
    }
    paragraph("", "", report.summary());
    paragraph("", "", "since " + TimeText.ago(report.since(), result.now()));
    paragraph(
        "", "", "evaluated " + TimeText.moment(report.at()) + " by " + result.by() + profile());
  }

  private String toDo() {
    if (report.verdict() == Verdict.UNKNOWN && Action.WATCH.covers(report.action())) {
      boolean started = report.findings().isEmpty() && !report.unevaluated().containsKey("all");
      return started ? HealthReport.NO_DATA_YET : "cannot be evaluated";
    }
    return due(report.action(), report.urgency());
  }

  private String profile() {
    return report.profile().isEmpty() ? "" : ", profile " + report.profile();
  }

  private String due(Action action, Optional<Urgency> urgency) {
    return VerdictText.due(report, action, urgency);
  }

  private void operations() {
    OperationsText.of(report.operations(), result.now()).forEach(text -> paragraph("", "", text));
    report.stopCosts().stream()
        .limit(MAX_JOBS)
        .forEach(cost -> paragraph("", "", PlainText.of(cost.sentence())));
    if (report.stopCosts().size() > MAX_JOBS) {
      paragraph("", "", more(report.stopCosts().size() - MAX_JOBS, "job"));
    }
  }

  private void gpus() {
    if (report.gpus().isEmpty()) {
      return;
    }
    line("");
    line(row("GPU", "VERDICT  ", "ACTION", "PCI", "UUID"));
    for (GpuVerdict gpu : report.gpus()) {
      line(
          row(
              String.valueOf(gpu.index()),
              color.of(gpu.verdict(), pad(gpu.verdict().text(), 9)),
              gpu.action().text(),
              PlainText.of(gpu.pci()),
              PlainText.of(gpu.uuid())));
    }
  }

  /** The verdict is already padded: color codes have no width. */
  private static String row(String gpu, String verdict, String action, String pci, String uuid) {
    return (pad(gpu, 5) + verdict + " " + pad(action, 14) + pad(pci, 14) + uuid).stripTrailing();
  }

  private static String pad(String text, int width) {
    return String.format(Locale.ROOT, "%-" + width + "s", text);
  }

  private void findings() {
    int count = report.findings().size();
    if (count == 0) {
      return;
    }
    line("");
    line(count == 1 ? "1 finding" : count + " findings, worst first");
    for (int i = 0; i < count; i++) {
      line("");
      finding(i + 1, report.findings().get(i));
    }
  }

  private void tests() {
    List<Operations.Test> tests = report.operations().tests();
    if (tests.isEmpty()) {
      return;
    }
    line("");
    line("Test findings, no part of the verdict");
    for (Operations.Test test : tests) {
      Finding finding = test.finding();
      paragraph(
          INDENT,
          INDENT + INDENT,
          "TEST "
              + finding.rule()
              + " on "
              + report.name(finding.subject())
              + ", "
              + finding.disposition().severity().text()
              + ", until "
              + TimeText.moment(test.until()));
    }
  }

  private void finding(int number, Finding finding) {
    String first = number + ". ";
    Disposition call = finding.disposition();
    line(
        first
            + color.of(colorOf(call.severity()), call.severity().text())
            + ": "
            + due(call.action(), Optional.of(call.urgency())));
    paragraph(INDENT, INDENT, report.name(finding.subject()) + ": " + finding.detection().what());
    field("since", TimeText.ago(finding.since(), result.now()) + howOften(finding));
    field("source", String.join(", ", finding.detection().sources()));
    field("why", finding.detection().why());
    field("document", finding.detection().document());
    field("runbook", Runbooks.shipped().of(finding).orElse(""));
    field("rule", finding.rule() + " on " + finding.subject().text());
  }

  private static Verdict colorOf(Severity severity) {
    return switch (severity) {
      case INFO -> Verdict.HEALTHY;
      case DEGRADED -> Verdict.DEGRADED;
      case UNKNOWN -> Verdict.UNKNOWN;
      case FAILING -> Verdict.FAILING;
    };
  }

  private static String howOften(Finding finding) {
    long times = finding.detection().times();
    return times > 1 ? "; " + times + " times, last " + TimeText.moment(finding.last()) : "";
  }

  private void field(String name, String text) {
    if (!text.isEmpty()) {
      paragraph(INDENT + pad(name, FIELD.length() - INDENT.length()), FIELD, text);
    }
  }

  private void hardware() {
    if (report.hardware().isEmpty()) {
      return;
    }
    line("");
    line("Hardware faults in the last " + HardwareHistory.WINDOW.toDays() + " days");
    for (HardwareHistory.Tally tally : report.hardware()) {
      String serial = PlainText.of(tally.serial());
      paragraph(
          INDENT,
          INDENT + INDENT,
          "%s: %s, score %s, last %s%s"
              .formatted(
                  report.name(Subject.parse(tally.subject())),
                  tally.count() == 1 ? "1 episode" : tally.count() + " episodes",
                  tally.score(),
                  TimeText.ago(tally.last(), result.now()),
                  serial.isEmpty() ? "" : ", serial " + serial));
    }
  }

  private void slow() {
    List<Slowness.Rank> ranks = report.slowness().ranks();
    if (ranks.isEmpty()) {
      return;
    }
    line("");
    line("Training lost time in the last minute");
    ranks.stream()
        .limit(MAX_RANKS)
        .forEach(rank -> paragraph(INDENT, INDENT + INDENT, PlainText.of(rank.sentence())));
    if (ranks.size() > MAX_RANKS) {
      paragraph(INDENT, INDENT, more(ranks.size() - MAX_RANKS, "rank"));
    }
  }

  private static String more(int count, String noun) {
    return "and " + count + " more " + noun + (count == 1 ? "" : "s");
  }

  private void unevaluated() {
    if (report.unevaluated().isEmpty()) {
      return;
    }
    line("");
    if (report.isFirstMinute()) {
      paragraph(
          "",
          INDENT,
          "No data yet: " + String.join(", ", new TreeSet<>(report.unevaluated().keySet())));
      return;
    }
    line("Not monitored on this node");
    new TreeMap<>(report.unevaluated())
        .forEach((rule, why) -> paragraph(INDENT, INDENT + INDENT, rule + ": " + why));
  }

  private void paragraph(String first, String rest, String text) {
    screen.append(Paragraph.of(first, rest, text));
  }

  private void line(String line) {
    screen.append(line).append('\n');
  }

  record AnsiColor(boolean enabled) {

    private static final String END = "\u001b[0m";

    String of(Verdict verdict, String text) {
      return switch (verdict) {
        case HEALTHY -> in("32", text);
        case DEGRADED -> in("33", text);
        case UNKNOWN -> in("35", text);
        case FAILING -> in("1;31", text);
      };
    }

    String alert(String text) {
      return in("1;37;41", text);
    }

    private String in(String code, String text) {
      return enabled ? "\u001b[" + code + "m" + text + END : text;
    }
  }
}
