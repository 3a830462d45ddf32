package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;

/** Grafana's JSON of a variable. */
final class VariableJson {

  private static final int SHOWN = 0;
  private static final int HIDDEN = 2;

  /** With the dashboard, or when its time range changes. */
  private static final int ON_LOAD = 1;

  private static final int ON_TIME_RANGE = 2;

  private VariableJson() {}

  static ObjectNode of(Variable variable) {
    return switch (variable.kind()) {
      case DATASOURCE -> source(variable);
      case QUERY -> query(variable);
      case CUSTOM -> custom(variable);
      case CONSTANT -> constant(variable);
    };
  }

  private static ObjectNode named(Variable variable, String type, int hide) {
    return Json.object(
        "type", type, "name", variable.name(), "label", variable.label(), "hide", hide);
  }

  private static ObjectNode source(Variable variable) {
    ObjectNode json = named(variable, "datasource", SHOWN);
    json.put("query", variable.query());
    json.put("includeAll", false);
    json.put("multi", false);
    json.put("refresh", ON_LOAD);
    return json;
  }

  private static ObjectNode query(Variable variable) {
    ObjectNode json = named(variable, "query", SHOWN);
    json.set("datasource", DashboardJson.dataSource());
    json.set(
        "query", Json.object("query", variable.query(), "refId", "Variable-" + variable.name()));
    json.put("includeAll", variable.several());
    json.put("multi", variable.several());
    json.put("refresh", ON_TIME_RANGE);
    json.put("sort", variable.order().number());
    if (!variable.text().isEmpty()) {
      json.put("regex", variable.text());
    }
    if (variable.several()) {
      json.put("allValue", variable.all());
      json.set("current", Json.object("selected", true, "text", "All", "value", "$__all"));
    } else if (!variable.chosen().isEmpty()) {
      json.set(
          "current",
          Json.object(
              "selected",
              true,
              "text",
              variable.chosen().get(1),
              "value",
              variable.chosen().get(0)));
    }
    return json;
  }

  private static ObjectNode custom(Variable variable) {
    ObjectNode json = named(variable, "custom", SHOWN);
    json.put("query", variable.query());
    json.put("includeAll", variable.several());
    json.put("multi", variable.several());
    List<ObjectNode> options =
        Arrays.stream(variable.query().split(",")).map(one -> option(variable, one)).toList();
    if (variable.several()) {
      json.put("allValue", variable.all());
      json.set(
          "current",
          Json.object(
              "selected",
              true,
              "text",
              Json.words(variable.chosen()),
              "value",
              Json.words(variable.chosen())));
    } else {
      ObjectNode first = options.get(0).deepCopy();
      first.put("selected", true);
      json.set("current", first);
    }
    json.set("options", Json.array(options));
    return json;
  }

  private static ObjectNode option(Variable variable, String one) {
    String[] parts = one.split(" : ", 2);
    String value = parts[parts.length - 1];
    boolean first = !variable.several() && variable.query().startsWith(one);
    return Json.object(
        "selected", first || variable.chosen().contains(value), "text", parts[0], "value", value);
  }

  private static ObjectNode constant(Variable variable) {
    ObjectNode json = named(variable, "constant", HIDDEN);
    json.put("query", variable.query());
    json.put("skipUrlSync", true);
    json.set(
        "current",
        Json.object("selected", true, "text", variable.query(), "value", variable.query()));
    return json;
  }
}
