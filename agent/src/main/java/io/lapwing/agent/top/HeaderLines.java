package io.lapwing.agent.top;

import io.lapwing.agent.cli.VerdictText;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.common.text.PlainText;
import io.lapwing.common.text.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The node, its verdict, and how old both are. */
final class HeaderLines {

  private HeaderLines() {}

  static List<Line> of(Watch watch, View view, Instant now) {
    List<Line> lines = new ArrayList<>();
    if (watch.frame().isEmpty()) {
      lines.add(Line.of(Tone.TITLE, "lapwing top"));
      lines.add(
          watch
              .problem()
              .map(why -> Line.of(Tone.BAD, "no answer yet: " + PlainText.of(why)))
              .orElse(Line.of(Tone.DIM, "waiting for the agent ...")));
      return lines;
    }
    NodeFrame frame = watch.frame().get();
    lines.add(node(frame, watch, view, now));
    lines.add(verdict(frame, watch, now));
    watch.problem().ifPresent(why -> lines.add(unanswered(why, watch, now)));
    frame.problems().stream()
        .filter(problem -> !problem.state().equals("starting"))
        .findFirst()
        .ifPresent(problem -> lines.add(trouble(problem, frame.problems().size())));
    return lines;
  }

  private static Line node(NodeFrame frame, Watch watch, View view, Instant now) {
    List<Span> spans = new ArrayList<>();
    if (frame.simulated()) {
      spans.add(new Span(Tone.ALERT, "SIMULATED"));
      spans.add(Span.of(" "));
    }
    spans.add(new Span(Tone.TITLE, frame.hostname()));
    String type = frame.instanceType().isEmpty() ? "" : "  " + frame.instanceType();
    spans.add(Span.of(type + "  agent " + frame.version() + "  "));
    spans.add(
        new Span(
            view.paused() ? Tone.WARN : Tone.DIM,
            TimeText.moment(frame.at()) + ", " + age(watch, view, now)));
    return new Line(spans);
  }

  private static String age(Watch watch, View view, Instant now) {
    String old = TimeText.span(positive(Duration.between(watch.received(), now))) + " old";
    return view.paused() ? "PAUSED, " + old : old;
  }

  private static Duration positive(Duration span) {
    return span.isNegative() ? Duration.ZERO : span;
  }

  private static Line verdict(NodeFrame frame, Watch watch, Instant now) {
    HealthReport report = frame.health();
    Optional<String> stale =
        watch.isStale(now) ? Optional.of("no answer") : frame.staleEvaluation();
    String toDo = VerdictText.due(report) + ". " + PlainText.of(report.summary());
    String since = " since " + TimeText.brief(report.since(), frame.at());
    if (stale.isPresent()) {
      return Line.of(
          new Span(Tone.UNKNOWN, "UNKNOWN"),
          Span.of(": " + stale.get() + "; last verdict " + report.verdict().name() + ": " + toDo));
    }
    return Line.of(
        new Span(tone(report.verdict()), report.verdict().name()),
        Span.of(since + maintenance(report) + ": " + toDo));
  }

  private static String maintenance(HealthReport report) {
    return report.operations().maintenance().isPresent() ? " (maintenance)" : "";
  }

  private static Line unanswered(String why, Watch watch, Instant now) {
    return Line.of(
        Tone.ALERT,
        "no answer since "
            + TimeText.brief(watch.received(), now)
            + " ("
            + TimeText.span(positive(Duration.between(watch.received(), now)))
            + "): "
            + PlainText.of(why));
  }

  private static Line trouble(NodeFrame.Problem problem, int count) {
    String hung =
        problem.hungSeconds().orElse(0) > 0
            ? " for " + Quantity.whole(problem.hungSeconds()) + " s"
            : "";
    String more = count > 1 ? " (" + (count - 1) + " more)" : "";
    return Line.of(
        Tone.WARN,
        "not read: "
            + problem.source()
            + " "
            + problem.state()
            + hung
            + ", "
            + problem.why()
            + more);
  }

  static Tone tone(Verdict verdict) {
    return switch (verdict) {
      case HEALTHY -> Tone.GOOD;
      case DEGRADED -> Tone.WARN;
      case UNKNOWN -> Tone.UNKNOWN;
      case FAILING -> Tone.BAD;
    };
  }
}
