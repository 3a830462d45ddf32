package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import io.lapwing.agent.top.NodeFrame.FileSystem;
import io.lapwing.agent.top.NodeFrame.Target;
import io.lapwing.agent.top.Table.Column;
import java.util.ArrayList;
import java.util.List;

/** Lustre file systems, and their targets: all of them, or those that are not connected. */
final class LustreLines {

  private static final List<Column> COLUMNS =
      List.of(
          Column.key("TARGET"),
          Column.key("STATE"),
          Column.number("RPC/s", 0),
          Column.number("RPC WAIT", 0),
          Column.number("IN FLIGHT", 2),
          Column.number("EVICTIONS", 1));

  private LustreLines() {}

  static List<Line> of(NodeFrame frame, boolean all, int width) {
    List<Line> lines = new ArrayList<>();
    if (frame.fileSystems().isEmpty() && frame.targets().isEmpty()) {
      lines.add(SectionText.title("Lustre", "none"));
      return lines;
    }
    frame.fileSystems().forEach(fs -> lines.add(fileSystem(fs, frame)));
    List<List<Span>> rows =
        frame.targets().stream()
            .filter(target -> all || !isConnected(target))
            .map(LustreLines::row)
            .toList();
    if (!rows.isEmpty()) {
      lines.addAll(Table.of(COLUMNS, rows, width));
    }
    return lines;
  }

  private static Line fileSystem(FileSystem fs, NodeFrame frame) {
    List<Target> targets =
        frame.targets().stream().filter(one -> one.fileSystem().equals(fs.name())).toList();
    long connected = targets.stream().filter(LustreLines::isConnected).count();
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
}
