package io.lapwing.dashboards;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code options} of a panel, by panel type. */
final class OptionsJson {

  private OptionsJson() {}

  static ObjectNode of(Panel panel) {
    return switch (panel.kind()) {
      case STAT -> stat(panel);
      case TABLE -> table(panel);
      case LINES -> lines(panel);
      case STATES -> states();
      case HEAT -> heat(panel);
      case BARS -> bars();
    };
  }

  private static ObjectNode latest() {
    return Json.object("calcs", Json.words(List.of("lastNotNull")), "fields", "", "values", false);
  }

  private static ObjectNode stat(Panel panel) {
    boolean one = panel.queries().get(0).legend().isEmpty();
    return Json.object(
        "colorMode",
        panel.look().scale().equals(Scale.PLAIN) ? "none" : "background",
        "graphMode",
        "none",
        "justifyMode",
        "auto",
        "orientation",
        "auto",
        "reduceOptions",
        latest(),
        "showPercentChange",
        false,
        "textMode",
        one ? "value" : "value_and_name",
        "wideLayout",
        true);
  }

  private static ObjectNode table(Panel panel) {
    return Json.object(
        "cellHeight",
        "sm",
        "footer",
        Json.object("countRows", false, "reducer", Json.words(List.of("sum")), "show", false),
        "frameIndex",
        0,
        "showHeader",
        true,
        "sortBy",
        sortBy(panel));
  }

  /** Sorts descending by the first numeric column. */
  private static ArrayNode sortBy(Panel panel) {
    return panel.columns().stream()
        .filter(column -> column.field().startsWith("Value"))
        .findFirst()
        .map(column -> Json.array(Json.object("desc", true, "displayName", column.title())))
        .orElseGet(Json::array);
  }

  private static ObjectNode lines(Panel panel) {
    return Json.object(
        "legend",
        Json.object(
            "calcs",
            Json.words(List.of("lastNotNull", "max")),
            "displayMode",
            "table",
            "placement",
            panel.width() >= 24 ? "right" : "bottom",
            "showLegend",
            true,
            "sortBy",
            "Last *",
            "sortDesc",
            true),
        "tooltip",
        Json.object("mode", "multi", "sort", "desc"));
  }

  private static ObjectNode states() {
    return Json.object(
        "alignValue",
        "left",
        "legend",
        Json.object(
            "calcs",
            Json.array(),
            "displayMode",
            "list",
            "placement",
            "bottom",
            "showLegend",
            true),
        "mergeValues",
        true,
        "rowHeight",
        0.85,
        "showValue",
        "auto",
        "tooltip",
        Json.object("mode", "single", "sort", "none"));
  }

  private static ObjectNode heat(Panel panel) {
    return Json.object(
        "calculate",
        false,
        "cellGap",
        1,
        "color",
        colors(panel),
        "exemplars",
        Json.object("color", "rgba(255,0,255,0.7)"),
        "filterValues",
        Json.object("le", 1e-9),
        "legend",
        Json.object("show", true),
        "rowsFrame",
        Json.object("layout", "auto"),
        "showValue",
        "never",
        "tooltip",
        Json.object("mode", "single", "showColorScale", false, "yHistogram", false),
        "yAxis",
        Json.object("axisPlacement", "left", "reverse", false, "unit", panel.unit().id()));
  }

  /** Darker for higher values; from and to the bounds of the panel, if it has any. */
  private static ObjectNode colors(Panel panel) {
    ObjectNode colors =
        Json.object(
            "exponent",
            0.5,
            "fill",
            "dark-orange",
            "mode",
            "scheme",
            "reverse",
            false,
            "scale",
            "exponential",
            "scheme",
            "Oranges",
            "steps",
            64);
    panelBound(colors, "min", panel.look().least());
    panelBound(colors, "max", panel.look().most());
    return colors;
  }

  private static void panelBound(ObjectNode colors, String name, @Nullable Double bound) {
    if (bound != null) {
      colors.put(name, bound);
    }
  }

  private static ObjectNode bars() {
    return Json.object(
        "displayMode",
        "basic",
        "maxVizHeight",
        40,
        "minVizHeight",
        16,
        "minVizWidth",
        0,
        "namePlacement",
        "left",
        "orientation",
        "horizontal",
        "reduceOptions",
        latest(),
        "showUnfilled",
        true,
        "sizing",
        "auto",
        "valueMode",
        "text");
  }
}
