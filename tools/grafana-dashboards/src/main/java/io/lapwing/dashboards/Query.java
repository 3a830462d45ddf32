package io.lapwing.dashboards;

/**
 * One query of a panel.
 *
 * @param expr PromQL, with Grafana's variables
 * @param legend name of a line, with {@code {{label}}}s; unused in tables
 * @param form Grafana's query type and result format
 */
public record Query(String expr, String legend, Form form) {

  /** Grafana's query type and result format. */
  public enum Form {
    /** Over the whole time range: lines. */
    RANGE("time_series", false),
    /** Over the whole time range, each series the count of one bucket. */
    BUCKETS("heatmap", false),
    /** At the end of the time range: one number for each series. */
    LATEST("time_series", true),
    /** At the end of the time range: one line of a table for each series. */
    ROWS("table", true);

    private final String format;
    private final boolean instant;

    Form(String format, boolean instant) {
      this.format = format;
      this.instant = instant;
    }

    public String format() {
      return format;
    }

    public boolean instant() {
      return instant;
    }
  }

  public static Query lines(String expr, String legend) {
    return new Query(Selectors.fill(expr), legend, Form.RANGE);
  }

  /** For a histogram: each series is a bucket. */
  public static Query buckets(String expr) {
    return new Query(Selectors.fill(expr), "{{le}}", Form.BUCKETS);
  }

  public static Query latest(String expr, String legend) {
    return new Query(Selectors.fill(expr), legend, Form.LATEST);
  }

  public static Query rows(String expr) {
    return new Query(Selectors.fill(expr), "", Form.ROWS);
  }
}
