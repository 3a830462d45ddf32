package io.lapwing.dashboards;

import io.lapwing.stack.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A table about as Grafana makes it: answers become one by the labels that all of them have.
 *
 * @param answers of each query
 */
record PreviewTable(Panel panel, List<List<Series>> answers) {

  private static final int MOST = 12;

  private record Line(Map<String, String> labels, Map<String, Double> values) {

    double value(String field) {
      return values.getOrDefault(field, Double.NEGATIVE_INFINITY);
    }
  }

  String html() {
    List<Line> lines = lines();
    panel.columns().stream()
        .map(Column::field)
        .filter(field -> field.startsWith("Value"))
        .findFirst()
        .ifPresent(
            field ->
                lines.sort(
                    Comparator.comparingDouble((Line line) -> line.value(field)).reversed()));
    StringBuilder html = new StringBuilder("<table><tr>");
    panel.columns().forEach(column -> html.append("<th>").append(column.title()).append("</th>"));
    for (Line line : lines.subList(0, Math.min(lines.size(), MOST))) {
      html.append("</tr><tr>");
      panel.columns().forEach(column -> html.append(cell(column, line)));
    }
    return html.append("</tr></table>").toString();
  }

  private List<Line> lines() {
    Set<String> shared = shared();
    Map<Map<String, String>, Line> lines = new LinkedHashMap<>();
    for (int i = 0; i < answers.size(); i++) {
      String field = answers.size() == 1 ? "Value" : "Value #" + (char) ('A' + i);
      for (Series series : answers.get(i)) {
        Map<String, String> key = new LinkedHashMap<>(series.labels());
        key.keySet().retainAll(shared);
        Line line =
            lines.computeIfAbsent(
                key, none -> new Line(new LinkedHashMap<>(), new LinkedHashMap<>()));
        line.labels().putAll(series.labels());
        line.values().put(field, series.value());
      }
    }
    return new ArrayList<>(lines.values());
  }

  private Set<String> shared() {
    Set<String> shared = new HashSet<>();
    answers.forEach(answer -> answer.forEach(one -> shared.addAll(one.labels().keySet())));
    for (List<Series> answer : answers) {
      answer.forEach(one -> shared.retainAll(one.labels().keySet()));
    }
    return shared;
  }

  private static String cell(Column column, Line line) {
    Double value = line.values().get(column.field());
    String label = line.labels().getOrDefault(column.field(), "");
    String text =
        value != null
            ? Words.of(column.unit(), column.scale(), value)
            : Words.word(column.scale(), label).map(Scale.Word::text).orElse(label);
    String color =
        value != null
            ? Words.color(column.scale(), value)
            : Words.word(column.scale(), label).map(Scale.Word::color).orElse("");
    boolean plain = column.scale().equals(Scale.PLAIN);
    String written = column.links().isEmpty() ? text : "<u>" + text + "</u>";
    return "<td style='color:" + (plain ? "inherit" : light(color)) + "'>" + written + "</td>";
  }

  private static String light(String color) {
    return switch (color) {
      case "green" -> "#73bf69";
      case "red" -> "#ff5c6c";
      case "yellow" -> "#f2cc0c";
      case "orange" -> "#ff9830";
      case "purple" -> "#ca95e5";
      case "blue" -> "#8ab8ff";
      default -> "#ccc";
    };
  }
}
