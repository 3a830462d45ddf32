package io.lapwing.agent.dropin;

import io.lapwing.common.config.SpellingHint;
import io.lapwing.common.config.YamlNode;
import io.lapwing.common.config.YamlNode.Items;
import io.lapwing.common.config.YamlNode.Mapping;
import io.lapwing.common.config.YamlNode.Scalar;
import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Values of dcgm-exporter's chart or of the GPU operator's: {@code dcgm-exporter-values.csv}. */
final class ChartValues {

  private static final List<Row> TABLE =
      CsvTable.read(ChartValues.class, "dcgm-exporter-values.csv");

  /** The chart of dcgm-exporter; the other one is that of the GPU operator. */
  private static final String OWN = "chart";

  private static final Set<String> OF_POD =
      Set.of(
          "affinity",
          "hostNetwork",
          "imagePullSecrets",
          "nodeSelector",
          "priorityClassName",
          "runtimeClassName",
          "tolerations");

  /** Below the timeout of a scrape in our chart, 10 s, which Prometheus does not accept. */
  private static final Pattern SHORT = Pattern.compile("[1-9]s");

  private final Path file;
  private final String chart;
  private final List<Row> rows;
  private final String prefix;
  private final Found found;

  /** Of the values below a prefix, which is for messages. */
  ChartValues(Path file, String chart, String prefix, Found found) {
    this.file = file;
    this.chart = chart;
    this.rows = TABLE.stream().filter(row -> row.text("chart").equals(chart)).toList();
    this.prefix = prefix;
    this.found = found;
  }

  /** Whether most keys are values of dcgm-exporter's chart. */
  static boolean isOfChart(Mapping document) {
    long known =
        document.entries().keySet().stream()
            .filter(
                key ->
                    TABLE.stream()
                        .filter(row -> row.text("chart").equals(OWN))
                        .anyMatch(row -> row.text("key").split("\\.", 2)[0].equals(key)))
            .count();
    return known > 0 && 2 * known >= document.entries().size();
  }

  void read(Mapping values) {
    found.present();
    if (chart.equals(OWN)) {
      found.chart();
    }
    found.chartDefault(
        new Place(file, Math.max(1, values.line())), "DCGM_EXPORTER_KUBERNETES", "true");
    rows.stream()
        .filter(row -> row.text("answer").equals("env"))
        .forEach(row -> YamlInput.expect(values.entries().get(row.text("key")), file, found));
    read("", values);
  }

  private void read(String path, Mapping values) {
    values.entries().forEach((name, node) -> read(path + name, node));
  }

  private void read(String key, YamlNode node) {
    Optional<Row> row = row(key);
    boolean deeper = rows.stream().anyMatch(one -> one.text("key").startsWith(key + "."));
    if (isEmpty(node)) {
      return;
    }
    if (deeper && node instanceof Mapping mapping) {
      read(key + ".", mapping);
    } else if (row.isPresent()) {
      value(key, node, row.get());
    } else {
      found.unknown(
          new Place(file, node.line()),
          "unknown value " + prefix + key + SpellingHint.of(key, keys()));
    }
  }

  private List<String> keys() {
    return rows.stream().map(row -> row.text("key")).toList();
  }

  private static boolean isEmpty(YamlNode node) {
    return node instanceof YamlNode.Empty
        || (node instanceof Items items && items.items().isEmpty())
        || (node instanceof Mapping mapping
            && mapping.entries().values().stream().allMatch(ChartValues::isEmpty))
        || (node instanceof Scalar scalar && scalar.text().isEmpty());
  }

  /** The row of a key, or of the nearest one above it. */
  private Optional<Row> row(String key) {
    return rows.stream()
        .filter(row -> key.equals(row.text("key")) || key.startsWith(row.text("key") + "."))
        .max((one, other) -> one.text("key").length() - other.text("key").length());
  }

  private void value(String key, YamlNode node, Row row) {
    Place place = new Place(file, node.line());
    switch (row.text("answer")) {
      case "args" -> Command.container(YamlInput.words(node, file, found), found);
      case "env" -> YamlInput.environment(node, file, found);
      case "image" -> image(place, key, node);
      case "monitor" -> monitor(row.text("ours"), node);
      case "variable" -> found.variable(place, row.text("ours"), text(node));
      case "same" ->
          found.remark(place, "value " + prefix + key + ": copy it; Lapwing's chart has " + key);
      default -> found.remark(place, "value " + prefix + key + ": " + row.text("note"));
    }
  }

  /** A value of our ServiceMonitor, which needs a Service. */
  private void monitor(String ours, YamlNode node) {
    String text = text(node);
    if (node instanceof Mapping labels) {
      found.value(
          ours,
          labels.entries().entrySet().stream()
              .map(
                  one ->
                      Rendering.yaml(one.getKey()) + ": " + Rendering.quoted(text(one.getValue())))
              .collect(Collectors.joining(", ", "{", "}")));
    } else if (!text.equals("false")) {
      found.value(ours, Rendering.yaml(text));
    }
    if (text.equals("true")) {
      found.value("service.enabled", text);
    }
    if (SHORT.matcher(text).matches()) {
      found.value("serviceMonitor.scrapeTimeout", text);
    }
  }

  /** The settings of a pod in a manifest that our chart has, too. */
  void pod(Mapping spec) {
    spec.entries()
        .forEach(
            (name, node) -> {
              if (OF_POD.contains(name) && !isEmpty(node)) {
                row(name).ifPresent(row -> value(name, node, row));
              }
            });
  }

  private static String text(YamlNode node) {
    if (node instanceof Items items) {
      return items.items().stream().map(ChartValues::text).collect(Collectors.joining(","));
    }
    return node instanceof Scalar scalar ? scalar.text() : "";
  }

  /** The tag is what matters: it has the release. */
  private void image(Place place, String key, YamlNode node) {
    if (node instanceof Mapping image && image.entries().get("tag") instanceof Scalar tag) {
      found.image(place, "dcgm-exporter:" + tag.text());
    } else if (key.equals("version") && node instanceof Scalar version) {
      found.image(place, "dcgm-exporter:" + version.text());
    }
  }
}
