package io.lapwing.dashboards;

import java.util.List;
import java.util.stream.Stream;

/** One query and its panel. */
record PanelQuery(Dashboard dashboard, Row row, Panel panel, Query query) {

  /** Every query of every panel of every dashboard. */
  static List<PanelQuery> all() {
    return DashboardFiles.all().stream().flatMap(PanelQuery::of).toList();
  }

  static Stream<PanelQuery> of(Dashboard dashboard) {
    return dashboard.rows().stream()
        .flatMap(
            row ->
                row.panels().stream()
                    .flatMap(
                        panel ->
                            panel.queries().stream()
                                .map(query -> new PanelQuery(dashboard, row, panel, query))));
  }

  @Override
  public String toString() {
    return dashboard.title() + " > " + panel.title() + " > " + query.expr();
  }
}
