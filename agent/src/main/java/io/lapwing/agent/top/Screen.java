package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The lines of the screen; pure. */
final class Screen {

  private static final String KEYS = "q quit  h help  1-5 section  s sort  p pause  / filter";

  private Screen() {}

  /** Exactly {@code height} lines, none wider than {@code width}: header, body, keys. */
  static List<Line> of(Watch watch, View view, Instant now, int width, int height) {
    List<Line> lines = new ArrayList<>(HeaderLines.of(watch, view, now));
    List<Line> body = view.help() ? HelpLines.ALL : body(watch, view, now, width);
    int room = Math.max(1, height - lines.size() - 1);
    int from = Math.min(view.scroll(), lastScroll(body.size(), room));
    lines.addAll(body.subList(from, Math.min(body.size(), from + room)));
    while (lines.size() < height - 1) {
      lines.add(Line.EMPTY);
    }
    lines.add(footer(view, from, body.size(), room));
    return lines.stream().limit(height).map(line -> line.cut(width)).toList();
  }

  /** The view, scrolled at most to its end: otherwise the way back up begins far below it. */
  static View bounded(View view, Watch watch, Instant now, int width, int height) {
    int body = view.help() ? HelpLines.ALL.size() : body(watch, view, now, width).size();
    int room = Math.max(1, height - HeaderLines.of(watch, view, now).size() - 1);
    return view.scrolled(Math.min(0, lastScroll(body, room) - view.scroll()));
  }

  private static int lastScroll(int lines, int room) {
    return Math.max(0, lines - room);
  }

  /** A whole frame for a file or a pipe: everything, without keys. */
  static List<Line> once(Watch watch, Instant now, int width) {
    List<Line> lines =
        new ArrayList<>(HeaderLines.of(watch, View.start(View.DEFAULT_INTERVAL), now));
    watch.frame().ifPresent(frame -> lines.addAll(everything(frame, width)));
    return lines.stream().map(line -> line.cut(width)).toList();
  }

  private static List<Line> everything(NodeFrame frame, int width) {
    View view = View.start(View.DEFAULT_INTERVAL);
    List<Line> lines = new ArrayList<>();
    add(lines, GpuLines.of(frame, view, width));
    add(lines, EfaLines.of(frame, true, width));
    add(lines, LustreLines.of(frame, true, width));
    add(lines, TrainingLines.of(frame, view, width));
    add(lines, FindingLines.of(frame, false, width));
    lines.addAll(FindingLines.withoutData(frame));
    return lines;
  }

  private static void add(List<Line> lines, List<Line> section) {
    lines.add(Line.EMPTY);
    lines.addAll(section);
  }

  private static List<Line> body(Watch watch, View view, Instant now, int width) {
    if (watch.frame().isEmpty()) {
      return List.of();
    }
    NodeFrame frame = watch.frame().get();
    List<Line> lines =
        switch (view.section()) {
          case ALL -> overview(frame, view, width);
          case GPUS -> GpuLines.of(frame, view, width);
          case EFA -> EfaLines.of(frame, true, width);
          case LUSTRE -> LustreLines.of(frame, true, width);
          case TRAINING -> TrainingLines.of(frame, view, width);
          case FINDINGS -> FindingLines.of(frame, true, width);
        };
    // Old numbers are not shown in the colors of current ones.
    return watch.isStale(now) ? lines.stream().map(line -> line.in(Tone.DIM)).toList() : lines;
  }

  private static List<Line> overview(NodeFrame frame, View view, int width) {
    List<Line> lines = new ArrayList<>();
    if (!frame.health().findings().isEmpty()) {
      lines.addAll(FindingLines.of(frame, false, width));
    }
    lines.addAll(GpuLines.of(frame, view, width));
    lines.addAll(EfaLines.of(frame, false, width));
    lines.addAll(LustreLines.of(frame, false, width));
    lines.addAll(TrainingLines.of(frame, view, width));
    return lines;
  }

  private static Line footer(View view, int from, int lines, int room) {
    if (view.typing()) {
      return Line.of(Tone.TITLE, "job or user: " + view.filter() + "_");
    }
    StringBuilder words = new StringBuilder();
    if (lines > room) {
      words.append(from + 1).append('-').append(Math.min(lines, from + room));
      words.append('/').append(lines).append("  ");
    }
    if (!view.filter().isEmpty()) {
      words.append("filter '").append(view.filter()).append("'  ");
    }
    words.append("every ").append(view.interval().toSeconds()).append(" s  ").append(KEYS);
    return Line.of(view.paused() ? Tone.WARN : Tone.DIM, words.toString());
  }
}
