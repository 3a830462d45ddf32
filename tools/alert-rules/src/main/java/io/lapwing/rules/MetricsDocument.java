package io.lapwing.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of {@code docs/metrics.md}. */
final class MetricsDocument {

  /** {@code | `name` | type | unit | labels | ...}; an empty cell has no blanks. */
  private static final Pattern ROW =
      Pattern.compile("\\| `([A-Za-z_][A-Za-z0-9_]*)` \\|([^|]*)\\|([^|]*)\\|([^|]*)\\|.*");

  private static final Set<String> TYPES = Set.of("gauge", "counter", "histogram", "summary");

  private static final Set<String> OF_EACH_GPU =
      Set.of("gpu", "UUID", "pci_bus_id", "device", "modelName", "Hostname");

  private MetricsDocument() {}

  /**
   * The families that the agent exposes.
   *
   * @throws UncheckedIOException if the document cannot be read
   */
  static List<Family> read(Path document) {
    try {
      return Files.readAllLines(document).stream().flatMap(line -> row(line).stream()).toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<Family> row(String line) {
    Matcher row = ROW.matcher(line);
    if (!row.matches() || !TYPES.contains(row.group(2).strip())) {
      return List.of();
    }
    String name = row.group(1);
    Set<String> labels = new LinkedHashSet<>(name.startsWith("DCGM_") ? OF_EACH_GPU : Set.of());
    for (String label : row.group(4).split(",", -1)) {
      if (!label.isBlank()) {
        labels.add(label.replace("`", "").strip());
      }
    }
    return families(name, row.group(2).strip(), labels);
  }

  private static List<Family> families(String name, String type, Set<String> labels) {
    List<Family> families = new ArrayList<>();
    switch (type) {
      case "histogram" -> {
        Set<String> withoutBound = new LinkedHashSet<>(labels);
        withoutBound.remove("le");
        families.add(new Family(name + "_bucket", true, labels).with(Set.of("le")));
        families.add(new Family(name + "_count", true, withoutBound));
        families.add(new Family(name + "_sum", true, withoutBound));
      }
      case "summary" -> {
        families.add(new Family(name + "_count", true, labels));
        families.add(new Family(name + "_sum", true, labels));
      }
      default -> families.add(new Family(name, type.equals("counter"), labels));
    }
    return families;
  }
}
