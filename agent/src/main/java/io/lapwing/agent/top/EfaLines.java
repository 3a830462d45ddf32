package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.Rail;
import io.lapwing.agent.top.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** EFA devices: all of them, or the total and those with a problem. */
final class EfaLines {

  private static final List<Column> COLUMNS =
      List.of(
          Column.key("DEVICE"),
          Column.key("STATE"),
          Column.number("IN", 0),
          Column.number("OUT", 0),
          Column.number("RETRANSMITTED/s", 0),
          Column.number("% OF PACKETS", 2),
          Column.number("TIMEOUTS", 1),
          Column.text("GPUS", 3));

  /** Above this share of packets a rail is listed in the overview. */
  private static final double NOTABLE = 0.001;

  private EfaLines() {}

  static List<Line> of(NodeFrame frame, boolean all, int width) {
    List<Rail> rails = frame.rails();
    List<Line> lines = new ArrayList<>();
    if (rails.isEmpty()) {
      lines.add(SectionText.title("EFA", "none"));
      return lines;
    }
    long up = rails.stream().filter(Rail::up).count();
    lines.add(
        SectionText.title(
            "EFA",
            up
                + " of "
                + rails.size()
                + " up   in "
                + Quantity.rate(sum(rails, Rail::received))
                + "  out "
                + Quantity.rate(sum(rails, Rail::sent))
                + "  retransmitted "
                + Quantity.finePercent(
                    ratio(sum(rails, Rail::retransmitted), sum(rails, Rail::packets)))
                + " %"));
    List<List<Span>> rows =
        rails.stream().filter(rail -> all || isNotable(rail)).map(EfaLines::row).toList();
    if (!rows.isEmpty()) {
      lines.addAll(Table.of(COLUMNS, rows, width));
    }
    return lines;
  }

  private static boolean isNotable(Rail rail) {
    return !rail.up() || ratio(rail.retransmitted(), rail.packets()).orElse(0) > NOTABLE;
  }

  private static List<Span> row(Rail rail) {
    return List.of(
        Span.of(rail.device()),
        rail.up() ? new Span(Tone.GOOD, "up") : new Span(Tone.BAD, "down"),
        Span.of(Quantity.rate(rail.received())),
        Span.of(Quantity.rate(rail.sent())),
        Span.of(Quantity.whole(rail.retransmitted())),
        Span.of(Quantity.finePercent(ratio(rail.retransmitted(), rail.packets()))),
        Span.of(Quantity.whole(rail.timeouts())),
        Span.of(rail.gpus()));
  }

  /** Empty if no part has a value. */
  private static <T> OptionalDouble sum(List<T> parts, Function<T, OptionalDouble> value) {
    double[] known =
        parts.stream()
            .map(value)
            .filter(OptionalDouble::isPresent)
            .mapToDouble(OptionalDouble::getAsDouble)
            .toArray();
    double sum = 0;
    for (double one : known) {
      sum += one;
    }
    return known.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(sum);
  }

  private static OptionalDouble ratio(OptionalDouble part, OptionalDouble of) {
    return part.isPresent() && of.orElse(0) > 0
        ? OptionalDouble.of(part.getAsDouble() / of.getAsDouble())
        : OptionalDouble.empty();
  }
}
