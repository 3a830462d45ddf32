package io.lapwing.dashboards;

import io.lapwing.stack.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What one panel shows, drawn about as Grafana draws it.
 *
 * @param answers of each query
 * @param marks the dashboard's annotations
 */
record PreviewPanel(Panel panel, List<List<Series>> answers, List<Mark> marks) {

  /** A vertical line. */
  record Mark(long millis, String color) {}

  private static final List<String> COLORS =
      List.of(
          "#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#705da0",
          "#37872d", "#fade2a");

  private static final Map<String, String> NAMED =
      Map.of(
          "green", "#2d7d3a", "red", "#c4162a", "yellow", "#b08a00", "orange", "#d45b07", "purple",
          "#7d4fb3", "blue", "#2a5fc4", "gray", "#555");

  private static final long WINDOW = 300_000;

  private record Line(String name, Series series) {}

  String html() {
    if (answers.stream().allMatch(List::isEmpty)) {
      String empty = panel.look().empty();
      return "<div class=none>" + (empty == null ? "No data" : empty) + "</div>";
    }
    return switch (panel.kind()) {
      case STAT -> stat();
      case TABLE -> new PreviewTable(panel, answers).html();
      case LINES -> lines();
      case STATES -> states();
      case HEAT -> heat();
      case BARS -> bars();
    };
  }

