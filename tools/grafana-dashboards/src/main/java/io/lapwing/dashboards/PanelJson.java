package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Grafana's JSON of a panel. */
final class PanelJson {

  private PanelJson() {}

  static ObjectNode of(Panel panel, int id, int x, int y) {
    ObjectNode json =
        Json.object(
            "id",
            id,
            "type",
            panel.kind().type(),
            "title",
            panel.title(),
            "description",
            panel.description(),
            "gridPos",
            Json.object("h", panel.height(), "w", panel.width(), "x", x, "y", y),
            "datasource",
            DashboardJson.dataSource());
    if (panel.look().interval() != null) {
      json.put("interval", panel.look().interval());
    }
    json.set("targets", targets(panel));
    if (panel.kind() == Panel.Kind.TABLE) {
      json.set("transformations", transformations(panel));
    }
    json.set("fieldConfig", FieldJson.of(panel));
    json.set("options", OptionsJson.of(panel));
    return json;
  }

  private static ArrayNode targets(Panel panel) {
    List<JsonNode> targets = new ArrayList<>();
    for (Query query : panel.queries()) {
      targets.add(target(query, String.valueOf((char) ('A' + targets.size()))));
    }
    return Json.array(targets);
  }

  private static ObjectNode target(Query query, String refId) {
    boolean instant = query.form().instant();
    ObjectNode target =
        Json.object(
            "refId",
            refId,
            "datasource",
            DashboardJson.dataSource(),
            "editorMode",
            "code",
            "expr",
            query.expr(),
            "format",
            query.form().format(),
            "instant",
            instant,
            "range",
            !instant);
    if (!query.legend().isEmpty()) {
      target.put("legendFormat", query.legend());
    }
    return target;
  }

  /** Merges the results of several queries into one table with the named columns in order. */
  private static ArrayNode transformations(Panel panel) {
    List<JsonNode> steps = new ArrayList<>();
    if (panel.queries().size() > 1) {
      steps.add(Json.object("id", "merge", "options", Json.object()));
    }
    List<String> fields = panel.columns().stream().map(Column::field).toList();
    steps.add(
        Json.object(
            "id",
            "filterFieldsByName",
            "options",
            Json.object("include", Json.object("names", Json.words(fields)))));
    steps.add(Json.object("id", "organize", "options", organize(panel.columns())));
    return Json.array(steps);
  }

  private static ObjectNode organize(List<Column> columns) {
    Map<String, Integer> order = new LinkedHashMap<>();
    Map<String, String> titles = new LinkedHashMap<>();
    for (Column column : columns) {
      order.put(column.field(), order.size());
      titles.put(column.field(), column.title());
    }
    return Json.object(
        "excludeByName",
        Json.object(),
        "indexByName",
        Json.map(order),
        "renameByName",
        Json.map(titles));
  }
}
