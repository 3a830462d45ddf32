package io.lapwing.stack.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The series that rules or dashboards read, for a scrape that keeps only these. */
record KeepList(SortedSet<String> names) {

  // Not within a recorded name, such as instance:lapwing_gpus:sum, nor within a longer word. The
  // drain controller has a scrape of its own, of which everything is kept.
  private static final Pattern OURS =
      Pattern.compile(
          "(?<![:\\w/])(?!lapwing_drain_)(?:lapwing|DCGM|node_amazonefa|jvm|process)_[A-Za-z0-9_]+(?![:\\w*])");

  /**
   * The metric names in the expressions of rule files and dashboards, and in the texts of alerts.
   */
  static KeepList of(Stream<Path> files) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    for (Path file : files.toList()) {
      ObjectMapper mapper =
          file.toString().endsWith(".json") ? new ObjectMapper() : new YAMLMapper();
      collect(mapper.readTree(file.toFile()), names);
    }
    return new KeepList(names);
  }

  private static void collect(JsonNode node, SortedSet<String> names) {
    if (node.isTextual()) {
      names.addAll(in(node.asText()));
    }
    node.forEach(inner -> collect(inner, names));
  }

  /** The metric names in a text. */
  static SortedSet<String> in(String text) {
    SortedSet<String> names = new TreeSet<>();
    Matcher name = OURS.matcher(text);
    while (name.find()) {
      names.add(name.group());
    }
    return names;
  }

  /** Reads the pattern of a file written by {@link #yaml}. */
  static Pattern read(Path file) throws IOException {
    JsonNode relabelling = new YAMLMapper().readTree(file.toFile());
    return Pattern.compile(
        relabelling.path("metric_relabel_configs").path(0).path("regex").asText());
  }

  /**
   * The scrape configuration with one name per line; the line breaks are not part of the pattern.
   */
  String yaml(String what) {
    return """
    # What %s read, and nothing else: written by tools/bench/fleet --keep-lists.
    # Goes into the scrape configuration of the job "lapwing".
    metric_relabel_configs:
      - source_labels: [__name__]
        action: keep
        regex: "\\
    %s"
    """
        .formatted(what, "      " + String.join("|\\\n      ", names));
  }

  /** The detailed rules. */
  static List<Path> rules(Path root) throws IOException {
    return files(root.resolve("alert-rules"), ".yml");
  }

  /** The core rules, without the recordings of the detailed ones. */
  static List<Path> coreRules(Path root) {
    return List.of(root.resolve("alert-rules/core/core.yml"));
  }

  /** The files in a folder, without subfolders. */
  static List<Path> files(Path folder, String ending) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}
