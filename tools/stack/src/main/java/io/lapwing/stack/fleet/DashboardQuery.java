package io.lapwing.stack.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One query of a dashboard, with its variables filled in.
 *
 * @param dashboard its title
 * @param panel its title
 * @param instant an instant query rather than a range query
 */
record DashboardQuery(String dashboard, String panel, String expression, boolean instant) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([A-Za-z_]+)(?::[a-z]+)?}?");
  private static final Pattern RECORDED = Pattern.compile("[a-z_]+:[a-zA-Z_]+:[a-z0-9_]+");
  private static final Pattern RAW = Pattern.compile("\\b(?:lapwing|DCGM|node|jvm|process)_\\w+");

  /** Whether it reads only recorded series of Lapwing. */
  boolean onRecorded() {
    String others = RECORDED.matcher(expression).replaceAll("");
    return !others.equals(expression) && !RAW.matcher(others).find();
  }

  /**
   * The queries of all dashboards in a folder.
   *
   * @param chosen values of variables with a single choice; the others are All
   */
  static List<DashboardQuery> in(Path folder, Map<String, String> chosen) throws IOException {
    List<DashboardQuery> queries = new ArrayList<>();
    for (Path file : KeepList.files(folder, ".json")) {
      JsonNode dashboard = JSON.readTree(file.toFile());
      Map<String, String> values = values(dashboard, chosen);
      collect(dashboard.path("title").asText(), dashboard.path("panels"), values, queries);
    }
    return queries;
  }

  private static Map<String, String> values(JsonNode dashboard, Map<String, String> chosen) {
    Map<String, String> values = new HashMap<>(chosen);
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      if (variable.path("includeAll").asBoolean()) {
        String all = variable.path("allValue").asText();
        values.put(variable.path("name").asText(), all.isEmpty() ? ".+" : all);
      }
    }
    return values;
  }

  private static void collect(
      String dashboard, JsonNode panels, Map<String, String> values, List<DashboardQuery> into) {
    for (JsonNode panel : panels) {
      for (JsonNode target : panel.path("targets")) {
        String expression = filled(target.path("expr").asText(), values);
        if (!expression.isBlank()) {
          boolean instant = target.path("instant").asBoolean();
          into.add(
              new DashboardQuery(dashboard, panel.path("title").asText(), expression, instant));
        }
      }
      collect(dashboard, panel.path("panels"), values, into);
    }
  }

  private static String filled(String expression, Map<String, String> values) {
    return VARIABLE
        .matcher(expression)
        .replaceAll(
            variable -> Matcher.quoteReplacement(values.getOrDefault(variable.group(1), ".+")));
  }
}
