package io.lapwing.dashboards;

import java.util.List;
import java.util.stream.Stream;

/**
 * One column of a table.
 *
 * @param field a label, or {@code Value} of the only query, or {@code Value #A} of the first of
 *     several
 * @param title column header
 * @param links targets of a click
 * @param width in pixels, 0 where Grafana chooses
 */
public record Column(
    String field, String title, Unit unit, Scale scale, List<Link> links, int width) {

  public Column {
    links = List.copyOf(links);
  }

  public static Column of(String field, String title) {
    return of(field, title, Unit.WORD);
  }

  public static Column of(String field, String title, Unit unit) {
    return new Column(field, title, unit, Scale.PLAIN, List.of(), 0);
  }

  /** Opens the dashboard of the node, or its own page. */
  public static Column node() {
    return of("instance", "Node").link(Link.NODE).link(Link.WEB_UI);
  }

  /** Opens the dashboard of the job. */
  public static Column job() {
    return of("job_id", "Job").link(Link.JOB);
  }

  /** Opens the description of the rule. */
  public static Column rule() {
    return of("rule", "Rule").link(Link.RULE);
  }

  public Column scale(Scale coloured) {
    return new Column(field, title, unit, coloured, links, width);
  }

  public Column link(Link to) {
    return new Column(
        field, title, unit, scale, Stream.concat(links.stream(), Stream.of(to)).toList(), width);
  }

  public Column width(int pixels) {
    return new Column(field, title, unit, scale, links, pixels);
  }
}