  private List<Line> all() {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < answers.size(); i++) {
      String legend = DashboardDataTest.SHORT.fill(panel.queries().get(i).legend());
      for (Series series : answers.get(i)) {
        String name = legend;
        for (Map.Entry<String, String> label : series.labels().entrySet()) {
          name = name.replace("{{" + label.getKey() + "}}", label.getValue());
        }
        lines.add(new Line(name.replaceAll("\\{\\{\\w+}}", ""), series));
      }
    }
    return lines;
  }

  private String text(double value) {
    return Words.of(panel.unit(), panel.look().scale(), value);
  }

  private String stat() {
    StringBuilder html = new StringBuilder();
    boolean hasThresholds = !panel.look().scale().equals(Scale.PLAIN);
    for (Line line : all()) {
      double value = line.series().value();
      html.append("<div>")
          .append(text(value))
          .append("<small>")
          .append(line.name())
          .append("</small></div>");
    }
    String color =
        NAMED.getOrDefault(
            Words.color(panel.look().scale(), all().get(0).series().value()), "#333");
    return "<div class=stat style='background:"
        + (hasThresholds ? color : "none")
        + "'>"
        + html
        + "</div>";
  }

  private static double x(long millis, long end) {
    return 100.0 * (millis - (end - WINDOW)) / WINDOW;
  }

  private long end() {
    return all().stream()
        .flatMap(line -> line.series().points().stream())
        .mapToLong(point -> point.at().toEpochMilli())
        .max()
        .orElse(0);
  }

  private String lines() {
    List<Line> lines = all();
    lines.sort(Comparator.comparingDouble((Line line) -> line.series().value()).reversed());
    Double least = panel.look().least();
    double low = least != null ? least : values(lines).min().orElse(0);
    double high = Math.max(values(lines).max().orElse(1), low + 1e-12);
    long end = end();
    StringBuilder svg =
        new StringBuilder(
            "<svg viewBox='0 0 100 100' preserveAspectRatio=none style='height:62%;background:#14161a'>");
    for (Mark mark : marks) {
      double x = x(mark.millis(), end);
      if (x >= 0 && x <= 100) {
        svg.append(
            String.format(
                Locale.ROOT,
                "<line vector-effect=non-scaling-stroke stroke-dasharray=3 x1=%.2f x2=%.2f y1=0 y2=100 stroke='%s'/>",
                x,
                x,
                NAMED.getOrDefault(mark.color(), "#8ab8ff")));
      }
    }
    for (int i = lines.size() - 1; i >= 0; i--) {
      StringBuilder points = new StringBuilder();
      for (Series.Point point : lines.get(i).series().points()) {
        if (!Double.isFinite(point.value())) {
          continue;
        }
        double y = 98 - 94 * (point.value() - low) / (high - low);
        points.append(
            String.format(Locale.ROOT, "%.2f,%.2f ", x(point.at().toEpochMilli(), end), y));
      }
      svg.append("<polyline vector-effect=non-scaling-stroke fill=none stroke-width=1.3 stroke='")
          .append(COLORS.get(i % COLORS.size()))
          .append("' points='")
          .append(points)
          .append("'/>");
    }
    StringBuilder legend =
        new StringBuilder("</svg><div class=legend>" + text(low) + " to " + text(high) + "<br>");
    for (int i = 0; i < Math.min(lines.size(), 9); i++) {
      legend
          .append("<span><b style='color:")
          .append(COLORS.get(i % COLORS.size()))
          .append("'>&#9644;</b> ")
          .append(lines.get(i).name())
          .append(" ")
          .append(
              Double.isFinite(lines.get(i).series().value())
                  ? text(lines.get(i).series().value())
                  : "")
          .append("</span> ");
    }
    return svg.append(legend)
        .append(lines.size() > 9 ? "and " + (lines.size() - 9) + " more" : "")
        .append("</div>")
        .toString();
  }

  private static DoubleStream values(List<Line> lines) {
    return lines.stream()
        .flatMap(line -> line.series().points().stream())
        .mapToDouble(Series.Point::value)
        .filter(Double::isFinite);
  }

  private String states() {
    long end = end();
    StringBuilder html = new StringBuilder();
    for (Line line : all().stream().limit(12).toList()) {
      html.append("<div class=state><b>")
          .append(line.name())
          .append(
              "</b><svg viewBox='0 0 100 10' preserveAspectRatio=none style='height:16px;flex:1'>");
      for (Series.Point point : line.series().points()) {
        html.append(
            String.format(
                Locale.ROOT,
                "<rect x=%.2f width=1.75 y=0 height=10 fill='%s'/>",
                x(point.at().toEpochMilli(), end) - 1.7,
                NAMED.getOrDefault(Words.color(panel.look().scale(), point.value()), "#555")));
      }
      html.append("</svg></div>");
    }
    String legend =
        panel.look().scale().words().stream()
            .map(
                word ->
                    "<span><b style='color:"
                        + NAMED.getOrDefault(word.color(), "#555")
                        + "'>&#9632;</b> "
                        + word.text()
                        + "</span>")
            .collect(Collectors.joining());
    return html + "<div class=legend>" + legend + "</div>";
  }

  private String heat() {
    List<Line> lines = all();
    if (panel.queries().get(0).form() == Query.Form.BUCKETS) {
      lines.sort(
          Comparator.comparingDouble(
              line -> Double.parseDouble(line.series().label("le").replace("+Inf", "Infinity"))));
    }
    Double bound = panel.look().most();
    Double floor = panel.look().least();
    double least = floor == null ? 0 : floor;
    double most = (bound == null ? Math.max(1e-9, values(lines).max().orElse(1)) : bound) - least;
    long end = end();
    StringBuilder html = new StringBuilder();
    for (int i = lines.size() - 1; i >= 0; i--) {
      Line line = lines.get(i);
      Map<Long, Double> below = new LinkedHashMap<>();
      if (i > 0 && panel.queries().get(0).form() == Query.Form.BUCKETS) {
        lines
            .get(i - 1)
            .series()
            .points()
            .forEach(point -> below.put(point.at().toEpochMilli(), point.value()));
      }
      int height = Math.max(5, Math.min(20, 200 / lines.size()));
      html.append("<div class=state style='height:")
          .append(height)
          .append("px'><b style='width:20%'>")
          .append(line.name())
          .append(
              "</b><svg viewBox='0 0 100 10' preserveAspectRatio=none style='height:100%;flex:1'>");
      for (Series.Point point : line.series().points()) {
        double count = point.value() - below.getOrDefault(point.at().toEpochMilli(), 0.0) - least;
        if (count > 0) {
          html.append(
              String.format(
                  Locale.ROOT,
                  "<rect x=%.2f width=1.75 y=0 height=9.5 fill='#ff780a' opacity='%.2f'/>",
                  x(point.at().toEpochMilli(), end) - 1.7,
                  0.15 + 0.85 * Math.sqrt(Math.min(1, count / most))));
        }
      }
      html.append("</svg></div>");
    }
    return html.toString();
  }

  private String bars() {
    List<Line> lines = all();
    Double fixed = panel.look().most();
    double most = fixed != null ? fixed : Math.max(1e-9, values(lines).max().orElse(1));
    StringBuilder html = new StringBuilder();
    for (Line line : lines) {
      double value = line.series().value();
      html.append(
          "<div class=state><b style='width:25%%'>%s</b><svg viewBox='0 0 100 10' preserveAspectRatio=none style='height:14px;flex:1'><rect width=%.2f height=10 fill='%s'/></svg>&nbsp;%s</div>"
              .formatted(
                  line.name(),
                  100 * value / most,
                  NAMED.getOrDefault(Words.color(panel.look().scale(), value), "#2a5fc4"),
                  text(value)));
    }
    return html.toString();
  }
}
