package io.lapwing.agent.top;

import io.lapwing.agent.cli.VerdictText;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.text.PlainText;
import io.lapwing.agent.text.TimeText;
import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.Rank;
import io.lapwing.agent.top.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Training ranks, and findings. */
final class WorkLines {

  private static final List<Column> RANKS =
      List.of(
          Column.key("RANK"),
          Column.text("GPU", 4),
          Column.text("JOB", 3),
          Column.number("STEP", 0),
          Column.number("STEP TIME", 0),
          Column.number("OWN WORK%", 0),
          Column.number("WAITS%", 0),
          Column.number("INPUT%", 2),
          Column.text("PHASE", 5),
          Column.text("NOTE", 1));

  private static final List<Column> FINDINGS =
      List.of(
          Column.key("SEVERITY"),
          Column.key("RULE"),
          Column.key("SUBJECT"),
          Column.key("SINCE"),
          Column.key("ACTION"),
          Column.text("WHAT", 1));

  private static final int MAX_JOB = 16;
  private static final int MAX_SUBJECT = 24;

  /** A rank that needs this many times as long as usual for a step is marked. */
  private static final double LATE = 5;

  private static final double MIN_LATE_SECONDS = 10;
  private static final double MILLIS = 1e3;

  /** Numbers as numbers, and ranks that are not verified last. */
  private static final Comparator<Rank> ORDER =
      Comparator.comparing(Rank::verified)
          .reversed()
          .thenComparing(Rank::job)
          .thenComparingInt(rank -> rank.rank().length())
          .thenComparing(Rank::rank);

  private WorkLines() {}

  static List<Line> training(NodeFrame frame, View view, int width) {
    List<Rank> ranks =
        frame.ranks().stream()
            .filter(rank -> view.matches(rank.job(), user(rank, frame)))
            .sorted(ORDER)
            .toList();
    List<Line> lines = new ArrayList<>();
    String count = frame.ranks().isEmpty() ? "no rank writes steps" : ranks.size() + " ranks";
    lines.add(SectionText.title("Training", count));
    if (!ranks.isEmpty()) {
      lines.addAll(Table.of(RANKS, ranks.stream().map(rank -> row(rank, frame)).toList(), width));
    }
    return lines;
  }

  private static String user(Rank rank, NodeFrame frame) {
    return frame.gpus().stream()
        .filter(gpu -> ("" + gpu.index()).equals(rank.gpu()))
        .map(NodeFrame.Gpu::user)
        .findFirst()
        .orElse("");
  }

  private static List<Span> row(Rank rank, NodeFrame frame) {
    return List.of(
        Span.of(rank.rank()),
        Span.of(rank.gpu()),
        Span.of(SectionText.cut(rank.job(), MAX_JOB)),
        Span.of(Quantity.whole(rank.step())),
        Span.of(Quantity.seconds(rank.stepSeconds())),
        Span.of(Quantity.percent(rank.ownWork())),
        Span.of(Quantity.percent(rank.communicationWait())),
        Span.of(Quantity.percent(rank.inputWait())),
        Span.of(rank.phase()),
        new Span(Tone.WARN, note(rank, frame)));
  }

  /** A straggler, a rank without a step for long, lost time, or nothing. */
  private static String note(Rank rank, NodeFrame frame) {
    boolean straggler =
        frame.health().findings().stream()
            .anyMatch(
                one -> one.rule().equals("training_straggler") && is(rank, one.subject().text()));
    if (straggler) {
      return "straggler";
    }
    double age = frame.at().toEpochMilli() / MILLIS - rank.ended().orElse(Double.MAX_VALUE);
    if (age > Math.max(MIN_LATE_SECONDS, LATE * rank.usualSeconds().orElse(0))) {
      return "no step for " + Math.round(age) + " s";
    }
    Optional<Slowness.Rank> lost =
        frame.health().slowness().ranks().stream()
            .filter(slow -> is(rank, slow.subject()))
            .findFirst();
    String verified = rank.verified() ? "" : "not verified";
    return lost.map(slow -> "loses " + Math.round(slow.lost()) + " s/min: " + slow.cause())
        .orElse(verified);
  }

  private static boolean is(Rank rank, String subject) {
    return subject.equals("training:" + rank.job() + "/" + rank.rank());
  }

  static List<Line> findings(NodeFrame frame, boolean all, int width) {
    HealthReport report = frame.health();
    List<Line> lines = new ArrayList<>();
    int count = report.findings().size();
    lines.add(SectionText.title("Findings", count == 0 ? "none" : count + ", worst first"));
    if (count > 0) {
      lines.addAll(
          Table.of(
              FINDINGS,
              report.findings().stream().map(finding -> row(finding, frame)).toList(),
              width));
    }
    if (all) {
      report.findings().forEach(finding -> lines.addAll(detail(finding, frame)));
      if (!report.unevaluated().isEmpty()) {
        lines.add(Line.EMPTY);
        lines.add(
            Line.of(
                Tone.DIM,
                "Not monitored on this node: "
                    + String.join(", ", report.unevaluated().keySet().stream().sorted().toList())));
      }
    }
    return lines;
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
