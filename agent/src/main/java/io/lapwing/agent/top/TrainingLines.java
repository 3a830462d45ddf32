package io.lapwing.agent.top;

import io.lapwing.agent.health.Slowness;
import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.Rank;
import io.lapwing.agent.top.Table.Column;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Training ranks. */
final class TrainingLines {

  private static final List<Column> COLUMNS =
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

  private static final int MAX_JOB = 16;

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

  private TrainingLines() {}

  static List<Line> of(NodeFrame frame, View view, int width) {
    List<Rank> ranks =
        frame.ranks().stream()
            .filter(rank -> view.matches(rank.job(), user(rank, frame)))
            .sorted(ORDER)
            .toList();
    List<Line> lines = new ArrayList<>();
    String count = frame.ranks().isEmpty() ? "no rank writes steps" : ranks.size() + " ranks";
    lines.add(SectionText.title("Training", count));
    if (!ranks.isEmpty()) {
      lines.addAll(Table.of(COLUMNS, ranks.stream().map(rank -> row(rank, frame)).toList(), width));
    }
    return lines;
  }

  private static String user(Rank rank, NodeFrame frame) {
    return frame.gpus().stream()
        .filter(gpu -> ("" + gpu.index()).equals(rank.gpu().replaceFirst("/.*", "")))
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
}
