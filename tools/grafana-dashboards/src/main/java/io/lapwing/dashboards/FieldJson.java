package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code fieldConfig} of a panel. */
final class FieldJson {

  private FieldJson() {}

  static ObjectNode of(Panel panel) {
    Look look = panel.look();
    ObjectNode defaults =
        Json.object(
            "color",
            Json.object("mode", byLine(panel) ? "palette-classic" : "thresholds"),
            "custom",
            custom(panel));
    if (look.decimals() != null) {
      defaults.put("decimals", look.decimals());
    }
    if (look.link() != null) {
      defaults.set("links", Json.array(link(look.link())));
    }
    defaults.set("mappings", mappings(look.scale()));
    if (look.most() != null) {
      defaults.set("max", Json.object("max", look.most()).get("max"));
    }
    if (look.least() != null) {
      defaults.set("min", Json.object("min", look.least()).get("min"));
    }
    if (look.empty() != null) {
      defaults.put("noValue", look.empty());
    }
    defaults.set("thresholds", thresholds(look.scale()));
    defaults.put("unit", panel.unit().id());
    return Json.object("defaults", defaults, "overrides", overrides(panel));
  }

  private static boolean byLine(Panel panel) {
    return panel.kind() == Panel.Kind.LINES;
  }

  private static ObjectNode custom(Panel panel) {
    return switch (panel.kind()) {
      case LINES -> lines(panel);
      case STATES -> Json.object("fillOpacity", 80, "lineWidth", 0);
      case TABLE ->
          Json.object(
              "align",
              "auto",
              "cellOptions",
              Json.object("type", "auto"),
              "filterable",
              true,
              "inspect",
              false);
      case STAT, HEAT, BARS -> Json.object();
    };
  }

  private static ObjectNode lines(Panel panel) {
    boolean hasThresholds = panel.look().scale().steps().size() > 1;
    return Json.object(
        "axisPlacement",
        "auto",
        "drawStyle",
        "line",
        "fillOpacity",
        panel.look().stacked() ? 40 : panel.look().bands() ? 0 : 8,
        "lineInterpolation",
        "linear",
        "lineWidth",
        1,
        "showPoints",
        "auto",
        "spanNulls",
        false,
        "stacking",
        Json.object("group", "A", "mode", panel.look().stacked() ? "normal" : "none"),
        "thresholdsStyle",
        Json.object("mode", hasThresholds ? "dashed" : "off"));
  }

  private static ArrayNode overrides(Panel panel) {
    return panel.look().bands()
        ? Json.array(band("max", "min", 6), band("p90", "p10", 16))
        : Json.array(panel.columns().stream().map(FieldJson::override).toList());
  }

  /** Fills the space between two lines. */
  private static ObjectNode band(String upper, String lower, int opacity) {
    return Json.object(
        "matcher",
        Json.object("id", "byName", "options", upper),
        "properties",
        Json.array(
            Json.object("id", "custom.fillBelowTo", "value", lower),
            Json.object("id", "custom.fillOpacity", "value", opacity)));
  }

  private static ObjectNode override(Column column) {
    List<JsonNode> properties = new ArrayList<>();
    properties.add(Json.object("id", "unit", "value", column.unit().id()));
    Scale scale = column.scale();
    if (!scale.words().isEmpty()) {
      properties.add(Json.object("id", "mappings", "value", mappings(scale)));
    }
    if (scale.steps().size() > 1) {
      properties.add(Json.object("id", "thresholds", "value", thresholds(scale)));
    }
    if (!scale.equals(Scale.PLAIN)) {
      properties.add(
          Json.object("id", "custom.cellOptions", "value", Json.object("type", "color-text")));
    }
    if (!column.links().isEmpty()) {
      properties.add(
          Json.object(
              "id",
              "links",
              "value",
              Json.array(column.links().stream().map(FieldJson::link).toList())));
    }
    if (column.width() > 0) {
      properties.add(Json.object("id", "custom.width", "value", column.width()));
    }
    return Json.object(
        "matcher",
        Json.object("id", "byName", "options", column.title()),
        "properties",
        Json.array(properties));
  }

  private static ObjectNode link(Link link) {
    return Json.object("targetBlank", link.leaves(), "title", link.title(), "url", link.url());
  }

  private static ArrayNode mappings(Scale scale) {
    if (scale.words().isEmpty()) {
      return Json.array();
    }
    Map<String, ObjectNode> options = new LinkedHashMap<>();
    for (Scale.Word word : scale.words()) {
      options.put(
          word.value(),
          Json.object("color", word.color(), "index", options.size(), "text", word.text()));
    }
    return Json.array(Json.object("options", Json.map(options), "type", "value"));
  }

  private static ObjectNode thresholds(Scale scale) {
    List<ObjectNode> steps =
        scale.steps().stream()
            .map(step -> Json.object("color", step.color(), "value", step.from()))
            .toList();
    return Json.object("mode", "absolute", "steps", Json.array(steps));
  }
}
