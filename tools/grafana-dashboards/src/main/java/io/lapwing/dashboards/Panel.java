package io.lapwing.dashboards;

import java.util.List;

/**
 * One panel.
 *
 * @param width of 24 columns
 * @param height in rows of about 30 pixels
 * @param columns of a table
 */
public record Panel(
    Kind kind,
    String title,
    String description,
    Unit unit,
    int width,
    int height,
    Look look,
    List<Column> columns,
    List<Query> queries) {

  /** Grafana's type of panel. */
  public enum Kind {
    STAT("stat"),
    TABLE("table"),
    LINES("timeseries"),
    STATES("state-timeline"),
    HEAT("heatmap"),
    BARS("bargauge");

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    public String type() {
      return type;
    }
  }

  private static Panel of(
      Kind kind, String title, String description, Unit unit, Query... queries) {
    return new Panel(
        kind, title, description, unit, 12, 8, Look.PLAIN, List.of(), List.of(queries));
  }

  /** One big number, or one for each series. */
  public static Panel stat(String title, String description, Unit unit, Query... queries) {
    return of(Kind.STAT, title, description, unit, queries).size(3, 4);
  }

  public static Panel lines(String title, String description, Unit unit, Query... queries) {
    return of(Kind.LINES, title, description, unit, queries);
  }

  /** A bar of time for each series, coloured by its scale. */
  public static Panel states(String title, String description, Scale scale, Query... queries) {
    return of(Kind.STATES, title, description, Unit.WORD, queries).scale(scale).size(24, 8);
  }

  public static Panel heat(String title, String description, Unit unit, Query query) {
    return of(Kind.HEAT, title, description, unit, query);
  }

  /** A bar for each series, at the end of the time range. */
  public static Panel bars(String title, String description, Unit unit, Query... queries) {
    return of(Kind.BARS, title, description, unit, queries);
  }

  /** One row per series, sorted descending by the first numeric column. */
  public static Panel table(
      String title, String description, List<Column> columns, Query... queries) {
    Panel bare = of(Kind.TABLE, title, description, Unit.COUNT, queries);
    return new Panel(
        bare.kind, title, description, bare.unit, 12, 8, bare.look, columns, bare.queries);
  }

  public Panel size(int columnsWide, int rowsHigh) {
    return new Panel(kind, title, description, unit, columnsWide, rowsHigh, look, columns, queries);
  }

  private Panel look(Look other) {
    return new Panel(kind, title, description, unit, width, height, other, columns, queries);
  }

  public Panel scale(Scale scale) {
    return look(look.withScale(scale));
  }

  /** Text if the query returns no series, which is not an error. */
  public Panel whenEmpty(String text) {
    return look(look.withEmpty(text));
  }

  /** Stacked lines. */
  public Panel stacked() {
    return look(look.withStacked(true));
  }

  /** The lines of {@link Bands}. */
  public Panel bands() {
    return look(look.withBands());
  }

  public Panel from(double least) {
    return look(look.withLeast(least));
  }

  public Panel between(double least, double most) {
    return look(look.withLeast(least).withMost(most));
  }

  public Panel decimals(int digits) {
    return look(look.withDecimals(digits));
  }

  /** Target of a click on a line, a bar or a number. */
  public Panel link(Link link) {
    return look(look.withLink(link));
  }

  /** Minimum query interval, such as {@code 1m}. */
  public Panel interval(String least) {
    return look(look.withInterval(least));
  }
}
