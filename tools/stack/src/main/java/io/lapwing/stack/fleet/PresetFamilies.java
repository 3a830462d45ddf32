package io.lapwing.stack.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The metric families of the agent's presets, from the files that read them: one computation for
 * the keep-lists and for {@code presets.csv} of the agent.
 *
 * @param minimal families that rules read
 * @param standard also those of dashboards, documents and other exporters
 */
record PresetFamilies(SortedSet<String> minimal, SortedSet<String> standard) {

  /** Rules for nodes with dcgm-exporter alone are in {@code dcgm} and read its families. */
  private static final List<String> RULES = List.of("", "core", "automation");

  /**
   * Documents for operators. Those that describe every metric of a subject (metrics, efa, lustre,
   * health-rules) are not read, nor those that name families as examples.
   */
  private static final List<String> DOCUMENTS =
      List.of(
          "actions",
          "alerting",
          "dashboards",
          "deep-check",
          "deploy-amp",
          "events",
          "health",
          "host",
          "inference",
          "install",
          "jobs",
          "kubernetes",
          "maintenance",
          "nccl",
          "node",
          "support",
          "training",
          "ui");

  /** Identifies the preset. */
  private static final String PRESET = "lapwing_metrics_preset";

  private static final Pattern ROW =
      Pattern.compile("\\| `([A-Za-z_][A-Za-z0-9_]*)` \\| (?:gauge|counter|histogram|summary) .*");

  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`\n]+`");

  private static final List<String> PARTS = List.of("_bucket", "_count", "_sum");

  static PresetFamilies of(Path root) throws IOException {
    Set<String> known = known(root);
    SortedSet<String> minimal = new TreeSet<>(Set.of(PRESET));
    minimal.addAll(families(KeepList.of(rules(root).stream()).names(), known));
    SortedSet<String> standard = new TreeSet<>(minimal);
    standard.addAll(families(KeepList.of(dashboards(root).stream()).names(), known));
    standard.addAll(families(KeepList.in(code(documents(root))), known));
    standard.addAll(expected(known));
    return new PresetFamilies(minimal, standard);
  }

  static List<Path> rules(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String set : RULES) {
      files.addAll(KeepList.files(root.resolve("alert-rules").resolve(set), ".yml"));
    }
    return files;
  }

  static List<Path> dashboards(Path root) throws IOException {
    return KeepList.files(root.resolve("grafana-dashboards"), ".json");
  }

  /** Every family of the agent: those of {@code docs/metrics.md}. */
  static Set<String> known(Path root) throws IOException {
    Set<String> known = new TreeSet<>();
    for (String line : Files.readAllLines(root.resolve("docs/metrics.md"))) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        known.add(row.group(1));
      }
    }
    return known;
  }

  private static List<Path> documents(Path root) throws IOException {
    Path docs = root.resolve("docs");
    return Stream.concat(
            DOCUMENTS.stream().map(name -> docs.resolve(name + ".md")),
            KeepList.files(docs.resolve("runbooks"), ".md").stream()
                .filter(file -> !file.getFileName().toString().startsWith("Dcgm")))
        .toList();
  }

  /** Without commands that ask for the full preset themselves. */
  private static String code(List<Path> documents) throws IOException {
    StringBuilder code = new StringBuilder();
    for (Path document : documents) {
      Matcher part = CODE.matcher(Files.readString(document));
      while (part.find()) {
        part.group()
            .lines()
            .filter(line -> !line.contains("preset=full"))
            .forEach(line -> code.append(line).append('\n'));
      }
    }
    return code.toString();
  }

  /** {@code expected-families.yml}; a name may end in {@code *}. */
  private static Set<String> expected(Set<String> known) {
    Set<String> expected = new TreeSet<>();
    for (JsonNode names : AmpPrices.resource("expected-families.yml")) {
      for (JsonNode one : names) {
        expected.addAll(named(one.asText(), known));
      }
    }
    return expected;
  }

  private static List<String> named(String name, Set<String> known) {
    List<String> found =
        name.endsWith("*")
            ? known.stream().filter(one -> one.startsWith(withoutStar(name))).toList()
            : known.stream().filter(name::equals).toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("expected-families.yml: no family " + name);
    }
    return found;
  }

  private static String withoutStar(String name) {
    return name.substring(0, name.length() - 1);
  }

  /** The families of samples; names that the agent does not have are left out. */
  static Set<String> families(Set<String> samples, Set<String> known) {
    Set<String> families = new TreeSet<>();
    for (String sample : samples) {
      if (known.contains(sample)) {
        families.add(sample);
      } else {
        PARTS.stream()
            .filter(sample::endsWith)
            .map(part -> sample.substring(0, sample.length() - part.length()))
            .filter(known::contains)
            .forEach(families::add);
      }
    }
    return families;
  }

  static Path file(Path root) {
    return root.resolve("agent/src/main/resources/io/lapwing/agent/preset/presets.csv");
  }

  /** The table that the agent reads. */
  String csv() {
    StringBuilder csv = new StringBuilder();
    csv.append(
            "# The smallest preset of each metric family; the others are in full only. Written by")
        .append(" tools/bench/fleet --keep-lists.\nfamily,preset\n");
    for (String family : standard) {
      csv.append(family)
          .append(',')
          .append(minimal.contains(family) ? "minimal" : "standard")
          .append('\n');
    }
    return csv.toString();
  }
}
