package io.lapwing.dashboards;

import org.jspecify.annotations.Nullable;

/**
 * One column of a table.
 *
 * @param field a label, or {@code Value} of the only query, or {@code Value #A} of the first of
 *     several
 * @param title column header
 * @param link target of a click, or null
 * @param width in pixels, 0 where Grafana chooses
 */
public record Column(
    String field, String title, Unit unit, Scale scale, @Nullable Link link, int width) {

  public static Column of(String field, String title) {
    return new Column(field, title, Unit.WORD, Scale.PLAIN, null, 0);
  }

  public static Column of(String field, String title, Unit unit) {
    return new Column(field, title, unit, Scale.PLAIN, null, 0);
  }

  /** Opens the dashboard of the node. */
  public static Column node() {
    return of("instance", "Node").link(Link.NODE);
  }

  /** Opens the dashboard of the job. */
  public static Column job() {
    return of("job_id", "Job").link(Link.JOB);
  }

  public Column scale(Scale coloured) {
    return new Column(field, title, unit, coloured, link, width);
  }

  public Column link(Link to) {
    return new Column(field, title, unit, scale, to, width);
  }

  public Column width(int pixels) {
    return new Column(field, title, unit, scale, link, pixels);
  }
}
