package io.lapwing.agent.top;

import io.lapwing.agent.top.Line.Span;
import io.lapwing.agent.top.Line.Tone;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Rows in columns as wide as their content; what does not fit is left out by its rank. */
final class Table {

  private static final int GAP = 1;

  private Table() {}

  /**
   * A column.
   *
   * @param right whether it is aligned to the right
   * @param rank 0 if it is always shown; of the others the highest is left out first
   * @param always whether it is shown even if no row has a value
   */
  record Column(String title, boolean right, int rank, boolean always) {

    /** Of numbers; left out if no row has one. */
    static Column number(String title, int rank) {
      return new Column(title, true, rank, false);
    }

    /** Of text; left out if no row has any. */
    static Column text(String title, int rank) {
      return new Column(title, false, rank, false);
    }

    /** Identifies the row. */
    static Column key(String title) {
      return new Column(title, false, 0, true);
    }
  }

  /** A title line and a line for each row, none wider than {@code width}. */
  static List<Line> of(List<Column> columns, List<List<Span>> rows, int width) {
    List<Integer> shown = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).always() || hasValue(rows, i)) {
        shown.add(i);
      }
    }
    while (width(shown, columns, rows) > width && leaveOut(shown, columns)) {
      // Until it fits, or only what is always shown is left.
    }
    List<Line> lines = new ArrayList<>();
    lines.add(line(shown, columns, rows, titles(columns)).in(Tone.DIM).cut(width));
    rows.forEach(row -> lines.add(line(shown, columns, rows, row).cut(width)));
    return lines;
  }

  private static List<Span> titles(List<Column> columns) {
    return columns.stream().map(column -> Span.of(column.title())).toList();
  }

  private static boolean hasValue(List<List<Span>> rows, int column) {
    return rows.stream()
        .map(row -> row.get(column).text())
        .anyMatch(text -> !text.isEmpty() && !text.equals(Quantity.NONE));
  }

  private static boolean leaveOut(List<Integer> shown, List<Column> columns) {
    int worst = -1;
    for (int i = 0; i < shown.size(); i++) {
      int rank = columns.get(shown.get(i)).rank();
      if (rank > 0 && (worst < 0 || rank > columns.get(shown.get(worst)).rank())) {
        worst = i;
      }
    }
    if (worst >= 0) {
      shown.remove(worst);
    }
    return worst >= 0;
  }

  private static int width(List<Integer> shown, List<Column> columns, List<List<Span>> rows) {
    int cells = shown.stream().mapToInt(column -> widest(column, columns, rows)).sum();
    return cells + GAP * Math.max(0, shown.size() - 1);
  }

  private static int widest(int column, List<Column> columns, List<List<Span>> rows) {
    return IntStream.concat(
            IntStream.of(columns.get(column).title().length()),
            rows.stream().mapToInt(row -> row.get(column).text().length()))
        .max()
        .orElse(0);
  }

  private static Line line(
      List<Integer> shown, List<Column> columns, List<List<Span>> rows, List<Span> cells) {
    List<Span> line = new ArrayList<>();
    for (int i = 0; i < shown.size(); i++) {
      int column = shown.get(i);
      Span cell = cells.get(column);
      String space = " ".repeat(widest(column, columns, rows) - cell.text().length());
      boolean right = columns.get(column).right();
      String gap = i == 0 ? "" : " ".repeat(GAP);
      line.add(Span.of(gap + (right ? space : "")));
      line.add(cell);
      if (!right && i < shown.size() - 1) {
        line.add(Span.of(space));
      }
    }
    return new Line(line);
  }
}
