package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import io.lapwing.stack.Prometheus;
import io.lapwing.stack.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** A static HTML preview of a dashboard with values from Prometheus. */
final class Preview {

  private static final String STYLE =
      """
      body{background:#111217;color:#ccccdc;font:12px/1.35 system-ui,sans-serif;margin:10px}
      h1{font-size:18px;margin:4px 0}.vars span{background:#22252b;padding:3px 8px;margin-right:6px;border-radius:3px}
      .grid{display:grid;grid-template-columns:repeat(24,1fr);grid-auto-rows:36px;gap:6px;margin-top:8px}
      .row{align-self:end;font-size:15px;font-weight:600}
      .panel{background:#181b1f;border:1px solid #2c2f36;border-radius:3px;padding:4px 8px;overflow:hidden;display:flex;flex-direction:column;min-height:0;min-width:0}
      .title{font-weight:600;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
      .body{flex:1;overflow:hidden;min-height:0}
      table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:2px 8px 2px 0;border-bottom:1px solid #2c2f36;white-space:nowrap}th{color:#6e9fff}
      .stat{height:100%;display:flex;align-items:center;justify-content:space-evenly;text-align:center;border-radius:3px;font-size:22px;font-weight:600}
      .stat small{display:block;font-size:11px;font-weight:400}.legend{font-size:10px;color:#aaa}.legend span{margin-right:10px;white-space:nowrap}
      .none{color:#888;padding:14px}.state{display:flex;align-items:center;height:20px}.state b{font-weight:400;width:38%;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;font-size:11px}
      svg{display:block;width:100%}
      """;

  private final Prometheus prometheus;
  private final Dashboard dashboard;
  private final Chosen chosen;
  private final List<PreviewPanel.Mark> marks;

  Preview(Prometheus prometheus, Dashboard dashboard) {
    this.prometheus = prometheus;
    this.dashboard = dashboard.unfolded();
    this.chosen =
        dashboard.uid().equals("lapwing-node")
            ? DashboardDataTest.SHORT.with("$node", "node-broken")
            : DashboardDataTest.SHORT;
    this.marks = marks();
  }

  String html() {
    StringBuilder html = new StringBuilder("<!DOCTYPE html><meta charset=utf-8><title>");
    html.append(dashboard.title()).append("</title><style>").append(STYLE).append("</style><h1>");
    html.append(dashboard.title()).append("</h1><div class=vars>");
    for (Variable variable : dashboard.variables()) {
      String value = chosen.values().getOrDefault("$" + variable.name(), "Prometheus");
      html.append("<span>").append(variable.label()).append(": ");
      html.append(value.startsWith(".") ? "All" : value).append("</span>");
    }
    html.append("</div><div class=grid>");
    Iterator<Panel> panels = dashboard.panels().iterator();
    for (JsonNode node : DashboardJson.of(dashboard).path("panels")) {
      html.append(
          node.path("type").asText().equals("row") ? row(node) : panel(node, panels.next()));
    }
    return html.append("</div>").toString();
  }

  private static String place(JsonNode node, String kind) {
    JsonNode grid = node.path("gridPos");
    return "<div class=%s style='grid-column:%d/span %d;grid-row:%d/span %d'>"
        .formatted(
            kind,
            grid.path("x").asInt() + 1,
            grid.path("w").asInt(),
            grid.path("y").asInt() + 1,
            grid.path("h").asInt());
  }

  private static String row(JsonNode node) {
    return place(node, "row") + "&#9662; " + node.path("title").asText() + "</div>";
  }

  private List<PreviewPanel.Mark> marks() {
    List<PreviewPanel.Mark> marks = new ArrayList<>();
    Instant now = Instant.now();
    for (Annotation annotation : dashboard.annotations()) {
      if (annotation.enabled()) {
        String expr = chosen.fill(annotation.expr());
        prometheus.queryRange(expr, now.minusSeconds(300), now, Duration.ofSeconds(15)).stream()
            .flatMap(series -> series.points().stream())
            .map(point -> annotation.dated() ? (long) point.value() : point.at().toEpochMilli())
            .distinct()
            .forEach(at -> marks.add(new PreviewPanel.Mark(at, annotation.color())));
      }
    }
    return marks;
  }

  private String panel(JsonNode node, Panel panel) {
    List<List<Series>> answers = new ArrayList<>();
    for (Query query : panel.queries()) {
      answers.add(DashboardDataTest.answer(prometheus, query, chosen));
    }
    return place(node, "panel")
        + "<div class=title>"
        + panel.title()
        + "</div><div class=body>"
        + new PreviewPanel(panel, answers, marks).html()
        + "</div></div>";
  }
}
