package io.lapwing.dashboards;

import java.util.List;

/**
 * A row of panels with a title.
 *
 * @param folded collapsed at first; a collapsed row runs no queries
 */
public record Row(String title, boolean folded, List<Panel> panels) {

  public static Row of(String title, Panel... panels) {
    return new Row(title, false, List.of(panels));
  }

  public static Row folded(String title, Panel... panels) {
    return new Row(title, true, List.of(panels));
  }
}
