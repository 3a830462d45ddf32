package io.lapwing.agent.sources;

import io.lapwing.common.config.DurationText.GoDurationText;
import io.lapwing.common.config.YamlSection;
import io.lapwing.gpu.FieldFile;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The YAML configuration of dcgm-exporter, since 4.8.3: a field file or fields, and the intervals
 * of groups of them. Version 2 is that of 4.8.4.
 *
 * <pre>{@code
 * version: 1                                     version: 2
 * metrics: {file: /etc/fields.csv}               metrics: {fields: [{name: .., prometheusType: ..}]}
 * collection:                                    collections:
 *   interval: 30s                                - {name: all, every: 30s, metrics: {include: ["*"]}}
 *   watchGroups:
 *   - {name: a, interval: 5s, fields: [..]}      - {name: a, every: 5s, metrics: {include: [..]}}
 * }</pre>
 */
final class FieldConfig {

  /** The default of {@code cadence.fast}. */
  private static final Duration FAST = Duration.ofSeconds(5);

  /** That {@code cadence.fast} may be. */
  private static final Duration LEAST = Duration.ofMillis(200);

  private final List<String> problems;
  private final List<String> warnings = new ArrayList<>();
  private final List<FieldGroup> groups = new ArrayList<>();
  private final List<Interval> intervals = new ArrayList<>();
  private final YamlSection top;

  /**
   * What the file selects.
   *
   * @param file the CSV file; empty if the fields are in this file
   * @param fields empty if the preset selects the families
   * @param warnings settings that are not used
   */
  record Content(
      Optional<NamedFile> file,
      Optional<List<FieldFile.Row>> fields,
      List<FieldGroup> groups,
      List<String> warnings) {}

  /** A valid interval: {@code 8: collection.interval}, {@code 30s}. */
  private record Interval(String place, String text, Duration length) {}

  /** A file, and the place that names it. */
  record NamedFile(Path path, String place) {}

  private FieldConfig(Path file, List<String> problems) {
    this.problems = problems;
    this.top = YamlSection.read(file, problems);
  }

  /** Adds every problem, with file and line. */
  static Content read(Path file, List<String> problems) {
    return new FieldConfig(file, problems).content();
  }

  private Content content() {
    if (top.keys().isEmpty() && !problems.isEmpty()) {
      return new Content(Optional.empty(), Optional.empty(), List.of(), List.of());
    }
    Optional<String> version = top.text("version");
    switch (version.orElse("")) {
      case "1" -> collection();
      case "2" -> collections();
      default -> {
        top.missing(
            "version",
            version.map(given -> "'" + given + "' is not a version").orElse("is missing")
                + "; the versions are 1 and 2");
        top.allow(List.of("version", "metrics", "collection", "collections", "sources", "server"));
      }
    }
    top.section("sources").ifPresent(this::sources);
    top.section("server").ifPresent(this::server);
    Optional<YamlSection> metrics = top.section("metrics");
    metrics.ifPresent(this::metrics);
    intervals().ifPresent(warnings::add);
    return new Content(
        metrics.flatMap(this::file),
        metrics.filter(section -> section.keys().contains("fields")).map(this::fields),
        List.copyOf(groups),
        List.copyOf(warnings));
  }

  private void metrics(YamlSection metrics) {
    metrics.allow(List.of("file", "fields", "enableExporterMetrics"));
    Set<String> keys = metrics.keys();
    if (keys.contains("file") && keys.contains("fields")) {
      unused(metrics, "file", "metrics.fields is there as well, and counts");
    } else if (keys.isEmpty()) {
      top.problem("metrics", "needs file, fields or enableExporterMetrics");
    }
    metrics
        .flag("enableExporterMetrics")
        .ifPresent(
            on -> unused(metrics, "enableExporterMetrics", "see web.disable-exporter-metrics"));
  }

  private Optional<NamedFile> file(YamlSection metrics) {
    if (!metrics.keys().contains("file") || metrics.keys().contains("fields")) {
      return Optional.empty();
    }
    Optional<String> file = metrics.text("file");
    try {
      Path here = Optional.ofNullable(top.file().toAbsolutePath().getParent()).orElse(Path.of("/"));
      String place = top.file() + ":" + metrics.line("file") + ": metrics.file";
      return file.map(String::strip).map(here::resolve).map(path -> new NamedFile(path, place));
    } catch (InvalidPathException wrong) {
      metrics.problem("file", "is not a path");
      return Optional.empty();
    }
  }

  private List<FieldFile.Row> fields(YamlSection metrics) {
    List<FieldFile.Row> rows = new ArrayList<>();
    for (YamlSection field : metrics.sections("fields")) {
      field.allow(List.of("name", "prometheusType", "help"));
      String name = required(field, "name");
      String type = required(field, "prometheusType");
      String help = required(field, "help");
      if (!name.isEmpty() && !type.isEmpty()) {
        rows.add(new FieldFile.Row(field.line("name"), name, type, help));
      }
    }
    if (metrics.keys().contains("fields") && rows.isEmpty() && problems.isEmpty()) {
      metrics.problem("fields", "has no field");
    }
    return rows;
  }

