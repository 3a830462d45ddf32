package io.lapwing.agent;

import io.lapwing.agent.metrics.TextPage.Sample;
import io.lapwing.table.CsvTable;
import io.lapwing.table.CsvTable.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Families and labels of a page of dcgm-exporter: {@code pages.csv}.
 *
 * @param names the word of {@code --gpu.names} for its release
 */
record ExporterPage(String name, String names, List<Group> groups) {

  /**
   * Families with the same labels.
   *
   * @param labels in the order of the page
   * @param types by family
   */
  record Group(Of of, List<String> labels, Map<String, String> types) {}

  /** What a series is of. */
  enum Of {
    GPU,
    INSTANCE,
    POD;

    static Of sample(Sample sample) {
      if (sample.labels().containsKey("pod")) {
        return POD;
      }
      return sample.labels().containsKey("GPU_I_ID") ? INSTANCE : GPU;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  boolean hasPods() {
    return groups.stream().anyMatch(group -> group.of() == Of.POD);
  }

  static List<ExporterPage> all() {
    Map<String, ExporterPage> pages = new LinkedHashMap<>();
    for (Row row : CsvTable.read(ExporterPage.class, "/dcgm-exporter/pages.csv")) {
      pages
          .computeIfAbsent(
              row.text("page"),
              page -> new ExporterPage(page, row.text("names"), new ArrayList<>()))
          .groups()
          .add(group(row));
    }
    return List.copyOf(pages.values());
  }

  private static Group group(Row row) {
    Map<String, String> types = new LinkedHashMap<>();
    for (String family : row.text("families").split(" ", -1)) {
      int type = family.indexOf(':');
      types.put(
          type < 0 ? family : family.substring(0, type),
          type < 0 ? "gauge" : family.substring(type + 1));
    }
    return new Group(
        Of.valueOf(row.text("of").toUpperCase(Locale.ROOT)),
        Arrays.asList(row.text("labels").split(" ", -1)),
        types);
  }

  @Override
  public String toString() {
    return name;
  }
}
