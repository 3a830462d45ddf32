package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.FileSystem;
import io.lapwing.agent.top.NodeFrame.Rail;
import io.lapwing.agent.top.NodeFrame.Target;
import io.lapwing.agent.top.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * EFA devices and Lustre targets: all of them in full, otherwise totals and those with a problem.
 */
final class FabricLines {

  private static final List<Column> RAILS =
      List.of(
          Column.key("DEVICE"),
          Column.key("STATE"),
          Column.number("IN", 0),
          Column.number("OUT", 0),
          Column.number("RETRANSMITTED/s", 0),
          Column.number("% OF PACKETS", 2),
          Column.number("TIMEOUTS", 1),
          Column.text("GPUS", 3));

  private static final List<Column> TARGETS =
      List.of(
          Column.key("TARGET"),
          Column.key("STATE"),
          Column.number("RPC/s", 0),
          Column.number("RPC WAIT", 0),
          Column.number("IN FLIGHT", 2),
          Column.number("EVICTIONS", 1));

  /** Above this share of packets a rail is listed in the overview. */
  private static final double NOTABLE = 0.001;

  private FabricLines() {}

  static List<Line> efa(NodeFrame frame, boolean all, int width) {
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
        rails.stream().filter(rail -> all || isNotable(rail)).map(FabricLines::row).toList();
    if (!rows.isEmpty()) {
      lines.addAll(Table.of(RAILS, rows, width));
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

  static List<Line> lustre(NodeFrame frame, boolean all, int width) {
    List<Line> lines = new ArrayList<>();
    if (frame.fileSystems().isEmpty() && frame.targets().isEmpty()) {
      lines.add(SectionText.title("Lustre", "none"));
      return lines;
    }
    frame.fileSystems().forEach(fs -> lines.add(fileSystem(fs, frame)));
    List<List<Span>> rows =
        frame.targets().stream()
            .filter(target -> all || !isConnected(target))
            .map(FabricLines::row)
            .toList();
    if (!rows.isEmpty()) {
      lines.addAll(Table.of(TARGETS, rows, width));
    }
    return lines;
  }

  private static Line fileSystem(FileSystem fs, NodeFrame frame) {
    List<Target> targets =
        frame.targets().stream().filter(one -> one.fileSystem().equals(fs.name())).toList();
    long connected = targets.stream().filter(FabricLines::isConnected).count();
    String free =
        fs.freeRatio().isPresent() ? "  free " + Quantity.percent(fs.freeRatio()) + " %" : "";
    return SectionText.title(
        "Lustre",
        fs.name()
            + "  "
            + connected
            + " of "
            + targets.size()
            + " targets connected   read "
            + Quantity.rate(fs.read())
            + "  written "
            + Quantity.rate(fs.written())
            + free);
  }

  private static boolean isConnected(Target target) {
    return target.connected().orElse(0) != 0;
  }

  private static List<Span> row(Target target) {
    String state = target.state().isEmpty() ? "unknown" : target.state();
    return List.of(
        Span.of(target.name()),
        isConnected(target) ? new Span(Tone.GOOD, "connected") : new Span(Tone.BAD, state),
        Span.of(Quantity.whole(target.rpcs())),
        Span.of(Quantity.seconds(target.rpcWait())),
        Span.of(Quantity.of(target.inFlight(), target.inFlightLimit())),
        Span.of(Quantity.whole(target.evictions())));
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