  /** Version 1. */
  private void collection() {
    top.allow(List.of("version", "metrics", "collection", "sources", "server"));
    Optional<YamlSection> collection = top.section("collection");
    if (collection.isEmpty()) {
      return;
    }
    YamlSection section = collection.get();
    section.allow(List.of("interval", "retention", "watchGroups"));
    if (section.keys().contains("interval")) {
      interval(section, "interval");
    }
    retention(section, "retention");
    if (section.keys().contains("watchGroups")) {
      for (YamlSection group : section.sections("watchGroups")) {
        group.allow(List.of("name", "interval", "fields", "retention"));
        retention(group, "retention");
        group(group, "interval", group, "fields");
      }
    }
  }

  /** Version 2. */
  private void collections() {
    top.allow(List.of("version", "metrics", "collections", "sources", "server"));
    if (!top.keys().contains("collections")) {
      return;
    }
    List<YamlSection> all = top.sections("collections");
    if (all.isEmpty()) {
      top.problem("collections", "has no collection");
    }
    for (YamlSection one : all) {
      one.allow(List.of("name", "every", "metrics", "sources"));
      retention(one, "sources");
      Optional<YamlSection> metrics = one.section("metrics");
      metrics.ifPresent(section -> section.allow(List.of("include")));
      if (metrics.isEmpty()) {
        one.missing("metrics", "needs include, a list of fields");
      }
      metrics.ifPresent(section -> group(one, "every", section, "include"));
    }
  }

  private void group(YamlSection group, String interval, YamlSection holder, String fields) {
    String name = required(group, "name");
    if (groups.stream().anyMatch(other -> other.name().equals(name)) && !name.isEmpty()) {
      group.problem("name", "'" + name + "' names two groups");
    }
    interval(group, interval);
    List<String> patterns =
        holder.keys().contains(fields) ? holder.texts(fields) : List.<String>of();
    if (patterns.isEmpty()) {
      holder.missing(
          fields, "needs a list of fields, such as DCGM_FI_DEV_GPU_TEMP or DCGM_FI_PROF_*");
    }
    String place = top.file() + ":" + holder.line(fields) + ": " + holder.path() + fields;
    // In version 2 the collection of all fields has the interval of those in no other one.
    boolean rest = fields.equals("include") && patterns.equals(List.of("*"));
    groups.add(new FieldGroup(name, place, rest, patterns));
  }

  private void interval(YamlSection section, String key) {
    String text = required(section, key);
    Optional<Duration> interval = GoDurationText.read(text).filter(length -> !length.isZero());
    boolean whole = text.chars().allMatch(Character::isDigit);
    if (!text.isEmpty()
        && (interval.isEmpty() || whole || interval.get().toNanosPart() % 1_000_000 != 0)) {
      section.problem(key, "'" + text + "' is not a duration of whole milliseconds, such as 30s");
    } else if (!text.isEmpty()) {
      intervals.add(
          new Interval(section.line(key) + ": " + section.path() + key, text, interval.get()));
    }
  }

  /**
   * One warning for all: groups are fields of any kind, and cadences are of kinds of values, which
   * health rules read as well. A longer interval needs nothing: a scrape reads nothing.
   */
  private Optional<String> intervals() {
    return intervals.stream()
        .min(Comparator.comparing(Interval::length))
        .map(
            shortest ->
                top.file()
                    + ":"
                    + shortest.place()
                    + (intervals.size() == 1
                        ? " is not used: "
                        : ", the shortest of "
                            + intervals.size()
                            + " intervals, is not used, and neither are the others: ")
                    + (shortest.length().compareTo(FAST) < 0
                        ? "what follows the workload is read so often with a cadence.fast of "
                            + (shortest.length().compareTo(LEAST) < 0
                                ? "200ms, the least"
                                : shortest.text())
                        : "cadence.fast, cadence.medium and cadence.slow set when values are"
                            + " read, by default every 5, 10 and 60 s"));
  }

  private void sources(YamlSection sources) {
    sources.allow(List.of("dcgm"));
    unused(top, "sources", "it is of DCGM's cache, and GPUs that appear are found in any case");
  }

  private void server(YamlSection server) {
    server.allow(List.of("maxConcurrentScrapes"));
    unused(server, "maxConcurrentScrapes", "web.max-requests has this limit");
  }

  private void retention(YamlSection section, String key) {
    if (section.section(key).isPresent()) {
      unused(section, key, "Lapwing keeps the latest value");
    }
  }

  private void unused(YamlSection section, String key, String why) {
    warnings.add(
        top.file()
            + ":"
            + section.line(key)
            + ": "
            + section.path()
            + key
            + " is not used: "
            + why);
  }

  private static String required(YamlSection section, String key) {
    Optional<String> text = section.text(key).map(String::strip);
    if (!section.keys().contains(key) || text.filter(String::isEmpty).isPresent()) {
      section.missing(key, "is missing");
    }
    return text.orElse("");
  }
}
