package io.lapwing.dashboards;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Grafana's JSON of a dashboard, for 10.4 (the version in Amazon Managed Grafana) and later. */
final class DashboardJson {

  /** Grafana 10.4; later versions migrate it. */
  static final int SCHEMA_VERSION = 39;

  private static final int COLUMNS = 24;

  private DashboardJson() {}

  static String text(Dashboard dashboard) {
    DefaultPrettyPrinter printer =
        new DefaultPrettyPrinter()
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));
    try {
      return new ObjectMapper().writer(printer).writeValueAsString(of(dashboard)) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static ObjectNode of(Dashboard dashboard) {
    return Json.object(
        "id",
        null,
        "uid",
        dashboard.uid(),
        "title",
        dashboard.title(),
        "description",
        dashboard.description(),
        "tags",
        Json.words(List.of(Dashboard.TAG)),
        "schemaVersion",
        SCHEMA_VERSION,
        "editable",
        false,
        "graphTooltip",
        1,
        "time",
        Json.object("from", dashboard.from(), "to", "now"),
        "timezone",
        "browser",
        "refresh",
        dashboard.refresh(),
        "annotations",
        Json.object(
            "list", Json.array(dashboard.annotations().stream().map(Annotation::json).toList())),
        "links",
        Json.array(links(dashboard)),
        "templating",
        Json.object(
            "list", Json.array(dashboard.variables().stream().map(VariableJson::of).toList())),
        "panels",
        panels(dashboard));
  }

  static ObjectNode dataSource() {
    return Json.object("type", "prometheus", "uid", "${datasource}");
  }

  /** Links to the other dashboards, the node's own pages, and other pages for a platform team. */
  private static List<ObjectNode> links(Dashboard dashboard) {
    List<ObjectNode> links = new ArrayList<>(List.of(toTheOthers()));
    if (dashboard.variables().contains(Variable.ONE_NODE)) {
      links.add(outside("Web UI", "The agent's own pages on the node", "http://${node}:9754/ui"));
    }
    links.add(companion("Host (1860)", "Node Exporter Full: CPU, memory, disks and network", 1860));
    links.add(
        companion("Slurm (4323)", "Queue and node states, by prometheus-slurm-exporter", 4323));
    links.add(
        companion("FSx server (20906)", "FSx for Lustre by CloudWatch: the server side", 20906));
    return links;
  }

  private static ObjectNode companion(String title, String tooltip, int number) {
    return outside(title, tooltip, "https://grafana.com/grafana/dashboards/" + number);
  }

  private static ObjectNode outside(String title, String tooltip, String url) {
    return Json.object(
        "asDropdown",
        false,
        "icon",
        "external link",
        "includeVars",
        false,
        "keepTime",
        false,
        "tags",
        Json.array(),
        "targetBlank",
        true,
        "title",
        title,
        "tooltip",
        tooltip,
        "type",
        "link",
        "url",
        url);
  }

  private static ObjectNode toTheOthers() {
    return Json.object(
        "asDropdown",
        false,
        "icon",
        "external link",
        "includeVars",
        true,
        "keepTime",
        true,
        "tags",
        Json.words(List.of(Dashboard.TAG)),
        "targetBlank",
        false,
        "title",
        "Lapwing",
        "tooltip",
        "The other dashboards, with what was chosen here",
        "type",
        "dashboards",
        "url",
        "");
  }

  /** Places panels left to right and wraps to the next line; rows follow each other. */
  private static ArrayNode panels(Dashboard dashboard) {
    List<JsonNode> all = new ArrayList<>();
    int id = 1;
    int y = 0;
    for (Row row : dashboard.rows()) {
      List<JsonNode> inside = new ArrayList<>();
      int rowId = id++;
      int x = 0;
      int top = y + 1;
      int bottom = top;
      for (Panel panel : row.panels()) {
        if (x + panel.width() > COLUMNS) {
          x = 0;
          top = bottom;
        }
        inside.add(PanelJson.of(panel, id++, x, top));
        x += panel.width();
        bottom = Math.max(bottom, top + panel.height());
      }
      all.add(row(row, rowId, y, row.folded() ? inside : List.of()));
      if (row.folded()) {
        y++;
      } else {
        all.addAll(inside);
        y = bottom;
      }
    }
    return Json.array(all);
  }

  private static ObjectNode row(Row row, int id, int y, List<JsonNode> inside) {
    return Json.object(
        "id",
        id,
        "type",
        "row",
        "title",
        row.title(),
        "collapsed",
        row.folded(),
        "gridPos",
        Json.object("h", 1, "w", COLUMNS, "x", 0, "y", y),
        "panels",
        Json.array(inside));
  }
}
