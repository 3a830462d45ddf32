package io.lapwing.agent.top;

import io.lapwing.agent.cli.VerdictText;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.Table.Column;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Findings; in full with their reasons, and with the rules that this node cannot evaluate. */
final class FindingLines {

  private static final List<Column> COLUMNS =
      List.of(
          Column.key("SEVERITY"),
          Column.key("RULE"),
          Column.key("SUBJECT"),
          Column.key("SINCE"),
          Column.key("ACTION"),
          Column.text("WHAT", 1));

  private static final int MAX_SUBJECT = 24;

  private FindingLines() {}

  static List<Line> of(NodeFrame frame, boolean all, int width) {
    HealthReport report = frame.health();
    List<Line> lines = new ArrayList<>();
    int count = report.findings().size();
    lines.add(SectionText.title("Findings", count == 0 ? "none" : count + ", worst first"));
    if (count > 0) {
      lines.addAll(
          Table.of(
              COLUMNS,
              report.findings().stream().map(finding -> row(finding, frame)).toList(),
              width));
    }
    if (all) {
      report.findings().forEach(finding -> lines.addAll(detail(finding, frame)));
      lines.addAll(withoutData(frame));
    }
    return lines;
  }

  /** What is not evaluated, and in the first minute may just not have been read. */
  static List<Line> withoutData(NodeFrame frame) {
    HealthReport report = frame.health();
    if (report.unevaluated().isEmpty()) {
      return List.of();
    }
    String names = String.join(", ", new TreeSet<>(report.unevaluated().keySet()));
    String title = report.isFirstMinute() ? "No data yet: " : "Not monitored on this node: ";
    return List.of(Line.EMPTY, Line.of(Tone.DIM, title + names));
  }

  private static List<Line> detail(Finding finding, NodeFrame frame) {
    return List.of(
        Line.EMPTY,
        Line.of(
            new Span(tone(finding), finding.rule()),
            Span.of(" on " + PlainText.of(frame.health().name(finding.subject())))),
        Line.of(Tone.PLAIN, "  " + PlainText.of(finding.detection().what())),
        Line.of(Tone.DIM, "  " + PlainText.of(finding.detection().why())));
  }

  private static List<Span> row(Finding finding, NodeFrame frame) {
    HealthReport report = frame.health();
    return List.of(
        new Span(tone(finding), finding.disposition().severity().text()),
        Span.of(PlainText.of(finding.rule())),
        Span.of(SectionText.cut(report.name(finding.subject()), MAX_SUBJECT)),
        Span.of(TimeText.brief(finding.since(), frame.at())),
        Span.of(
            VerdictText.due(
                finding.disposition().action(), Optional.of(finding.disposition().urgency()))),
        Span.of(PlainText.of(finding.detection().what())));
  }

  private static Tone tone(Finding finding) {
    Severity severity = finding.disposition().severity();
    return switch (severity) {
      case INFO -> Tone.PLAIN;
      case DEGRADED -> Tone.WARN;
      case UNKNOWN -> Tone.UNKNOWN;
      case FAILING -> Tone.BAD;
    };
  }
}
