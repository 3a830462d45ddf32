package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a dashboard asks Prometheus for, in its order; variables as the values that they take. */
record GrafanaQueries(List<Asked> all) {

  /** A variable's query as PromQL: the families behind {@code label_values(FAMILY, LABEL)}. */
  private static final Pattern LABEL_VALUES =
      Pattern.compile("label_values\\((?<family>.+),\\s*(?<label>\\w+)\\)");

  private static final Pattern IN_LEGEND = Pattern.compile("\\{\\{\\s*(\\w+)\\s*}}");

  /**
   * One query.
   *
   * @param expr without variables
   * @param legend the labels that its legend names
   */
  record Asked(String title, String expr, List<String> legend) {}

  /** Of a dashboard in JSON; each variable is replaced by its value here. */
  static GrafanaQueries of(String json, Map<String, String> values) throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(json);
    List<Asked> all = new ArrayList<>();
    panels(dashboard, values, all);
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      JsonNode query = variable.path("query");
      String text = query.isTextual() ? query.asText() : query.path("query").asText();
      Matcher labels = LABEL_VALUES.matcher(text);
      if (labels.matches()) {
        String expr = "group by (" + labels.group("label") + ") (" + labels.group("family") + ")";
        all.add(new Asked("$" + variable.path("name").asText(), expr, List.of()));
      }
    }
    return new GrafanaQueries(List.copyOf(all));
  }

  private static void panels(JsonNode parent, Map<String, String> values, List<Asked> all) {
    for (JsonNode panel : parent.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String expr = target.path("expr").asText();
        for (Map.Entry<String, String> value : values.entrySet()) {
          expr = expr.replace("$" + value.getKey(), value.getValue());
        }
        List<String> legend =
            IN_LEGEND
                .matcher(target.path("legendFormat").asText())
                .results()
                .map(found -> found.group(1))
                .toList();
        all.add(new Asked(panel.path("title").asText(), expr.strip(), legend));
      }
      panels(panel, values, all);
    }
  }
}
